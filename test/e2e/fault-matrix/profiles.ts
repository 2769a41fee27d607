// The limits under which cells run: short ones where something must run out, long ones where nothing may.

/** `resilience.profile`: which defaults everything has that is not said here. */
export type Resilience = "classic" | "strong";

export interface Profile {
  /** Milliseconds, of `http.timeout` and of the silence within a stream. */
  readonly limitMs: number;
  readonly backoffMs: number;
  readonly maxRetryAfterMs: number;
  /** 0: none. */
  readonly deadlineMs: number;
  /** Of `http.first_event_timeout` and `http.answer_timeout` under `strong`, where they apply only while another target is left. */
  readonly firstEventMs: number;
  readonly answerMs: number;
}

export type ProfileName = "patient" | "quick" | "giving-way" | "backoff" | "deadline";

/** `resilience.retry.max_retries` under both. */
export const maxRetries = 2;

/** `failover.retries_before_failover` and `resilience.max_attempts_per_request` of `strong`. */
export const strongRules = { retriesBeforeFailover: 1, maxAttempts: 6 } as const;

/** What `strong` has by itself. */
const unscaled = { firstEventMs: 12_000, answerMs: 120_000 } as const;

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  patient: { limitMs: 30_000, backoffMs: 2, maxRetryAfterMs: 100, deadlineMs: 0, ...unscaled },
  quick: { limitMs: 600, backoffMs: 2, maxRetryAfterMs: 100, deadlineMs: 0, firstEventMs: 300, answerMs: 450 },
  // Whoever waits for the other limits is late.
  "giving-way": {
    limitMs: 30_000,
    backoffMs: 2,
    maxRetryAfterMs: 100,
    deadlineMs: 0,
    firstEventMs: 300,
    answerMs: 450,
  },
  backoff: { limitMs: 30_000, backoffMs: 60_000, maxRetryAfterMs: 60_000, deadlineMs: 0, ...unscaled },
  deadline: { limitMs: 30_000, backoffMs: 5000, maxRetryAfterMs: 5000, deadlineMs: 1500, ...unscaled },
};
