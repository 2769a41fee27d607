import { describe, expect, test } from "bun:test";
import { defaultFailover } from "../../test/support/fake-provider.ts";
import { errorTypeOf, Failure, type FailureOrigin } from "../core/failure.ts";
import { statusList } from "../core/http-status.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Attempt, Turn } from "../core/turn.ts";
import { isRepeatUseless } from "./retry-advice.ts";

function failureOf(origin: FailureOrigin, status: number, retryAfterMs?: number): Failure {
  return new Failure({
    origin,
    status,
    type: errorTypeOf(status),
    message: "x",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Turns with so many attempts. */
function turnsOf(...attempts: readonly number[]): Turn[] {
  return attempts.map((count) => ({
    target: { providerName: "a", model: "m" },
    startedAt: 0,
    attempts: Array.from({ length: count }, (): Attempt => ({
      kind: "first",
      startedAt: 0,
      durationMs: 0,
      firstEventMs: undefined,
      outcome: "failed",
      statusCode: 503,
      failure: undefined,
    })),
    outcome: count === 0 ? "skipped" : "failed",
    failure: undefined,
    committed: false,
    establishedMs: undefined,
  }));
}

function useless(failure: Failure, turns: readonly Turn[], policy: Partial<FailoverPolicy> = {}): boolean {
  return isRepeatUseless(failure, turns, { ...defaultFailover, ...policy }, 30_000);
}

describe("the advice not to repeat", () => {
  test.each([
    ["a status that fails over", failureOf("status", 503), [1]],
    ["a limit on the rate that was retried", failureOf("status", 429), [4]],
    ["a hidden error of a whole chain", failureOf("status", 500), [1, 1, 1]],
    ["an answer that cannot be used", failureOf("answer", 502), [1]],
    ["a transport error", failureOf("transport", 502), [2]],
    ["a local timeout", failureOf("timeout", 504), [1]],
    ["an open circuit", failureOf("circuit-open", 503, 9000), [0]],
    [
      "a circuit that stays open for longer than a provider's Retry-After is waited out",
      failureOf("circuit-open", 503, 45_000),
      [0],
    ],
    ["a stream that the second target told differently", failureOf("diverged", 502), [1, 1]],
    ["a chain that ended in an open circuit", failureOf("circuit-open", 503), [2, 0]],
    ["a provider without a free breaker slot", failureOf("no-breaker-slot", 503), [0]],
    ["a deadline that passed while somebody was asked", failureOf("deadline", 504), [1]],
    ["a chain whose last target found fault with the request", failureOf("status", 400), [2, 1]],
  ] as const)("is given for %s", (_, failure, attempts) => {
    expect(useless(failure, turnsOf(...attempts))).toBe(true);
  });

  test.each([
    ["a request that nobody was asked about", failureOf("request", 400), []],
    ["a deadline before anybody was asked", failureOf("deadline", 504), []],
    ["the caller's own mistake", failureOf("status", 400), [1]],
    ["a key that the provider refuses", failureOf("status", 401), [1]],
    ["a conflict, which SDKs repeat and the gateway does not", failureOf("status", 409), [1]],
    ["a field that the provider cannot honour", failureOf("request", 400), [0]],
    ["a caller who left", failureOf("cancelled", 499), [2]],
    ["a gateway that shuts down", failureOf("drain", 503), [2]],
    ["a mistake of the gateway", failureOf("bug", 500), [2]],
  ] as const)("is not given for %s", (_, failure, attempts) => {
    expect(useless(failure, turnsOf(...attempts))).toBe(false);
  });

  test("follows what the operator lets fail over", () => {
    const policy = { statuses: statusList([408, 503]) };
    expect(useless(failureOf("status", 408), turnsOf(1), policy)).toBe(true);
    expect(useless(failureOf("status", 429), turnsOf(1), policy)).toBe(false);
    expect(useless(failureOf("status", 429), turnsOf(2), policy)).toBe(true);
  });

  test.each([
    [30_000, true],
    [30_001, false],
    [60_000, false],
    [60_001, true],
    [3_600_000, true],
  ])("with a Retry-After of %i ms, of which the gateway waits out 30 s, is given: %p", (retryAfterMs, given) => {
    expect(useless(failureOf("status", 429, retryAfterMs), turnsOf(1))).toBe(given);
    expect(useless(failureOf("status", 503, retryAfterMs), turnsOf(2, 1))).toBe(given);
  });
});
