import { describe, expect, test } from "bun:test";
import {
  defaultBreaker,
  defaultRetry,
  statusFailure,
  timeoutFailure,
  transportFailure,
} from "../../test/support/fake-provider.ts";
import { cancelledRequest, Failure, type FailureOrigin, invalidRequest, unexpectedError } from "./failure.ts";
import { mayFailOver, mayRetry, verdictOfFailure } from "./failure-rules.ts";
import { statusList } from "./http-status.ts";
import type { FailoverPolicy } from "./policy.ts";

const phrases = [
  "model not found",
  "model does not exist",
  "model unsupported",
  "model unavailable",
  "model not available",
  "model deprecated",
  "model retired",
  "model disabled",
  "upstream failed",
  "upstream error",
  "upstream unavailable",
  "upstream timed out",
  "upstream timeout",
  "404 unsupported",
  "404 unavailable",
  "404 not available",
  "404 deprecated",
  "404 retired",
  "404 disabled",
];
const failover: FailoverPolicy = {
  enabled: true,
  maxAttempts: 0,
  statuses: statusList([429, "5xx"]),
  phrases: phrases.map((phrase) => phrase.split(" ")),
  retriesBeforeFailover: -1,
};
const answerFailure = new Failure({
  origin: "answer",
  status: 502,
  type: "provider_error",
  message: "provider returned no choices",
});

describe("may it be retried", () => {
  test.each([429, 502, 503, 504, 522, 524])("status %d is retried by default", (status) => {
    expect(mayRetry(statusFailure(status), defaultRetry)).toBe(true);
  });

  test.each([400, 401, 403, 404, 408, 409, 422, 425, 500, 501, 505, 520, 521, 523, 529])(
    "status %d is not",
    (status) => {
      expect(mayRetry(statusFailure(status), defaultRetry)).toBe(false);
    },
  );

  test("an empty list leaves transport errors", () => {
    const none = { ...defaultRetry, retryOnStatuses: statusList([]) };
    expect(mayRetry(transportFailure(), none)).toBe(true);
    expect(mayRetry(statusFailure(503), none)).toBe(false);
  });

  test("local timeouts, unusable answers and the caller's own mistakes are not", () => {
    const failures = [timeoutFailure(), answerFailure, invalidRequest("no"), cancelledRequest("deadline")];
    expect(failures.map((failure) => mayRetry(failure, defaultRetry))).toEqual([false, false, false, false]);
  });
});

describe("does it count against the breaker", () => {
  const verdict = (failure: Failure, probe = false) => verdictOfFailure(failure, defaultBreaker, probe);

  test("transport errors and local timeouts do, whatever the list says", () => {
    const none = { ...defaultBreaker, failureOnStatuses: statusList([]) };
    expect(verdictOfFailure(transportFailure(), none, false)).toBe("failure");
    expect(verdictOfFailure(timeoutFailure(), none, false)).toBe("failure");
  });

  test("429 and every 5xx do by default, also a 500 that is not retried", () => {
    expect([429, 500, 502, 503, 529, 599].map((status) => verdict(statusFailure(status)))).toEqual(
      Array.from({ length: 6 }, () => "failure"),
    );
  });

  test("an empty success counts as the 502 that it becomes", () => {
    expect(verdict(answerFailure)).toBe("failure");
    expect(verdictOfFailure(answerFailure, { ...defaultBreaker, failureOnStatuses: statusList([429]) }, false)).toBe(
      "success",
    );
  });

  test("other statuses are successes, for the provider answered", () => {
    expect([400, 401, 403, 404, 422].map((status) => verdict(statusFailure(status)))).toEqual(
      Array.from({ length: 5 }, () => "success"),
    );
  });

  test("with [5xx] a 429 is no failure, also for a probe", () => {
    const only5xx = { ...defaultBreaker, failureOnStatuses: statusList(["5xx"]) };
    expect(verdictOfFailure(statusFailure(429), only5xx, false)).toBe("success");
    expect(verdictOfFailure(statusFailure(429), only5xx, true)).toBe("success");
  });

  test("a probe refused with 401 or 403 decides nothing, one answered 404 is a success", () => {
    expect([401, 403, 404].map((status) => verdict(statusFailure(status), true))).toEqual(["none", "none", "success"]);
  });

  test("a caller who left, our deadline, our shutdown and our bugs decide nothing", () => {
    const failures = [
      cancelledRequest("client-left"),
      cancelledRequest("deadline"),
      cancelledRequest("drain"),
      unexpectedError(new Error("bug")),
      invalidRequest("field x cannot be honoured"),
    ];
    expect(failures.map((failure) => verdict(failure))).toEqual(Array.from({ length: 5 }, () => "none"));
  });
});

describe("may it fail over", () => {
  const eligible = (status: number, message: string, code: string | null = null): boolean =>
    mayFailOver(new Failure({ origin: "status", status, type: "invalid_request_error", message, code }), failover);

  test.each([
    [400, "The model 'gpt-9' was not found", true],
    [404, "The model `gpt-9` does not exist or you do not have access to it", true],
    [400, "Upstream request failed", true],
    [404, "this deployment is retired", true],
    [400, "this deployment is retired", false],
    [404, "this feature is deprecated", true],
    [410, "this feature is deprecated", false],
    [400, "Model gpt-4-0314 is deprecated", true],
    [400, "MODEL DISABLED by the operator", true],
    [400, "upstream timed out after 30 s", true],
    [400, "messages must not be empty", false],
    [401, "invalid api key", false],
    [404, "no such route", false],
  ])("%d %p: %p", (status, message, expected) => {
    expect(eligible(status, message)).toBe(expected);
  });

  test("the words may stand in the error code", () => {
    expect(eligible(404, "Not here", "model_not_found")).toBe(true);
    expect(eligible(400, "Not here", "model_not_found")).toBe(true);
  });

  test("429, every 5xx, timeouts and transport errors are", () => {
    expect([429, 500, 529].map((status) => eligible(status, "x"))).toEqual([true, true, true]);
    expect(
      [timeoutFailure(), transportFailure(), answerFailure].map((failure) => mayFailOver(failure, failover)),
    ).toEqual([true, true, true]);
  });

  test("a list without 5xx keeps a 502 of ours from failing over", () => {
    expect(mayFailOver(transportFailure(), { ...failover, statuses: statusList([429]), phrases: [] })).toBe(false);
  });

  test("a listed 408 and a numeric word with text work together", () => {
    const policy = {
      ...failover,
      statuses: statusList([408, "5xx"]),
      phrases: [["overloaded"], ["404", "deprecated"]],
    };
    expect(mayFailOver(statusFailure(408), policy)).toBe(true);
    expect(mayFailOver(statusFailure(429), policy)).toBe(false);
    expect(mayFailOver(statusFailure(400, { message: "Overloaded, sorry" }), policy)).toBe(true);
  });

  test("what stops a request never is", () => {
    const failures = [cancelledRequest("client-left"), cancelledRequest("deadline"), unexpectedError(0)];
    expect(failures.map((failure) => mayFailOver(failure, failover))).toEqual([false, false, false]);
  });
});

describe("every origin with a status that is in all three lists", () => {
  const table: Record<FailureOrigin, readonly [retry: boolean, verdict: string, failOver: boolean]> = {
    status: [true, "failure", true],
    transport: [true, "failure", true],
    timeout: [false, "failure", true],
    answer: [false, "failure", true],
    request: [false, "none", true],
    diverged: [false, "none", false],
    "circuit-open": [false, "none", true],
    "no-breaker-slot": [false, "none", true],
    cancelled: [false, "none", false],
    deadline: [false, "none", false],
    drain: [false, "none", false],
    bug: [false, "none", false],
  };
  for (const origin of Object.keys(table) as FailureOrigin[]) {
    const [retry, verdict, failOver] = table[origin];
    test(`${origin}: ${retry ? "retried" : "not retried"}, verdict ${verdict}, ${failOver ? "fails over" : "ends it"}`, () => {
      const failure = new Failure({ origin, status: 503, type: "provider_error", message: "x" });
      expect(mayRetry(failure, defaultRetry)).toBe(retry);
      expect<string>(verdictOfFailure(failure, defaultBreaker, false)).toBe(verdict);
      expect(mayFailOver(failure, failover)).toBe(failOver);
    });
  }
});
