import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Script, statusFailure } from "../../test/support/fake-provider.ts";
import { createBench } from "../../test/support/gateway-bench.ts";
import { Failure, invalidRequest } from "../core/failure.ts";
import type { Turn } from "../core/turn.ts";

/** At a time that is not zero, so that a difference and a sum are not the same. */
function setUp(scripts: readonly Script[], options: Parameters<typeof createBench>[2] = {}) {
  const clock = new FakeClock();
  clock.tick(1_000_000);
  const provider = new FakeProvider("a", clock, scripts);
  return { clock, provider, bench: createBench(clock, [provider], options) };
}

const route = {
  virtualModel: undefined,
  targets: [{ providerName: "a", model: "m" }],
  failover: true,
  streamRecovery: "off" as const,
};

describe("what is noted of a request", () => {
  test("of a stream: when its first event came, how long the attempt took until its end, who answered", async () => {
    const { clock, bench } = setUp([{ pieces: [700, "one", 300, "FIN", "DONE"], headersMs: 1000 }], {
      resolve: () =>
        new Promise((resolve) => {
          clock.schedule(50, () => resolve(route));
        }),
    });
    const call = bench.call("any", { stream: true });
    const text = call.text();
    await clock.advance(1750);
    expect(call.record).toMatchObject({ firstEventMs: 1750, facts: undefined, failure: undefined });
    await clock.advance(300);
    expect(await text).toBe("one FIN DONE");
    expect(call.record).toMatchObject({
      firstEventMs: 1750,
      answeredBy: { providerName: "a", model: "m" },
      facts: { usage: undefined, emptyReason: undefined },
      failure: undefined,
      streamError: undefined,
      turns: [{ establishedMs: 1700, attempts: [{ durationMs: 2000, firstEventMs: 1700, outcome: "succeeded" }] }],
    });
    expect(clock.pending).toBe(0);
  });

  test("of a buffered answer no first event", async () => {
    const { clock, bench } = setUp([{ pieces: ["whole"], headersMs: 1000, buffered: true }]);
    const call = bench.call("a");
    await clock.advance(1000);
    const answer = await call.outcome;
    expect(answer).toMatchObject({ whole: true, contentType: "application/json" });
    expect(call.record).toMatchObject({
      firstEventMs: undefined,
      turns: [{ establishedMs: 1000, attempts: [{ durationMs: 1000, firstEventMs: undefined }] }],
    });
  });

  test("of a stream that broke its failure in full, of one whose caller left no stream error", async () => {
    const cut = setUp([{ pieces: ["one", "CUT"] }]).bench.call("a", { stream: true });
    await cut.text();
    expect(cut.record.failure).toMatchObject({ origin: "transport", message: cut.record.streamError ?? "" });
    const { bench } = setUp([{ pieces: ["one", 60_000, "DONE"] }]);
    const left = bench.call("a", { stream: true });
    expect(await left.outcome).toHaveProperty("whole", false);
    left.cancellation.cancel("client-left");
    expect(left.record).toMatchObject({ failure: { origin: "cancelled" }, streamError: undefined });
  });

  test("of a request without an answer what the caller is told", async () => {
    const { bench } = setUp([{ fail: statusFailure(400) }]);
    const call = bench.call("a");
    expect(await call.outcome).toBe(call.record.failure!);
  });
});

describe("a request that no target is called for", () => {
  test("is answered with the router's failure", async () => {
    const failure = invalidRequest("unsupported model: x");
    for (const resolve of [() => failure, () => Promise.resolve(failure)]) {
      const { bench, provider } = setUp([], { resolve });
      const call = bench.call("x");
      expect(await call.outcome).toBe(failure);
      expect(provider.sent).toEqual([]);
      expect(bench.turnsStarted).toBe(0);
    }
  });

  test("is a 500 when the router throws or names a provider that does not exist", async () => {
    const throwing = setUp([], {
      resolve: () => {
        throw new TypeError("oops");
      },
    });
    expect(await throwing.bench.call("x").outcome).toMatchObject({ origin: "bug", status: 500 });
    const failure = await setUp([]).bench.call("nobody").outcome;
    expect(failure).toMatchObject({ origin: "bug", status: 500 });
    expect(failure instanceof Failure && String(failure.cause)).toBe(
      "Error: the route names an unknown provider: nobody",
    );
  });

  test("opens no turn when its caller left during the look-up", async () => {
    const { clock, bench } = setUp([], {
      resolve: () =>
        new Promise((resolve) => {
          clock.schedule(50, () => resolve(route));
        }),
    });
    const call = bench.call("x");
    await clock.advance(49);
    call.cancellation.cancel("client-left");
    await clock.advance(1);
    expect(await call.outcome).toHaveProperty("status", 499);
    expect(call.record.turns).toEqual([]);
  });
});

describe("the deadline", () => {
  test("counts from the request and is off once the answer has ended", async () => {
    const slow = setUp([{ pieces: ["whole"], headersMs: 60_000, buffered: true }]);
    const call = slow.bench.call("a", { deadlineMs: 5000 });
    await slow.clock.advance(4999);
    expect(call.cancellation.reason).toBeUndefined();
    await slow.clock.advance(1);
    expect(call.cancellation.reason).toBe("deadline");
    const quick = setUp([{ pieces: ["whole"], buffered: true }]);
    await quick.bench.call("a", { deadlineMs: 5000 }).text();
    expect(quick.clock.pending).toBe(0);
  });
});

describe("an event that is none", () => {
  test.each([
    [false, "off", true],
    [true, "continue", true],
    [true, "buffer", true],
    [false, "continue", false],
    [false, "buffer", false],
  ] as const)("is left out: %p, with stream_recovery %s and stream %p", async (leftOut, streamRecovery, stream) => {
    const { bench, provider } = setUp([{ pieces: ["one", "DONE"], buffered: !stream }], { streamRecovery });
    await bench.call("a", { stream }).text();
    expect(provider.sent.map(({ skipMalformed }) => skipMalformed)).toEqual([leftOut]);
  });
});

describe("the advice not to repeat", () => {
  const limited = statusFailure(429, { retryAfterMs: 30_000 });
  const turn = (providerName: string): Turn => ({
    target: { providerName, model: "m" },
    startedAt: 0,
    attempts: [],
    outcome: "failed",
    failure: limited,
    committed: false,
    establishedMs: undefined,
  });

  test("goes by the max_retry_after of the provider that had the last turn", () => {
    const clock = new FakeClock();
    const hasty = new FakeProvider("hasty", clock, [], { retry: { maxRetryAfterMs: 10_000 } });
    const patient = new FakeProvider("patient", clock, [], { retry: { maxRetryAfterMs: 30_000 } });
    const { isRepeatUseless } = createBench(clock, [hasty, patient]);
    expect(isRepeatUseless(limited, [turn("hasty")])).toBe(false);
    expect(isRepeatUseless(limited, [turn("patient")])).toBe(true);
    expect(isRepeatUseless(limited, [turn("patient"), turn("hasty")])).toBe(false);
    expect(isRepeatUseless(limited, [turn("hasty"), turn("patient")])).toBe(true);
  });

  test("is not given for a request that nobody was asked about", () => {
    expect(setUp([]).bench.isRepeatUseless(statusFailure(503), [])).toBe(false);
  });
});
