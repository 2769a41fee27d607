// The limits under which cells run: short ones where something must run out, long ones where nothing may.

export interface Profile {
  /** Milliseconds, of `http.timeout` and of the silence within a stream. */
  readonly limitMs: number;
  readonly backoffMs: number;
  readonly maxRetryAfterMs: number;
  /** 0: none. */
  readonly deadlineMs: number;
}

export type ProfileName = "patient" | "quick" | "backoff" | "deadline";

export const maxRetries = 2;

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  patient: { limitMs: 30_000, backoffMs: 2, maxRetryAfterMs: 100, deadlineMs: 0 },
  quick: { limitMs: 600, backoffMs: 2, maxRetryAfterMs: 100, deadlineMs: 0 },
  backoff: { limitMs: 30_000, backoffMs: 60_000, maxRetryAfterMs: 60_000, deadlineMs: 0 },
  deadline: { limitMs: 30_000, backoffMs: 5000, maxRetryAfterMs: 5000, deadlineMs: 1500 },
};
