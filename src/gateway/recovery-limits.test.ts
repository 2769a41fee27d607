import { describe, expect, test } from "bun:test";
import { answerOf, beginningOf, delta } from "../../test/support/chat-events.ts";
import { ChatProvider, type ChatProviderPolicy, type ChatScript } from "../../test/support/chat-provider.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { statusFailure } from "../../test/support/fake-provider.ts";
import { describeTurns } from "../../test/support/gateway-bench.ts";
import { recoveryBench } from "../../test/support/recovery-bench.ts";
import { Failure } from "../core/failure.ts";

const text = "The quick brown fox jumps over the lazy dog";
const delivered = "The quick brown fox";
const cut = (name: string, words: number): ChatScript => [...beginningOf(name, text, words), "CUT"];
const whole = (name: string): string[] => answerOf(name, text);
/** Says nothing for an hour. */
const silent: ChatScript = [3_600_000];

function setUp(
  scripts: readonly (readonly ChatScript[])[],
  policies: readonly ChatProviderPolicy[] = [],
  options: Parameters<typeof recoveryBench>[2] = {},
) {
  const clock = new FakeClock();
  const providers = scripts.map(
    (script, index) => new ChatProvider("abcdef"[index] ?? "z", clock, script, policies[index]),
  );
  return { clock, providers, bench: recoveryBench(clock, providers, options) };
}

describe("a caller who leaves", () => {
  test("while another target is asked: its call is closed, nobody else is asked, and the record is complete first", async () => {
    const { clock, providers, bench } = setUp([[cut("a", 4)], [silent], [whole("c")]]);
    const call = bench.stream({}, { deadlineMs: 60_000 });
    const bytes = call.bytes();
    await clock.advance(1000);
    const answer = await call.outcome;
    if (answer instanceof Failure) throw answer;
    call.cancellation.cancel("client-left");
    const { settled } = answer;
    if (settled === undefined) throw new Error("nothing is said to be going on");
    await settled;
    expect(call.record).toMatchObject({
      failure: { origin: "cancelled" },
      streamRecovery: undefined,
      answeredBy: { providerName: "a" },
    });
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated", "b/m: recovery 200 -> cancelled"]);
    expect(call.record.facts).toBeDefined();
    expect(await bytes).toContain(" fox");
    expect(providers[2]?.asked).toEqual([]);
    expect(clock.pending).toBe(0);
    expect([bench.breakerState("a"), bench.breakerState("b")]).toEqual(["closed", "closed"]);
  });

  test("without having asked for what comes after the break: everything is settled, what was used is known", async () => {
    const pieces = [beginningOf("a", text, 3).join("") + 'data: {"error":{"message":"oh","code":500}}\n\n'];
    const { clock, providers, bench } = setUp([[pieces], [whole("b")]]);
    const call = bench.stream({}, { deadlineMs: 60_000 });
    const answer = await call.outcome;
    if (answer instanceof Failure) throw answer;
    expect(bench.turnsEnded.length).toBe(1);
    expect(answer.settled).toBeUndefined();
    call.cancellation.cancel("client-left");
    expect(call.record).toMatchObject({ failure: { origin: "cancelled" }, streamRecovery: undefined });
    expect(call.record.facts).toBeDefined();
    expect(await answer.next()).toBeUndefined();
    expect(providers[1]?.asked).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

test("a caller who leaves while all goes well gets nothing more, and no other target is asked", async () => {
  const { clock, providers, bench } = setUp([[[...beginningOf("a", text, 4), 3_600_000]], [whole("b")]]);
  const call = bench.stream();
  const bytes = call.bytes();
  await clock.advance(1000);
  call.cancellation.cancel("client-left");
  expect(await bytes).toEndWith(beginningOf("a", text, 4).at(-1) ?? "");
  const answer = await call.outcome;
  if (answer instanceof Failure) throw answer;
  expect(answer.settled).toBeUndefined();
  expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> cancelled"]);
  expect(call.record).toMatchObject({ failure: { origin: "cancelled" }, streamError: undefined });
  expect(providers[1]?.asked).toEqual([]);
});

describe("our own end of it", () => {
  test.each(["deadline", "drain"] as const)("a %s while all goes well is one error event", async (reason) => {
    const { clock, providers, bench } = setUp([[[...beginningOf("a", text, 4), 3_600_000]], [whole("b")]]);
    const call = bench.stream({}, reason === "deadline" ? { deadlineMs: 5000 } : {});
    const seen = call.seen();
    await clock.advance(5000);
    if (reason === "drain") call.cancellation.cancel("drain");
    expect(await seen).toMatchObject({ text: delivered, terminals: 0, error: { code: "stream_incomplete" } });
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated"]);
    expect(call.record).toMatchObject({
      failure: { origin: reason },
      streamError: reason === "deadline" ? "request timed out" : "the gateway is shutting down",
      turns: [{ failure: { origin: reason }, attempts: [{ durationMs: 5000 }] }],
    });
    expect(providers[1]?.asked).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test.each(["deadline", "drain"] as const)("a %s while another target is asked is one error event", async (reason) => {
    const { clock, providers, bench } = setUp([[cut("a", 4)], [silent], [whole("c")]]);
    const call = bench.stream({}, reason === "deadline" ? { deadlineMs: 5000 } : {});
    const seen = call.seen();
    await clock.advance(5000);
    if (reason === "drain") call.cancellation.cancel("drain");
    expect(await seen).toMatchObject({ text: delivered, terminals: 0, error: { code: "stream_incomplete" } });
    expect(call.record).toMatchObject({ failure: { origin: reason }, streamRecovery: "exhausted" });
    expect(providers[2]?.asked).toEqual([]);
    expect(bench.breakerState("b")).toBe("closed");
    expect(clock.pending).toBe(0);
  });

  test("a deadline that passes before the caller asks for more is told when it does", async () => {
    const pieces = [beginningOf("a", text, 3).join("") + 'data: {"error":{"message":"oh","code":500}}\n\n'];
    const { clock, providers, bench } = setUp([[pieces], [whole("b")]]);
    const call = bench.stream({}, { deadlineMs: 5000 });
    await clock.advance(5000);
    expect(call.record.failure).toMatchObject({ origin: "deadline" });
    expect(await call.seen()).toMatchObject({ text: "The quick brown", error: { code: "stream_incomplete" } });
    expect(call.record.streamRecovery).toBe("exhausted");
    expect(providers[1]?.asked).toEqual([]);
  });

  test("a deadline that passes before the caller asks for what could not be gone on with says that", async () => {
    const call = delta("a", { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{" } }] });
    const pieces = [`${call}data: {"error":{"message":"oh","code":500}}\n\n`];
    const { clock, bench } = setUp([[pieces], [whole("b")]]);
    const asked = bench.stream({}, { deadlineMs: 5000 });
    await clock.advance(5000);
    expect(await asked.seen()).toMatchObject({ error: { code: "stream_incomplete" } });
    expect(asked.record.streamRecovery).toBe("impossible");
  });
});

test("a target whose circuit is open is skipped, the third finishes", async () => {
  const breaker = { failureThreshold: 1 };
  const { bench, providers } = setUp(
    [[cut("a", 4)], [statusFailure(500)], [whole("c")]],
    [{}, { breaker, retry: { maxRetries: 0 } }],
  );
  await bench.stream().bytes();
  const call = bench.stream();
  expect(await call.seen()).toMatchObject({ text, terminals: 1 });
  expect(describeTurns(call.record)).toEqual([
    "a/m: first 200 -> truncated",
    "b/m: -> skipped",
    "c/m: recovery 200 -> succeeded",
  ]);
  expect(providers[1]?.asked.length).toBe(1);
});

describe("attempts", () => {
  test("of a rescue are retried before their first event where streams are", async () => {
    const { bench, clock } = setUp(
      [[cut("a", 4)], [statusFailure(503), whole("b")]],
      [{}, { retry: { streaming: "before_first_event" } }],
    );
    const call = bench.stream();
    const seen = call.seen();
    await clock.advance(1000);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(describeTurns(call.record)[1]).toBe("b/m: recovery 503, recovery 200 -> succeeded");
  });

  test("after a refusal to go on are as many as without: a fresh start that fails is not repeated where streams are not", async () => {
    const { bench, providers, clock } = setUp(
      [[cut("a", 4)], [statusFailure(400), statusFailure(503)], [whole("c")]],
      [{}, { prefill: "prefill" }],
    );
    const seen = bench.stream().seen();
    await clock.advance(0);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(providers[1]?.asked.length).toBe(2);
    expect(clock.pending).toBe(0);
  });

  test("after a refusal to go on are retried as often as the policy says, that start not counted", async () => {
    const { bench, clock } = setUp(
      [[cut("a", 4)], [statusFailure(400), statusFailure(503), whole("b")]],
      [{}, { prefill: "prefill", retry: { streaming: "before_first_event", maxRetries: 1 } }],
    );
    const call = bench.stream();
    const seen = call.seen();
    await clock.advance(1000);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(describeTurns(call.record)[1]).toBe("b/m: recovery 400, recovery 503, recovery 200 -> succeeded");
  });

  test("are not retried once something has come, even if the caller had none of it", async () => {
    const { bench, providers } = setUp(
      [[cut("a", 4)], [cut("b", 2)], [whole("c")]],
      [{}, { retry: { streaming: "before_first_event" } }],
    );
    expect(await bench.stream().seen()).toMatchObject({ text, terminals: 1 });
    expect(providers[1]?.asked.length).toBe(1);
  });

  test("count over all turns: no target is asked when the request has had as many as it may", async () => {
    const limit = { maxAttemptsPerRequest: 2 };
    const { bench, providers } = setUp([[cut("a", 4)], [cut("b", 6)], [whole("c")]], [limit, limit, limit]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({
      text: "The quick brown fox jumps over",
      error: { code: "stream_incomplete" },
    });
    expect(call.record.streamRecovery).toBe("exhausted");
    expect(providers[2]?.asked).toEqual([]);
  });

  test("a refusal to go on is no way around that limit", async () => {
    const limit = { maxAttemptsPerRequest: 2, prefill: "prefill" as const };
    const { bench, providers } = setUp([[cut("a", 4)], [statusFailure(400), whole("b")]], [limit, limit]);
    expect(await bench.stream().seen()).toMatchObject({ text: delivered, error: { code: "stream_incomplete" } });
    expect(providers[1]?.asked.length).toBe(1);
  });

  test("of a rescue give way to another target after the limit on the first event, the last one's do not", async () => {
    const limits = { limits: { firstEventMs: 12_000 } };
    const { bench, providers, clock } = setUp(
      [[cut("a", 4)], [silent], [[20_000, ...whole("c")]]],
      [{}, limits, limits],
    );
    const seen = bench.stream().seen();
    await clock.advance(32_000);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(providers.map(({ asked }) => asked[0]?.giveWayAfterMs)).toEqual([0, 12_000, 0]);
  });

  test("of a rescue carry no key of the caller's", async () => {
    const { bench, providers } = setUp([[cut("a", 4)], [whole("b")]]);
    await bench.stream({}, { idempotencyKey: "k" }).bytes();
    expect(providers.map(({ asked }) => asked[0]?.idempotencyKey)).toEqual(["k", undefined]);
  });
});

test("a probe that has begun to repeat what was delivered has succeeded, before the caller gets any of it", async () => {
  const slow: ChatScript = [...beginningOf("b", text, 2), 60_000, ...answerOf("b", text).slice(3)];
  const { bench, clock } = setUp(
    [[cut("a", 4)], [statusFailure(500), slow]],
    [{}, { breaker: { failureThreshold: 1, successThreshold: 1, timeoutMs: 30_000 }, retry: { maxRetries: 0 } }],
  );
  await bench.stream().bytes();
  expect(bench.breakerState("b")).toBe("open");
  await clock.advance(30_000);
  const seen = bench.stream().seen();
  await clock.advance(1);
  expect(bench.breakerState("b")).toBe("closed");
  await clock.advance(60_000);
  expect(await seen).toMatchObject({ text, terminals: 1 });
});

test("an early answer whose stream breaks says so to whoever waits for its end", async () => {
  const { clock, bench } = setUp([[[20_000, ...beginningOf("a", text, 4), "CUT"]], [silent]], [], {
    earlyCommitAfterMs: 10_000,
  });
  const call = bench.stream();
  const bytes = call.bytes();
  await clock.advance(21_000);
  const answer = await call.outcome;
  if (answer instanceof Failure) throw answer;
  let isSettled = false;
  void answer.settled?.then(() => (isSettled = true));
  await clock.advance(1000);
  expect(isSettled).toBe(false);
  call.cancellation.cancel("client-left");
  await answer.settled;
  expect(call.record.failure).toMatchObject({ origin: "cancelled" });
  await bytes;
});
