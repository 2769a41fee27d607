import { describe, expect, test } from "bun:test";
import { answerOf, beginningOf, delta, errorEvent, malformed } from "../../test/support/chat-events.ts";
import { type ChatAsked, ChatProvider, type ChatScript } from "../../test/support/chat-provider.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { statusFailure, transportFailure } from "../../test/support/fake-provider.ts";
import { describeTurns } from "../../test/support/gateway-bench.ts";
import { recoveryBench } from "../../test/support/recovery-bench.ts";
import { Failure } from "../core/failure.ts";

const text = "The quick brown fox jumps over the lazy dog";
const wantsUsage = { stream_options: { include_usage: true } };

/** What broke behind so many words. */
const cut = (name: string, words: number): ChatScript => [...beginningOf(name, text, words), "CUT"];
const whole = (name: string): ChatScript => answerOf(name, text);
/** Goes on behind what it was given, or says all of it. */
const goesOn =
  (name: string) =>
  ({ prefill }: ChatAsked): ChatScript =>
    answerOf(name, text.slice(prefill?.length ?? 0));

function setUp(
  scripts: readonly (readonly ChatScript[] | ((asked: ChatAsked, call: number) => ChatScript))[],
  policies: readonly ConstructorParameters<typeof ChatProvider>[3][] = [],
  options: Parameters<typeof recoveryBench>[2] = {},
) {
  const clock = new FakeClock();
  const providers = scripts.map(
    (script, index) => new ChatProvider("abcdef"[index] ?? "z", clock, script, policies[index]),
  );
  return { clock, providers, bench: recoveryBench(clock, providers, options) };
}

/** The same streams without stream recovery. */
async function classicBytes(scripts: readonly (readonly ChatScript[])[]): Promise<string> {
  return setUp(scripts, [], { streamRecovery: "off" }).bench.stream().bytes();
}

describe("a stream that breaks", () => {
  test("is finished by the second target from nothing: each word once, one role, one identity, one end", async () => {
    const { bench, providers } = setUp([[cut("a", 4)], [whole("b")]]);
    const call = bench.stream();
    expect(await call.seen()).toEqual({
      text,
      ids: ["id-a"],
      roles: 1,
      finishes: 1,
      terminals: 1,
      comments: 0,
      usage: undefined,
      error: undefined,
    });
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated", "b/m: recovery 200 -> succeeded"]);
    expect(call.record).toMatchObject({
      streamRecovery: "recovered",
      failure: undefined,
      streamError: undefined,
      answeredBy: { providerName: "b", model: "m" },
    });
    expect(providers[1]?.asked[0]?.prefill).toBeUndefined();
    expect(bench.turnsEnded.length).toBe(2);
  });

  test.each([
    ["a reset", "CUT"],
    ["our limit on silence", "IDLE"],
    ["an end without a finish", undefined],
    ["an error event", errorEvent],
    ["a finish reason of error", delta("a", {}, "error")],
    ["half an event", 'data: {"id":"id-a","choi'],
  ])("by %s is finished all the same", async (_, end) => {
    const { bench } = setUp([[[...beginningOf("a", text, 4), ...(end === undefined ? [] : [end])]], [whole("b")]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text, terminals: 1, error: undefined });
    expect(call.record.streamRecovery).toBe("recovered");
  });

  test("is finished whatever status its error event carries, but not when that is a refusal of its content", async () => {
    const ends = (error: object): ChatScript => [
      ...beginningOf("a", text, 4),
      `data: ${JSON.stringify({ error })}\n\n`,
    ];
    const denied = setUp([[ends({ message: "bad key", code: 401 })], [whole("b")]]);
    expect(await denied.bench.stream().seen()).toMatchObject({ text, error: undefined });
    const filtered = setUp([[ends({ message: "no", code: "content_filter" })], [whole("b")]]);
    expect(await filtered.bench.stream().seen()).toMatchObject({ terminals: 0, error: { code: "content_filter" } });
    expect(filtered.providers[1]?.asked).toEqual([]);
  });

  test("once more at the second target is finished by the third", async () => {
    const { bench } = setUp([[cut("a", 2)], [cut("b", 6)], [whole("c")]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text, ids: ["id-a"], roles: 1, terminals: 1 });
    expect(describeTurns(call.record)).toEqual([
      "a/m: first 200 -> truncated",
      "b/m: recovery 200 -> truncated",
      "c/m: recovery 200 -> succeeded",
    ]);
    expect(call.record.brokenParts.map(({ target }) => target.providerName)).toEqual(["a", "b"]);
  });

  test("is finished by the third target when the second breaks before it has caught up", async () => {
    const { bench } = setUp([[cut("a", 6)], [cut("b", 3)], [whole("c")]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text, ids: ["id-a"], terminals: 1 });
    expect(describeTurns(call.record)[1]).toBe("b/m: recovery 200 -> failed");
    expect(call.record.brokenParts.map(({ target }) => target.providerName)).toEqual(["a", "b"]);
  });

  test("before its first word is finished by any text", async () => {
    const { bench } = setUp([[cut("a", 0)], [answerOf("b", "Something else")]]);
    expect(await bench.stream().seen()).toMatchObject({ text: "Something else", ids: ["id-a"], roles: 1 });
  });

  test("counts at the breaker of who broke it, and as a success at who finished it", async () => {
    const { bench } = setUp([[cut("a", 4)], [whole("b")]], [{ breaker: { failureThreshold: 1 } }]);
    await bench.stream().bytes();
    expect([bench.breakerState("a"), bench.breakerState("b")]).toEqual(["open", "closed"]);
  });

  test("keeps the words of a provider's error event from the caller when another goes on", async () => {
    const { bench } = setUp([[[...beginningOf("a", text, 4), errorEvent]], [whole("b")]]);
    expect(await bench.stream().bytes()).not.toContain("overloaded");
  });
});

describe("what is noted of a stream that was gone on with", () => {
  test("is how long each attempt took, why the first one ended, and that it is over", async () => {
    const clock = new FakeClock();
    clock.tick(1_000_000);
    const [head = "", ...tail] = beginningOf("a", text, 4);
    const [first = "", ...rest] = answerOf("b", text);
    const bench = recoveryBench(clock, [
      new ChatProvider("a", clock, [[700, head, 300, ...tail, "CUT"]]),
      new ChatProvider("b", clock, [[200, first, ...rest.slice(0, 5), 60, ...rest.slice(5)]]),
    ]);
    const call = bench.stream();
    const seen = call.seen();
    await clock.advance(700);
    const answer = await call.outcome;
    if (answer instanceof Failure) throw answer;
    expect(answer).toMatchObject({ whole: false, settled: undefined });
    await clock.advance(301);
    expect(answer.settled).toBeInstanceOf(Promise);
    await clock.advance(259);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(answer).toMatchObject({ whole: true, settled: undefined });
    expect(call.record.turns).toMatchObject([
      { outcome: "truncated", failure: { origin: "transport" }, attempts: [{ durationMs: 1000 }] },
      { outcome: "succeeded", failure: undefined, attempts: [{ durationMs: 260 }] },
    ]);
  });
});

describe("nobody goes on", () => {
  test("when the second target says something else: one error event, no verdict on it, and the third is not asked", async () => {
    const { bench, providers } = setUp(
      [[cut("a", 4)], [answerOf("b", "The quick brown cat")], [whole("c")]],
      [{}, { breaker: { failureThreshold: 1 } }],
    );
    const call = bench.stream();
    const seen = await call.seen();
    expect(seen).toMatchObject({ text: "The quick brown fox", terminals: 0, error: { code: "stream_incomplete" } });
    expect(seen.error?.message).toContain("differs from what was delivered");
    expect(call.record.streamError).toBe(seen.error?.message ?? "");
    expect(call.record).toMatchObject({ streamRecovery: "diverged", answeredBy: { providerName: "a" } });
    expect(describeTurns(call.record)[1]).toBe("b/m: recovery 502 -> failed");
    expect(bench.breakerState("b")).toBe("closed");
    expect(providers[1]?.cancelled).toBe(1);
    expect(providers[2]?.asked).toEqual([]);
  });

  test("when the second target has finished after less than was delivered", async () => {
    const { bench } = setUp([[cut("a", 4)], [answerOf("b", "The quick")]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text: "The quick brown fox", error: { code: "stream_incomplete" } });
    expect(call.record.streamRecovery).toBe("diverged");
  });

  test("when all that are left fail after a provider's own error event: an event of ours, not that one", async () => {
    const { bench } = setUp([[[...beginningOf("a", text, 4), errorEvent]], [statusFailure(500)]]);
    const { error } = await bench.stream().seen();
    expect(error).toMatchObject({ code: "stream_incomplete", message: "overloaded" });
  });

  test("when the route names a provider that there is none of: the mistake is ours, and told as such", async () => {
    const targets = ["a", "nobody"].map((providerName) => ({ providerName, model: "m" }));
    const route = { virtualModel: "vm", targets, failover: true, streamRecovery: "continue" as const };
    const { bench, clock } = setUp([[cut("a", 4)]], [], { resolve: () => route });
    const call = bench.stream({}, { deadlineMs: 60_000 });
    expect(await call.seen()).toMatchObject({
      text: "The quick brown fox",
      error: { code: "stream_incomplete", message: "an unexpected error occurred" },
    });
    expect(call.record).toMatchObject({ streamRecovery: "exhausted", failure: { origin: "bug" } });
    expect(clock.pending).toBe(0);
  });

  const role = delta("a", { role: "assistant", content: "" });
  const call = delta("a", { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{" } }] });
  test.each([
    ["tool calls", [role, call, "CUT"]],
    ["reasoning", [role, delta("a", { reasoning_content: "hm" }), delta("a", { content: "The" }), "CUT"]],
    ["a refusal", [role, delta("a", { refusal: "I" }), errorEvent]],
    ["a finish reason, before an error", [...answerOf("a", text).slice(0, -2), errorEvent]],
    ["another choice", [role, delta("a", { content: "x" }).replace('"index":0', '"index":1'), "CUT"]],
  ] as const)("when %s went out: to the byte what there is without stream recovery", async (_, pieces) => {
    const { bench, providers } = setUp([[pieces], [whole("b")]]);
    const asked = bench.stream();
    expect(await asked.bytes()).toBe(await classicBytes([[pieces], [whole("b")]]));
    expect(asked.record.streamRecovery).toBe("impossible");
    expect(providers[1]?.asked).toEqual([]);
  });

  test.each([
    ["cut", [...beginningOf("b", text, 4), "CUT"]],
    ["error event", [...beginningOf("b", text, 4), errorEvent]],
    ["named error event", [...beginningOf("b", text, 4), 'event: error\ndata: {"oh":1}\n\n']],
  ] as const)("when no target is left: after a %s to the byte what there is without", async (_, pieces) => {
    const scripts = [[statusFailure(503)], [pieces]];
    const { bench } = setUp(scripts, [{ retry: { maxRetries: 0 } }]);
    const asked = bench.stream();
    expect(await asked.bytes()).toBe(await classicBytes(scripts));
    expect(asked.record).toMatchObject({ streamRecovery: "exhausted", answeredBy: { providerName: "b" } });
  });

  test("when all that are left fail: the reason of the break, once", async () => {
    const { bench } = setUp([[cut("a", 4)], [statusFailure(500)], [transportFailure()]]);
    const asked = bench.stream();
    expect(await asked.seen()).toMatchObject({
      text: "The quick brown fox",
      error: { code: "stream_incomplete", message: "failed to send request: refused" },
    });
    expect(asked.record).toMatchObject({ streamRecovery: "exhausted", brokenParts: [] });
    expect(asked.record.turns.length).toBe(3);
  });

  test("when failover is off", async () => {
    const { bench, providers } = setUp([[cut("a", 4)], [whole("b")]], [], { routeFailover: false });
    expect(await bench.stream().seen()).toMatchObject({ error: { code: "stream_incomplete" } });
    expect(providers[1]?.asked).toEqual([]);
  });
});

describe("a target that may be asked to go on", () => {
  test("gets the delivered text as the last message, and what it says is new", async () => {
    const { bench, providers } = setUp([[cut("a", 4)], goesOn("b")], [{}, { prefill: "prefill" }]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text, ids: ["id-a"], roles: 1, terminals: 1 });
    expect(providers[1]?.asked.map(({ prefill }) => prefill)).toEqual(["The quick brown fox"]);
    expect(call.record.streamRecovery).toBe("recovered");
  });

  test.each([400, 404, 422, 499])(
    "and refuses with %d is asked afresh in the same turn, with the same permit",
    async (status) => {
      const { bench, providers } = setUp(
        [[cut("a", 4)], ({ prefill }) => (prefill === undefined ? whole("b") : statusFailure(status))],
        [{}, { prefill: "prefill" }],
      );
      const call = bench.stream();
      expect(await call.seen()).toMatchObject({ text, terminals: 1 });
      expect(describeTurns(call.record)[1]).toBe(`b/m: recovery ${status}, recovery 200 -> succeeded`);
      expect(providers[1]?.asked.map(({ prefill }) => prefill)).toEqual(["The quick brown fox", undefined]);
      expect(bench.turnsEnded.length).toBe(2);
    },
  );

  test.each([302, 401, 403, 408, 429, 500])(
    "and answers %d has not refused to go on: the next target is asked",
    async (status) => {
      const { bench, providers } = setUp(
        [[cut("a", 4)], [statusFailure(status)], [whole("c")]],
        [{}, { prefill: "prefill" }],
      );
      const call = bench.stream();
      expect(await call.seen()).toMatchObject({ text, terminals: 1 });
      expect(providers[1]?.asked.length).toBe(1);
      expect(call.record.turns[2]?.outcome).toBe("succeeded");
    },
  );

  test("and repeats all of it is asked afresh in the same turn; what it used is billed", async () => {
    const { bench, providers } = setUp([[cut("a", 4)], [whole("b")]], [{}, { prefill: "prefill" }]);
    const call = bench.stream(wantsUsage);
    expect(await call.seen()).toMatchObject({ text, ids: ["id-a"], terminals: 1 });
    expect(providers[1]?.asked.map(({ prefill }) => prefill)).toEqual(["The quick brown fox", undefined]);
    expect(describeTurns(call.record)[1]).toBe("b/m: recovery 502, recovery 200 -> succeeded");
    expect(call.record.brokenParts.map(({ target }) => target.providerName)).toEqual(["a", "b"]);
    expect(bench.breakerState("b")).toBe("closed");
  });

  test("and is known to send it back is asked once, and its echo left out", async () => {
    const { bench, providers } = setUp(
      [[cut("a", 4)], ({ prefill }) => answerOf("b", `${prefill ?? ""}${text.slice(prefill?.length ?? 0)}`)],
      [{}, { prefill: "fresh" }],
    );
    expect(await bench.stream().seen()).toMatchObject({ text, terminals: 1 });
    expect(providers[1]?.asked.length).toBe(1);
  });

  test("is not asked to when an event was left out of what the caller has", async () => {
    const broken: ChatScript = [...beginningOf("a", text, 2), malformed, delta("a", { content: " fox" }), "CUT"];
    const { bench, providers } = setUp([[broken], [whole("b")]], [{}, { prefill: "prefill" }]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text: "The quick fox", error: { code: "stream_incomplete" } });
    expect(providers[1]?.asked.map(({ prefill }) => prefill)).toEqual([undefined]);
    expect(call.record.streamRecovery).toBe("diverged");
  });

  test("and refuses when it is asked afresh is not asked again: the third target finishes", async () => {
    for (const prefill of ["prefill", undefined] as const) {
      const policy = prefill === undefined ? {} : { prefill };
      const { bench, providers } = setUp([[cut("a", 4)], [statusFailure(400)], [whole("c")]], [{}, policy]);
      expect(await bench.stream().seen()).toMatchObject({ text, terminals: 1 });
      expect(providers[1]?.asked.length).toBe(prefill === undefined ? 1 : 2);
    }
  });

  test("and has not answered when the caller leaves is not asked afresh", async () => {
    const { bench, clock, providers } = setUp(
      [[cut("a", 4)], [[3_600_000]], [whole("c")]],
      [{}, { prefill: "prefill" }],
    );
    const call = bench.stream();
    const bytes = call.bytes();
    await clock.advance(1000);
    call.cancellation.cancel("client-left");
    await bytes;
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated", "b/m: recovery 200 -> cancelled"]);
    expect(providers[2]?.asked).toEqual([]);
  });
});

describe("what both used", () => {
  test("is in the record, each with its target, and in the caller's usage event as a sum", async () => {
    const { bench } = setUp([[cut("a", 4)], goesOn("b")], [{}, { prefill: "prefill" }]);
    const call = bench.stream(wantsUsage);
    const { usage } = await call.seen();
    // A broken stream does not tell: four pieces of text, and the prompt as the second one counted it, less the four it was given.
    expect(call.record.brokenParts).toMatchObject([
      { target: { providerName: "a" }, facts: { usage: { inputTokens: 6, outputTokens: 4 } } },
    ]);
    expect(call.record.facts?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(usage).toMatchObject({ prompt_tokens: 16, completion_tokens: 9, total_tokens: 25, estimated: true });
  });

  test("stays with who said it when the second target diverges", async () => {
    const { bench } = setUp([[cut("a", 4)], [answerOf("b", "No")]]);
    const call = bench.stream(wantsUsage);
    await call.bytes();
    expect(call.record.answeredBy?.providerName).toBe("a");
    expect(call.record.brokenParts.map(({ target }) => target.providerName)).toEqual(["b"]);
  });
});

test("a malformed event is left out of a whole stream, and counted", async () => {
  const [first = "", ...rest] = answerOf("a", text);
  const { bench, providers } = setUp([[[first, malformed, ...rest]], [whole("b")]]);
  const call = bench.stream();
  expect(await call.seen()).toMatchObject({ text, terminals: 1, error: undefined });
  expect(call.record.facts?.skippedEvents).toBe(1);
  expect(call.record.streamRecovery).toBeUndefined();
  expect(providers[1]?.asked).toEqual([]);
});

test("an unexpected error while others are asked ends the stream, and the request is over", async () => {
  const { bench, clock } = setUp([
    [cut("a", 4)],
    () => {
      throw new Error("oh");
    },
  ]);
  const call = bench.stream({}, { deadlineMs: 60_000 });
  expect(await call.seen()).toMatchObject({ text: "The quick brown fox", error: { code: "stream_incomplete" } });
  expect(call.record.failure).toBeInstanceOf(Failure);
  expect(clock.pending).toBe(0);
});
