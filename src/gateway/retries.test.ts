import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import {
  FakeProvider,
  type Script,
  statusFailure,
  timeoutFailure,
  transportFailure,
} from "../../test/support/fake-provider.ts";
import { createBench, describeTurns } from "../../test/support/gateway-bench.ts";
import { Failure } from "../core/failure.ts";
import { statusList } from "../core/http-status.ts";

const ok: Script = { pieces: ["whole"], buffered: true };
const fail = (failure: Failure): Script => ({ fail: failure });

function setUp(scripts: readonly Script[], policy: ConstructorParameters<typeof FakeProvider>[3] = {}) {
  const clock = new FakeClock();
  const provider = new FakeProvider("a", clock, scripts, policy);
  return { clock, provider, bench: createBench(clock, [provider]) };
}

describe("retries", () => {
  test("429, 429, 200: three attempts, one answer, one turn", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(429)), fail(statusFailure(429)), ok]);
    const call = bench.call("a");
    await clock.advance(3000);
    expect(await call.text()).toBe("whole");
    expect(provider.sent.map(({ at }) => at)).toEqual([0, 1000, 3000]);
    expect(describeTurns(call.record)).toEqual(["a/m: first 429, retry 429, retry 200 -> succeeded"]);
    expect(bench.turnsEnded).toHaveLength(1);
  });

  test("503 for ever: four attempts, the last error, one failure for the breaker", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503))]);
    for (let request = 1; request <= 5; request++) {
      const call = bench.call("a");
      await clock.advance(7000);
      expect(await call.outcome).toHaveProperty("status", 503);
      expect(provider.sent).toHaveLength(4 * request);
      expect(bench.breakerState("a")).toBe(request < 5 ? "closed" : "open");
    }
  });

  test("what can be left out is left out at once, without its key, and the refusal counts for nothing", async () => {
    const refused: Script = { fail: statusFailure(400, { message: "Invalid signature" }), reducible: true };
    const { provider, bench } = setUp([refused, ok], { retry: { maxRetries: 0 }, breaker: { failureThreshold: 1 } });
    const call = bench.call("a", { idempotencyKey: "k" });
    expect(await call.text()).toBe("whole");
    expect(provider.sent.map(({ at, idempotencyKey }) => [at, idempotencyKey])).toEqual([
      [0, "k"],
      [0, undefined],
    ]);
    expect(describeTurns(call.record)).toEqual(["a/m: first 400, retry 200 -> succeeded"]);
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("what can be left out is sent nowhere when the request has had its attempts", async () => {
    const refused: Script = { fail: statusFailure(400), reducible: true };
    const { provider, bench } = setUp([refused, ok], { maxAttemptsPerRequest: 1 });
    expect(await bench.call("a").outcome).toHaveProperty("status", 400);
    expect(provider.sent).toHaveLength(1);
  });

  test("500 is answered after one attempt", async () => {
    const { provider, bench } = setUp([fail(statusFailure(500))]);
    expect(await bench.call("a").outcome).toHaveProperty("status", 500);
    expect(provider.sent).toHaveLength(1);
  });

  test("transport errors are retried, a local timeout is not", async () => {
    const first = setUp([fail(transportFailure()), ok]);
    const call = first.bench.call("a");
    await first.clock.advance(1000);
    expect(await call.text()).toBe("whole");

    const second = setUp([fail(timeoutFailure()), ok]);
    expect(await second.bench.call("a").outcome).toHaveProperty("status", 504);
    expect(second.provider.sent).toHaveLength(1);
  });

  test("max_retries 0 is exactly one attempt", async () => {
    const { provider, bench } = setUp([fail(statusFailure(503)), ok], { retry: { maxRetries: 0 } });
    expect(await bench.call("a").outcome).toHaveProperty("status", 503);
    expect(provider.sent).toHaveLength(1);
  });

  test("an empty status list still retries a reset", async () => {
    const { clock, provider, bench } = setUp([fail(transportFailure()), fail(statusFailure(503))], {
      retry: { retryOnStatuses: statusList([]) },
    });
    const call = bench.call("a");
    await clock.advance(1000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(provider.sent).toHaveLength(2);
  });

  test("a stream is never sent twice", async () => {
    const { provider, bench } = setUp([fail(statusFailure(503)), { pieces: ["word", "DONE"] }]);
    expect(await bench.call("a", { stream: true }).outcome).toHaveProperty("status", 503);
    expect(provider.sent).toHaveLength(1);
  });

  test("Retry-After of two seconds is waited out instead of the shorter back-off", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(429, { retryAfterMs: 2000 })), ok]);
    const call = bench.call("a");
    await clock.advance(2000);
    expect(await call.text()).toBe("whole");
    expect(provider.sent.map(({ at }) => at)).toEqual([0, 2000]);
  });

  test("a longer Retry-After than max_retry_after ends the turn at once and is handed on", async () => {
    const { provider, bench } = setUp([fail(statusFailure(429, { retryAfterMs: 11_000 })), ok]);
    expect(await bench.call("a").outcome).toMatchObject({ status: 429, retryAfterMs: 11_000 });
    expect(provider.sent).toHaveLength(1);
  });

  test("the idempotency key goes with every attempt of the first turn and with no failover", async () => {
    const clock = new FakeClock();
    const first = new FakeProvider("a", clock, [fail(statusFailure(503))], { retry: { maxRetries: 1 } });
    const second = new FakeProvider("b", clock, [ok]);
    const bench = createBench(clock, [first, second]);
    const call = bench.call("a,b", { idempotencyKey: "key-1" });
    await clock.advance(1000);
    expect(await call.text()).toBe("whole");
    expect(first.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["key-1", "key-1"]);
    expect(second.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined]);
  });
});

describe("the request deadline", () => {
  test("a wait that would end after it is not begun, and the last error is answered", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503))]);
    const call = bench.call("a", { deadlineMs: 2500 });
    await clock.advance(1000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(provider.sent.map(({ at }) => at)).toEqual([0, 1000]);
    expect(clock.pending).toBe(0);
  });

  test("an attempt that is cut by it ends in 504 request_timeout without a verdict", async () => {
    const { clock, bench } = setUp([{ ...ok, headersMs: 60_000 }], { breaker: { failureThreshold: 1 } });
    const call = bench.call("a", { deadlineMs: 5000 });
    await clock.advance(5000);
    expect(await call.outcome).toMatchObject({ status: 504, code: "request_timeout", message: "request timed out" });
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("a stream that is cut by it ends in stream_incomplete without a verdict", async () => {
    const { clock, bench } = setUp([{ pieces: ["word", 60_000, "DONE"] }], { breaker: { failureThreshold: 1 } });
    const call = bench.call("a", { stream: true, deadlineMs: 5000 });
    const text = call.text();
    await clock.advance(5000);
    expect(await text).toBe("word !stream_incomplete: request timed out");
    expect(bench.breakerState("a")).toBe("closed");
    expect(clock.pending).toBe(0);
  });
});

describe("the caller leaves", () => {
  test("during back-off: no further attempt, 499, no verdict", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503)), ok], { breaker: { failureThreshold: 1 } });
    const call = bench.call("a");
    await clock.advance(500);
    call.cancellation.cancel("client-left");
    expect(await call.outcome).toMatchObject({ status: 499, code: "request_canceled", message: "request canceled" });
    await clock.advance(60_000);
    expect(provider.sent).toHaveLength(1);
    expect(bench.breakerState("a")).toBe("closed");
    expect(clock.pending).toBe(0);
  });

  test.each([
    { phase: "waiting for headers", script: { pieces: ["word", "DONE"], headersMs: 60_000 }, stream: true },
    { phase: "waiting for the first event", script: { pieces: [60_000, "word", "DONE"] }, stream: true },
    { phase: "waiting for a buffered answer", script: { pieces: [60_000, "whole"], buffered: true }, stream: false },
  ] as const)("while $phase: 499 and no verdict", async ({ script, stream }) => {
    const { clock, bench } = setUp([script], { breaker: { failureThreshold: 1 } });
    const call = bench.call("a", { stream });
    await clock.advance(100);
    call.cancellation.cancel("client-left");
    expect(await call.outcome).toHaveProperty("status", 499);
    expect(call.record.turns.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("while relaying: the upstream is closed and the turn ends at once, also when nobody pulls", async () => {
    const { clock, provider, bench } = setUp([{ pieces: ["word", 60_000, "DONE"] }], {
      breaker: { failureThreshold: 1 },
    });
    const call = bench.call("a", { stream: true });
    const answer = await call.outcome;
    expect(answer).not.toBeInstanceOf(Failure);
    call.cancellation.cancel("client-left");
    expect(provider.cancelled).toBe(1);
    expect(bench.turnsEnded.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    await clock.advance(60_000);
    expect(bench.turnsEnded).toHaveLength(1);
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("64 callers leaving at once do not open the breaker", async () => {
    const { clock, bench } = setUp([{ ...ok, headersMs: 1000 }]);
    const calls = Array.from({ length: 64 }, () => bench.call("a"));
    await clock.advance(10);
    for (const call of calls) call.cancellation.cancel("client-left");
    await Promise.all(calls.map((call) => call.outcome));
    expect(bench.breakerState("a")).toBe("closed");
    const next = bench.call("a");
    await clock.advance(1000);
    expect(await next.text()).toBe("whole");
  });

  test("before the next target: it is not called", async () => {
    const clock = new FakeClock();
    const first = new FakeProvider("a", clock, [{ fail: statusFailure(500), afterMs: 10 }]);
    const second = new FakeProvider("b", clock, [ok]);
    const bench = createBench(clock, [first, second]);
    const request = bench.call("a,b");
    await clock.advance(9);
    // The failure arrives and the caller leaves before anything can react to either.
    clock.tick(1);
    request.cancellation.cancel("client-left");
    expect(await request.outcome).toHaveProperty("status", 499);
    expect(second.sent).toHaveLength(0);
  });
});
