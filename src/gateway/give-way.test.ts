import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Script, statusFailure } from "../../test/support/fake-provider.ts";
import { createBench, describeTurns } from "../../test/support/gateway-bench.ts";
import { statusList } from "../core/http-status.ts";

type Policy = ConstructorParameters<typeof FakeProvider>[3];

const limits = { firstEventMs: 12_000, answerMs: 120_000 };
const whole: Script = { pieces: ["one", "DONE"] };
const answer: Script = { pieces: ["whole"], buffered: true };
const silent: Script = { pieces: [3_600_000, "late", "DONE"] };

/** Providers a, b, ... with these scripts; one failed turn opens a circuit for half a minute. */
function setUp(
  scripts: readonly (readonly Script[])[],
  options: Parameters<typeof createBench>[2] = {},
  policy: Policy = {},
) {
  const clock = new FakeClock();
  const providers = scripts.map((script, index) => {
    const retry = { streaming: "before_first_event", ...policy.retry } as const;
    return new FakeProvider("abcdef".charAt(index), clock, script, { limits, ...policy, retry });
  });
  const sent = (name: string) => providers.find((provider) => provider.name === name)?.sent ?? [];
  return { clock, sent, bench: createBench(clock, providers, options) };
}

const first = (sent: readonly { giveWayAfterMs: number }[]) => sent.map(({ giveWayAfterMs }) => giveWayAfterMs);

describe("http.first_event_timeout", () => {
  test("ends a silent target's attempt as a 504 without a retry, and the next one answers", async () => {
    const { clock, sent, bench } = setUp([[silent], [whole]], {}, { breaker: { failureThreshold: 1 } });
    const call = bench.call("a,b", { stream: true });
    await clock.advance(11_999);
    expect(sent("b")).toHaveLength(0);
    await clock.advance(1);
    expect(await call.text()).toBe("one DONE");
    expect(describeTurns(call.record)).toEqual(["a/m: first 504 -> failed", "b/m: failover 200 -> succeeded"]);
    expect(sent("a")).toHaveLength(1);
    expect(bench.breakerState("a")).toBe("open");
    expect(clock.pending).toBe(0);
  });

  test("is not stopped by comments", async () => {
    const pieces = Array.from({ length: 40 }, () => [1000, ": ping"]).flat();
    const { clock, bench } = setUp([[{ pieces: [...pieces, "late", "DONE"] }], [whole]]);
    const call = bench.call("a,b", { stream: true });
    await clock.advance(12_000);
    expect(await call.text()).toBe("one DONE");
  });

  test("is over with the first event: what comes late after it is waited for", async () => {
    const { clock, bench } = setUp([[{ pieces: [11_000, "one", 60_000, "DONE"] }], [whole]]);
    const text = bench.call("a,b", { stream: true }).text();
    await clock.advance(71_000);
    expect(await text).toBe("one DONE");
  });

  test("does not hold for the last target, which may be as slow as it likes", async () => {
    const slow: Script = { pieces: [20_000, "one", "DONE"] };
    const { clock, sent, bench } = setUp([[silent], [slow]]);
    const call = bench.call("a,b", { stream: true });
    await clock.advance(32_000);
    expect(await call.text()).toBe("one DONE");
    expect([first(sent("a")), first(sent("b"))]).toEqual([[12_000], [0]]);
  });

  test("does not hold for a buffered call", async () => {
    const { sent, bench } = setUp([[answer], [answer]], {}, { limits: { firstEventMs: 12_000 } });
    await bench.call("a,b").text();
    expect(first(sent("a"))).toEqual([0]);
  });

  test("starts anew with a retry in the same turn", async () => {
    const late: Script = { fail: statusFailure(503), afterMs: 11_000 };
    const slow: Script = { pieces: [11_000, "one", "DONE"] };
    const { clock, sent, bench } = setUp([[late, slow], [whole]]);
    const call = bench.call("a,b", { stream: true });
    await clock.advance(23_000);
    expect(await call.text()).toBe("one DONE");
    expect(first(sent("a"))).toEqual([12_000, 12_000]);
    expect(sent("b")).toHaveLength(0);
  });

  test("is each provider's own", async () => {
    const clock = new FakeClock();
    const hasty = new FakeProvider("a", clock, [silent], { limits: { firstEventMs: 500 } });
    const patient = new FakeProvider("b", clock, [silent], { limits: { firstEventMs: 2000 } });
    const calm = new FakeProvider("c", clock, [whole]);
    const call = createBench(clock, [hasty, patient, calm]).call("a,b,c", { stream: true });
    await clock.advance(2500);
    expect(await call.text()).toBe("one DONE");
    expect([patient, calm].map(({ sent }) => sent[0]?.at)).toEqual([500, 2500]);
  });
});

describe("http.answer_timeout", () => {
  test("ends a buffered call whose headers do not come, and the next target answers", async () => {
    const { clock, sent, bench } = setUp([[{ ...answer, headersMs: 3_600_000 }], [answer]]);
    const call = bench.call("a,b");
    await clock.advance(119_999);
    expect(sent("b")).toHaveLength(0);
    await clock.advance(1);
    expect(await call.text()).toBe("whole");
    expect(describeTurns(call.record)).toEqual(["a/m: first 504 -> failed", "b/m: failover 200 -> succeeded"]);
  });

  test("is over with the headers: the body may take longer", async () => {
    const { clock, sent, bench } = setUp([[{ pieces: [300_000, "whole"], buffered: true }], [answer]]);
    const call = bench.call("a,b");
    await clock.advance(300_000);
    expect(await call.text()).toBe("whole");
    expect(sent("b")).toHaveLength(0);
  });

  test("does not hold for the last target", async () => {
    const { sent, bench } = setUp([[{ fail: statusFailure(500) }], [answer]]);
    await bench.call("a,b").text();
    expect([first(sent("a")), first(sent("b"))]).toEqual([[120_000], [0]]);
  });
});

describe("no other target is left, so a target is waited for,", () => {
  test.each([
    ["when there is only one", "a", {}],
    ["when failover is off", "a,b", { failover: { enabled: false } }],
    ["when the virtual model only distributes", "a,b", { routeFailover: false }],
    ["when a 504 does not fail over", "a,b", { failover: { statuses: statusList([429, 503]) } }],
  ] as const)("%s", async (_, model, options) => {
    const { sent, bench } = setUp([[whole], [whole]], options);
    await bench.call(model, { stream: true }).text();
    expect(first(sent("a"))).toEqual([0]);
  });

  test.each([
    [12_000, ["request", "timed", "out"]],
    [12_000, ["request_timeout"]],
    [0, ["connection", "refused"]],
  ])("or given up on after %i ms when only %p fails over, by the words of that 504", async (limitMs, phrase) => {
    const { sent, bench } = setUp([[whole], [whole]], { failover: { statuses: statusList([429]), phrases: [phrase] } });
    await bench.call("a,b", { stream: true }).text();
    expect(first(sent("a"))).toEqual([limitMs]);
  });

  test("when max_attempts of failover are used up", async () => {
    const { sent, bench } = setUp([[{ fail: statusFailure(500) }], [whole], [whole]], { failover: { maxAttempts: 1 } });
    await bench.call("a,b,c", { stream: true }).text();
    expect([first(sent("a")), first(sent("b"))]).toEqual([[12_000], [0]]);
  });

  test("when this attempt is the last that the request may have", async () => {
    const { sent, bench } = setUp([[{ fail: statusFailure(500) }], [whole], [whole]], {}, { maxAttemptsPerRequest: 2 });
    await bench.call("a,b,c", { stream: true }).text();
    expect([first(sent("a")), first(sent("b"))]).toEqual([[12_000], [0]]);
  });

  test("when the circuits of all others refuse calls at the moment, and given up on when one of them takes calls again", async () => {
    const { clock, sent, bench } = setUp(
      [[whole], [{ fail: statusFailure(500) }]],
      {},
      { breaker: { failureThreshold: 1 } },
    );
    expect(await bench.call("b").outcome).toHaveProperty("status", 500);
    expect(bench.breakerState("b")).toBe("open");
    await bench.call("a,b", { stream: true }).text();
    await clock.advance(30_000);
    await bench.call("a,b", { stream: true }).text();
    expect(first(sent("a"))).toEqual([0, 12_000]);
    expect(bench.breakerState("b")).toBe("open");
  });

  test("and an embeddings call stays with its target", async () => {
    const { sent, bench } = setUp([[answer], [answer]]);
    await bench.call("a,b", { operation: "embeddings" }).text();
    expect(first(sent("a"))).toEqual([0]);
  });
});
