import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "./failure.ts";
import { statusList } from "./http-status.ts";
import type { RetryPolicy } from "./policy.ts";
import { backoffMs, retryWaitMs } from "./retry-wait.ts";

const policy: RetryPolicy = {
  maxRetries: 3,
  initialBackoffMs: 1000,
  maxBackoffMs: 30_000,
  backoffFactor: 2,
  jitterFactor: 0.1,
  retryOnStatuses: statusList([429]),
  maxRetryAfterMs: 10_000,
  streaming: "never",
};

const failure = (retryAfterMs?: number): Failure =>
  new Failure({
    origin: "status",
    status: 429,
    type: "rate_limit_error",
    message: "slow down",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe("back-off", () => {
  test("doubles from one second to thirty", () => {
    const plain = { ...policy, jitterFactor: 0 };
    expect([1, 2, 3, 4, 5, 6, 7].map((retry) => backoffMs(plain, retry, Math.random))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  test("the jitter spreads a wait by a tenth to both sides", () => {
    expect(backoffMs(policy, 1, () => 0)).toBe(900);
    expect(backoffMs(policy, 1, () => 0.5)).toBe(1000);
    expect(backoffMs(policy, 1, () => 1 - Number.EPSILON)).toBeCloseTo(1100, 6);
  });

  test("never exceeds the cap, jitter included, and stays finite for any retry", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (retry, draw) => {
          const wait = backoffMs(policy, retry, () => draw);
          return wait >= 900 && wait <= 30_000;
        },
      ),
    );
  });
});

describe("the wait before a retry", () => {
  const half = (): number => 0.5;

  test("follows the provider's wish when it is longer than the back-off", () => {
    expect(retryWaitMs(failure(2500), policy, 1, half, Infinity)).toBe(2500);
  });

  test("is never shortened by the provider's wish", () => {
    expect(retryWaitMs(failure(0), policy, 1, half, Infinity)).toBe(1000);
    expect(retryWaitMs(failure(250), policy, 2, half, Infinity)).toBe(2000);
  });

  test("a wish of exactly max_retry_after is waited out, a longer one ends the turn", () => {
    expect(retryWaitMs(failure(10_000), policy, 1, half, Infinity)).toBe(10_000);
    expect(retryWaitMs(failure(10_001), policy, 1, half, Infinity)).toBeUndefined();
  });

  test("max_retry_after 0 ignores the wish", () => {
    expect(retryWaitMs(failure(3_600_000), { ...policy, maxRetryAfterMs: 0 }, 1, half, Infinity)).toBe(1000);
  });

  test("a wait that would not end before the deadline is not begun", () => {
    expect(retryWaitMs(failure(), policy, 1, half, 1000)).toBeUndefined();
    expect(retryWaitMs(failure(), policy, 1, half, 1001)).toBe(1000);
  });
});
