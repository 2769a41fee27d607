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
import type { Failure } from "../core/failure.ts";

const whole: Script = { pieces: ["one", "DONE"] };
const fail = (failure: Failure): Script => ({ fail: failure });

function setUp(scripts: readonly Script[], policy: ConstructorParameters<typeof FakeProvider>[3] = {}) {
  const clock = new FakeClock();
  const retry = { streaming: "before_first_event", ...policy.retry } as const;
  const provider = new FakeProvider("a", clock, scripts, { ...policy, retry });
  return { clock, provider, bench: createBench(clock, [provider]) };
}

describe("a stream under before_first_event", () => {
  test.each([
    ["429", fail(statusFailure(429)), "first 429"],
    ["503", fail(statusFailure(503)), "first 503"],
    ["a transport error", fail(transportFailure()), "first failed"],
    ["a connection that breaks after the headers", { pieces: ["CUT"] }, "first 200"],
    ["a connection that breaks after comments", { pieces: [": ping", 100, ": ping", "CUT"] }, "first 200"],
    ["an error of status 429 as its first event", { pieces: ["ERR"] }, "first 429"],
  ] as const)("is sent again after %s, like any other call", async (_, script, first) => {
    const { clock, provider, bench } = setUp([script, whole]);
    const call = bench.call("a", { stream: true });
    await clock.advance(1100);
    expect(await call.text()).toBe("one DONE");
    expect(describeTurns(call.record)).toEqual([`a/m: ${first}, retry 200 -> succeeded`]);
    expect(provider.sent).toHaveLength(2);
    expect(bench.turnsEnded).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test("waits and gives up like any other call: four attempts, 1, 2 and 4 s apart", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503))]);
    const call = bench.call("a", { stream: true });
    await clock.advance(7000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(provider.sent.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000]);
  });

  test("waits as long as Retry-After says, and not at all when it says too much", async () => {
    const patient = setUp([fail(statusFailure(429, { retryAfterMs: 2000 })), whole]);
    const call = patient.bench.call("a", { stream: true });
    await patient.clock.advance(2000);
    expect(await call.text()).toBe("one DONE");
    expect(patient.provider.sent.map(({ at }) => at)).toEqual([0, 2000]);

    const long = setUp([fail(statusFailure(429, { retryAfterMs: 10_001 })), whole]);
    expect(await long.bench.call("a", { stream: true }).outcome).toMatchObject({ status: 429, retryAfterMs: 10_001 });
    expect(long.provider.sent).toHaveLength(1);
  });

  test.each([
    ["a status outside the list", fail(statusFailure(500)), 500],
    ["a local timeout", fail(timeoutFailure()), 504],
    ["a stream without an event", { pieces: [": ping", "EOF"] }, 502],
    ["a malformed first event", { pieces: ["BAD"] }, 502],
  ] as const)("is not sent again after %s, as no other call is", async (_, script, status) => {
    const { provider, bench } = setUp([script, whole]);
    expect(await bench.call("a", { stream: true }).outcome).toHaveProperty("status", status);
    expect(provider.sent).toHaveLength(1);
  });

  test.each(["CUT", "EOF", "ERR", "BAD"])("is never sent again after its first event: %s", async (end) => {
    const { clock, provider, bench } = setUp([{ pieces: ["one", end] }, whole]);
    const text = bench.call("a", { stream: true }).text();
    await clock.advance(60_000);
    expect(await text).toStartWith("one ");
    expect(provider.sent).toHaveLength(1);
  });

  test("as a probe is one attempt", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(500)), fail(statusFailure(503)), whole], {
      breaker: { failureThreshold: 1 },
    });
    await bench.call("a", { stream: true }).outcome;
    await clock.advance(30_000);
    expect(await bench.call("a", { stream: true }).outcome).toHaveProperty("status", 503);
    expect(provider.sent).toHaveLength(2);
    expect(bench.breakerState("a")).toBe("open");
  });

  test("has its Idempotency-Key on every attempt of the first turn", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503)), whole]);
    const call = bench.call("a", { stream: true, idempotencyKey: "key-1" });
    await clock.advance(1000);
    await call.text();
    expect(provider.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["key-1", "key-1"]);
  });

  test("whose caller leaves during the wait is not sent again", async () => {
    const { clock, provider, bench } = setUp([fail(statusFailure(503)), whole]);
    const call = bench.call("a", { stream: true });
    await clock.advance(500);
    call.cancellation.cancel("client-left");
    expect(await call.outcome).toHaveProperty("status", 499);
    await clock.advance(60_000);
    expect(provider.sent).toHaveLength(1);
  });

  test("that starts slowly only because of its retries is slow for the breaker", async () => {
    const { clock, bench } = setUp([fail(statusFailure(503)), whole], {
      breaker: { failureThreshold: 1, slowCallThresholdMs: 900 },
    });
    const call = bench.call("a", { stream: true });
    await clock.advance(1000);
    expect(await call.text()).toBe("one DONE");
    expect(bench.breakerState("a")).toBe("open");
  });
});
