import { describe, expect, test } from "bun:test";
import { answerOf, beginningOf, delta, errorEvent, malformed } from "../../test/support/chat-events.ts";
import { ChatProvider, type ChatProviderPolicy, type ChatScript } from "../../test/support/chat-provider.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { statusFailure, transportFailure } from "../../test/support/fake-provider.ts";
import { describeTurns } from "../../test/support/gateway-bench.ts";
import { recoveryBench } from "../../test/support/recovery-bench.ts";
import { cancelledRequest, Failure } from "../core/failure.ts";
import type { ReadStep } from "../core/provider.ts";
import { HeldAnswer } from "./held-answer.ts";

const text = "The quick brown fox jumps over the lazy dog";
const cut = (name: string, words: number): ChatScript => [...beginningOf(name, text, words), "CUT"];
const whole = (name: string): string[] => answerOf(name, text);

function setUp(scripts: readonly (readonly ChatScript[])[], policies: readonly ChatProviderPolicy[] = []) {
  const clock = new FakeClock();
  const providers = scripts.map(
    (script, index) => new ChatProvider("abcdef"[index] ?? "z", clock, script, policies[index]),
  );
  return { clock, providers, bench: recoveryBench(clock, providers, { streamRecovery: "buffer" }) };
}

describe("a stream that is held back", () => {
  test("comes at its end, in one piece", async () => {
    const [first = "", ...rest] = answerOf("a", text);
    const { bench, clock } = setUp([[[first, 5000, ...rest]]]);
    const call = bench.stream();
    await clock.advance(4999);
    expect(call.record.answeredBy).toBeUndefined();
    await clock.advance(1);
    const answer = await call.outcome;
    if (answer instanceof Failure) throw answer;
    expect(answer.whole).toBe(true);
    expect(await call.seen()).toMatchObject({ text, ids: ["id-a"], terminals: 1, comments: 0 });
    expect(call.record).toMatchObject({
      holdsBack: true,
      turns: [{ attempts: [{ firstEventMs: 0, durationMs: 5000 }] }],
    });
    expect(clock.pending).toBe(0);
  });

  test("and breaks is answered by the next target from nothing", async () => {
    for (const end of ["CUT", "IDLE", errorEvent, undefined]) {
      const { bench } = setUp([
        [[...beginningOf("a", text, 4), ...(end === undefined ? [] : [end])]],
        [answerOf("b", "Another text")],
      ]);
      const call = bench.stream();
      expect(await call.seen()).toMatchObject({ text: "Another text", ids: ["id-b"], roles: 1, terminals: 1 });
      expect(call.record).toMatchObject({
        answeredBy: { providerName: "b" },
        // Billed all the same: the prompt of the answer after it, and its own five events.
        brokenParts: [{ target: { providerName: "a" }, facts: { usage: { inputTokens: 10, outputTokens: 5 } } }],
      });
      expect(call.record.turns.map(({ outcome }) => outcome)).toEqual(["failed", "succeeded"]);
    }
  });

  test("and breaks in an error event of any status is answered by the next target, but not after a refusal of its content", async () => {
    const ends = (error: object): ChatScript => [
      ...beginningOf("a", text, 4),
      `data: ${JSON.stringify({ error })}\n\n`,
    ];
    const denied = setUp([[ends({ message: "bad key", code: 401 })], [whole("b")]]);
    expect(await denied.bench.stream().seen()).toMatchObject({ text, ids: ["id-b"] });
    const filtered = setUp([[ends({ message: "no", code: "content_filter" })], [whole("b")]]);
    expect(
      await filtered.bench
        .stream()
        .bytes()
        .catch((error: unknown) => error),
    ).toBeInstanceOf(Failure);
    expect(filtered.providers[1]?.asked).toEqual([]);
  });

  test("and breaks everywhere is an error status", async () => {
    const { bench } = setUp([[cut("a", 4)], [cut("b", 2)]]);
    const call = bench.stream();
    expect(await call.outcome).toMatchObject({ origin: "transport", status: 502 });
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> failed", "b/m: failover 200 -> failed"]);
    expect(call.record.brokenParts.map(({ target }) => target.providerName)).toEqual(["a", "b"]);
  });

  test("and breaks before its first event was nothing that could be billed", async () => {
    const { bench } = setUp([[["CUT"]], [whole("b")]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ ids: ["id-b"], terminals: 1 });
    expect(call.record.brokenParts).toEqual([]);
  });

  test("counts at the breaker of who broke it", async () => {
    const { bench } = setUp([[cut("a", 4)], [whole("b")]], [{ breaker: { failureThreshold: 1 } }]);
    await bench.stream().bytes();
    expect([bench.breakerState("a"), bench.breakerState("b")]).toEqual(["open", "closed"]);
  });

  test("loses a malformed event and is whole", async () => {
    const [first = "", ...rest] = answerOf("a", text);
    const { bench } = setUp([[[first, malformed, ...rest]]]);
    const call = bench.stream();
    expect(await call.seen()).toMatchObject({ text, terminals: 1, error: undefined });
    expect(call.record.facts?.skippedEvents).toBe(1);
  });

  test.each([
    ["a reset", "CUT"],
    ["our limit on silence", "IDLE"],
    ["an end without a terminal", undefined],
  ])("is whole after its finish reason, whatever %s takes away", async (_, end) => {
    const pieces = [...answerOf("a", text).slice(0, -2), ...(end === undefined ? [] : [end])];
    const { bench, providers } = setUp([[pieces], [whole("b")]]);
    expect(await bench.stream().seen()).toMatchObject({ text, ids: ["id-a"], finishes: 1, terminals: 1 });
    expect(providers[1]?.asked).toEqual([]);
  });

  test("is whole five seconds after its finish reason, when nothing follows", async () => {
    const { bench, clock, providers } = setUp([[[answerOf("a", text).slice(0, -2).join(""), 3_600_000]]]);
    const call = bench.stream();
    await clock.advance(4999);
    expect(call.record.answeredBy).toBeUndefined();
    await clock.advance(1);
    expect(await call.seen()).toMatchObject({ text, finishes: 1, terminals: 1 });
    expect(providers[0]?.cancelled).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test("of more than 32 MB is no answer", async () => {
    const megabyte = delta("a", { content: "x".repeat(1024 * 1024) });
    const { bench, providers } = setUp([[Array.from({ length: 33 }, () => megabyte)], [whole("b")]]);
    expect(await bench.stream().seen()).toMatchObject({ ids: ["id-b"], terminals: 1 });
    expect(providers[0]?.cancelled).toBe(1);
    const alone = setUp([[Array.from({ length: 33 }, () => megabyte)]]);
    expect(await alone.bench.stream().outcome).toMatchObject({
      status: 502,
      message: expect.stringContaining("32 MB"),
    });
  });

  test("is as slow as its first event, not as its end", async () => {
    const [first = "", ...rest] = answerOf("a", text);
    const breaker = { failureThreshold: 1, slowCallThresholdMs: 1000 };
    const { bench, clock } = setUp([[[first, 10_000, ...rest]]], [{ breaker }]);
    const seen = bench.stream().seen();
    await clock.advance(10_000);
    expect(await seen).toMatchObject({ text, terminals: 1 });
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("of a probe closes the circuit with its first event", async () => {
    const [first = "", ...rest] = answerOf("a", text);
    const breaker = { failureThreshold: 1, successThreshold: 1, timeoutMs: 30_000 };
    const { bench, clock } = setUp([[statusFailure(500), [first, 10_000, ...rest]]], [{ breaker }]);
    expect(await bench.stream().outcome).toBeInstanceOf(Failure);
    await clock.advance(30_000);
    const seen = bench.stream().seen();
    await clock.advance(1);
    expect(bench.breakerState("a")).toBe("closed");
    await clock.advance(10_000);
    expect(await seen).toMatchObject({ text });
  });
});

describe("who waits for it longer than 15 s", () => {
  const [first = "", ...rest] = answerOf("a", text);

  test("gets comments, then the whole answer", async () => {
    const { bench, clock } = setUp([[[first, 40_000, ...rest]]]);
    const seen = bench.stream().seen();
    await clock.advance(40_000);
    expect(await seen).toMatchObject({ text, ids: ["id-a"], terminals: 1, comments: 2 });
    expect(clock.pending).toBe(0);
  });

  test("gets the whole answer of the next target when the first one breaks by then", async () => {
    const { bench, clock } = setUp([[[first, 20_000, "CUT"]], [[20_000, ...whole("b")]]]);
    const call = bench.stream();
    const seen = call.seen();
    await clock.advance(40_000);
    expect(await seen).toMatchObject({ text, ids: ["id-b"], roles: 1, terminals: 1, comments: 2 });
    expect(call.record.failure).toBeUndefined();
  });

  test("is told of a failure in an event", async () => {
    const { bench, clock } = setUp([[[first, 20_000, "CUT"]], [statusFailure(503)]]);
    const call = bench.stream();
    const seen = call.seen();
    await clock.advance(20_000);
    expect(await seen).toMatchObject({ text: "", terminals: 0, error: { message: "upstream said 503" } });
    expect(call.record).toMatchObject({ failure: { status: 503 }, streamError: "upstream said 503" });
  });

  test("and leaves has the call closed", async () => {
    const { bench, clock, providers } = setUp([[[first, 40_000, ...rest]]]);
    const call = bench.stream();
    const bytes = call.bytes();
    await clock.advance(20_000);
    call.cancellation.cancel("client-left");
    await bytes;
    expect(call.record.turns.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    expect(providers[0]?.cancelled).toBe(1);
    expect(clock.pending).toBe(0);
  });
});

describe("what is held", () => {
  const step = (details: Partial<ReadStep>): ReadStep => ({
    relay: undefined,
    events: 0,
    finished: false,
    complete: false,
    failure: undefined,
    inBand: false,
    ...details,
  });

  /** Over a body whose every read fails so. */
  function heldOver(trouble: Error = transportFailure()) {
    const clock = new FakeClock();
    const told: string[] = [];
    const body = { read: () => Promise.reject(trouble), started() {}, cancel: () => void told.push("closed") };
    return { clock, told, held: new HeldAnswer(body, clock) };
  }

  test("is given at the terminal, and never when that step says that it is broken", () => {
    const relay = new TextEncoder().encode("all");
    expect(heldOver().held.take(step({ relay, complete: true }))).toEqual(relay);
    expect(heldOver().held.take(step({ relay, complete: true, failure: transportFailure() }))).toBeUndefined();
  });

  test("may have 32 MB, and not a byte more", () => {
    const relay = new Uint8Array(16 * 1024 * 1024);
    const { held } = heldOver();
    held.take(step({ relay }));
    expect(held.take(step({ relay, complete: true }))).toHaveLength(33_554_432);
    const { held: larger } = heldOver();
    larger.take(step({ relay }));
    larger.take(step({ relay }));
    const tooLarge = { origin: "answer", status: 502, type: "provider_error" } as const;
    expect(() => larger.take(step({ relay: relay.subarray(0, 1), complete: true }))).toThrow(
      expect.objectContaining(tooLarge),
    );
  });

  test("ends five seconds after its finish reason or the last data event behind it, and comments do not count", () => {
    const { clock, told, held } = heldOver();
    held.take(step({ finished: true, events: 1 }));
    clock.tick(3000);
    held.take(step({ finished: true, events: 1 }));
    clock.tick(3000);
    held.take(step({ finished: true }));
    clock.tick(1999);
    expect(told).toEqual([]);
    expect(clock.pending).toBe(1);
    clock.tick(1);
    expect(told).toEqual(["closed"]);
  });

  test("ends five seconds after a finish reason that came with no data event of its own", () => {
    const { clock, told, held } = heldOver();
    held.take(step({ finished: true }));
    clock.tick(5000);
    expect(told).toEqual(["closed"]);
  });

  test("has no time limit before its finish reason, nor when nothing more is read", () => {
    const { clock, held } = heldOver();
    held.take(step({ events: 1 }));
    expect(clock.pending).toBe(0);
    held.take(step({ finished: true, events: 1 }));
    held.close();
    expect(clock.pending).toBe(0);
  });

  test.each([
    ["whole after a break", transportFailure(), undefined],
    ["whole after our deadline", cancelledRequest("deadline"), undefined],
    ["whole after an error of the runtime", new TypeError("oops"), undefined],
    ["nobody's after its caller left", cancelledRequest("client-left"), "cancelled"],
  ] as const)("and has its finish reason is %s: %#", async (_, trouble, thrown) => {
    const { held } = heldOver(trouble);
    const read = () => held.read().catch((error: unknown) => error);
    expect(await read()).toBe(trouble);
    held.take(step({ finished: true, events: 1 }));
    expect(await read()).toBe(thrown === undefined ? undefined : trouble);
  });
});
