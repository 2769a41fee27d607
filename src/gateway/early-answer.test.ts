import { describe, expect, test } from "bun:test";
import { benchDialect } from "../../test/support/bench-dialect.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Script, statusFailure } from "../../test/support/fake-provider.ts";
import { type Call, createBench, describeTurns } from "../../test/support/gateway-bench.ts";
import { requestRecord } from "../../test/support/request-record.ts";
import { Failure } from "../core/failure.ts";
import type { Answer } from "./answer.ts";
import { answerEarly, EarlyAnswer } from "./early-answer.ts";

const afterMs = 20_000;

function setUp(scripts: readonly Script[], policy: ConstructorParameters<typeof FakeProvider>[3] = {}) {
  const clock = new FakeClock();
  const provider = new FakeProvider("a", clock, scripts, {
    ...policy,
    retry: { streaming: "before_first_event", ...policy.retry },
  });
  const other = new FakeProvider("b", clock, [{ pieces: ["other", "DONE"] }]);
  const bench = createBench(clock, [provider, other], { earlyCommitAfterMs: afterMs });
  return { clock, provider, other, bench };
}

/** The pieces that have been delivered so far, pulled as fast as they come; `end` stands for the end. */
function pull({ outcome }: Pick<Call, "outcome">): string[] {
  const pieces: string[] = [];
  const run = async (): Promise<void> => {
    const answer = await outcome;
    if (answer instanceof Failure) throw answer;
    let piece: Uint8Array | undefined = answer.first;
    while (piece !== undefined) {
      pieces.push(new TextDecoder().decode(piece));
      piece = await answer.next();
    }
    pieces.push("end");
  };
  run().catch((error: unknown) => pieces.push(String(error)));
  return pieces;
}

describe("a stream that has its first event in time", () => {
  test("is answered as without an early commit, and no timer stays", async () => {
    const { clock, bench } = setUp([{ pieces: [19_999, "one", "DONE"] }]);
    const call = bench.call("a", { stream: true });
    await clock.advance(19_999);
    expect(await call.outcome).not.toBeInstanceOf(EarlyAnswer);
    expect(await call.text()).toBe("one DONE");
    expect(clock.pending).toBe(0);
  });

  test("or its failure has its status", async () => {
    const { clock, bench } = setUp([{ fail: statusFailure(500), afterMs: 19_999 }]);
    const call = bench.call("a", { stream: true });
    await clock.advance(19_999);
    expect(await call.outcome).toHaveProperty("status", 500);
    expect(call.record.streamError).toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});

test("a buffered call is never answered early", async () => {
  const { clock, bench } = setUp([{ pieces: ["whole"], headersMs: 60_000, buffered: true }]);
  const call = bench.call("a");
  await clock.advance(60_000);
  expect(await call.outcome).not.toBeInstanceOf(EarlyAnswer);
});

describe("a stream that has no event after early_commit_after", () => {
  test("gets a comment then and every 15 s, and its events when they come", async () => {
    const { clock, bench } = setUp([{ pieces: [51_000, "one", 20_000, "two", "FIN", "DONE"] }]);
    const call = bench.call("a", { stream: true });
    const pieces = pull(call);
    await clock.advance(19_999);
    expect(pieces).toEqual([]);
    await clock.advance(1);
    expect(pieces).toEqual([":"]);
    await clock.advance(14_999);
    expect(pieces).toEqual([":"]);
    await clock.advance(1);
    expect(pieces).toEqual([":", ":"]);
    await clock.advance(16_000);
    expect(pieces).toEqual([":", ":", ":", "one"]);
    await clock.advance(20_000);
    expect(pieces).toEqual([":", ":", ":", "one", "two", "FIN", "DONE", "end"]);
    expect(call.record).toMatchObject({ firstEventMs: 51_000, streamError: undefined, failure: undefined });
    expect(clock.pending).toBe(0);
  });

  test("is answered without a target and without a provider's headers", async () => {
    const { clock, bench } = setUp([{ pieces: [60_000, "one", "DONE"] }]);
    const call = bench.call("a", { stream: true });
    await clock.advance(afterMs);
    expect(await call.outcome).toMatchObject({
      target: undefined,
      headers: [],
      contentType: "text/event-stream",
      whole: false,
    });
  });

  test("is retried and fails over behind its comments", async () => {
    const { clock, bench } = setUp([{ fail: statusFailure(503), afterMs: 15_000 }], { retry: { maxRetries: 1 } });
    const call = bench.call("a,b", { stream: true });
    const pieces = pull(call);
    await clock.advance(31_000);
    expect(pieces).toEqual([":", "other", "DONE", "end"]);
    expect(describeTurns(call.record)).toEqual([
      "a/m: first 503, retry 503 -> failed",
      "b/m: failover 200 -> succeeded",
    ]);
    expect(call.record.answeredBy).toEqual({ providerName: "b", model: "m" });
  });

  test("and fails in the end has the failure as an event, once, and then its end", async () => {
    const { clock, bench } = setUp([{ fail: statusFailure(500, { message: "out of order" }), afterMs: 36_000 }]);
    const call = bench.call("a", { stream: true });
    const pieces = pull(call);
    await clock.advance(36_000);
    expect(pieces).toEqual([":", ":", "!500 out of order", "end"]);
    expect(call.record).toMatchObject({ streamError: "out of order", failure: { status: 500 }, answeredBy: undefined });
    expect(clock.pending).toBe(0);
  });

  test("and breaks later ends in stream_incomplete like any other", async () => {
    const { clock, bench } = setUp([{ pieces: [30_000, "one", "CUT"] }]);
    const pieces = pull(bench.call("a", { stream: true }));
    await clock.advance(30_000);
    expect(pieces).toEqual([":", "one", "!stream_incomplete: failed to send request: refused", "end"]);
  });

  test("has the request's deadline as an event", async () => {
    const { clock, bench } = setUp([{ pieces: [600_000, "one", "DONE"] }]);
    const pieces = pull(bench.call("a", { stream: true, deadlineMs: 25_000 }));
    await clock.advance(25_000);
    expect(pieces).toEqual([":", "!504 request timed out", "end"]);
    expect(clock.pending).toBe(0);
  });

  test.each(["while it waits for an event", "while it waits for a retry"])(
    "whose caller leaves %s is over",
    async (when) => {
      const script: Script = when.endsWith("retry")
        ? { fail: statusFailure(503, { retryAfterMs: 10_000 }), afterMs: 15_000 }
        : { pieces: [600_000, "one", "DONE"] };
      const { clock, provider, other, bench } = setUp([script], { breaker: { failureThreshold: 1 } });
      const call = bench.call("a,b", { stream: true });
      const pieces = pull(call);
      await clock.advance(21_000);
      call.cancellation.cancel("client-left");
      const answer = await call.outcome;
      if (!(answer instanceof EarlyAnswer)) throw new Error("not answered early");
      await answer.settled;
      expect(call.record.turns.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
      await clock.advance(600_000);
      expect(pieces).toEqual([":", "end"]);
      expect([provider.sent.length, other.sent.length]).toEqual([1, 0]);
      expect(bench.breakerState("a")).toBe("closed");
      expect(call.record).toMatchObject({ streamError: undefined, failure: { status: 499 } });
      expect(clock.pending).toBe(0);
    },
  );

  test("and whose caller reads slowly gets no comments for the time in which nobody asked", async () => {
    const { clock, bench } = setUp([{ pieces: [90_000, "one", "DONE"] }]);
    const call = bench.call("a", { stream: true });
    await clock.advance(80_000);
    const pieces = pull(call);
    await clock.advance(10_000);
    expect(pieces).toEqual([":", "one", "DONE", "end"]);
  });

  test("and whose caller asks for nothing until its events are there gets all of them", async () => {
    const { clock, bench } = setUp([{ pieces: [30_000, "one", "DONE"] }]);
    const call = bench.call("a", { stream: true });
    await clock.advance(30_000);
    const pieces = pull(call);
    await clock.advance(0);
    expect(pieces).toEqual([":", "one", "DONE", "end"]);
    expect(clock.pending).toBe(0);
  });
});

describe("a stream that is held back until it is whole", () => {
  test.each([
    [15_000, 0],
    [15_000, 20_000],
    [15_000, 15_000],
    [5000, 5000],
  ])("is answered after %i ms with early_commit_after at %i ms", async (committedAfterMs, earlyCommitAfterMs) => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [{ pieces: ["one", 25_000, "two", "DONE"] }]);
    const bench = createBench(clock, [provider], { earlyCommitAfterMs, streamRecovery: "buffer" });
    const call = bench.call("a", { stream: true });
    const pieces = pull(call);
    await clock.advance(committedAfterMs - 1);
    expect(pieces).toEqual([]);
    await clock.advance(1);
    expect(pieces).toEqual([":"]);
    expect(call.record.holdsBack).toBe(true);
    await clock.advance(25_000 - committedAfterMs);
    expect(pieces.slice(-2)).toEqual(["onetwoDONE", "end"]);
    expect(clock.pending).toBe(0);
  });

  test("is nothing that a buffered call can be", async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [{ pieces: ["whole"], headersMs: 60_000, buffered: true }]);
    const call = createBench(clock, [provider], { streamRecovery: "buffer" }).call("a");
    await clock.advance(60_000);
    expect(await call.text()).toBe("whole");
    expect(call.record.holdsBack).toBe(false);
  });
});

test("an early answer may be the outcome of another one", async () => {
  const clock = new FakeClock();
  const tools = { dialect: benchDialect, record: requestRecord({ stream: true }), clock };
  const late = new Promise<Answer | Failure>(
    (resolve) => void clock.schedule(40_000, () => resolve(statusFailure(503))),
  );
  const outcome = answerEarly(answerEarly(late, 30_000, tools), 10_000, tools);
  const pieces = pull({ outcome });
  await clock.advance(10_000);
  const committed = await outcome;
  let isSettledForWhoAskedEarly = false;
  if (!(committed instanceof EarlyAnswer)) throw new Error("not answered early");
  void committed.settled?.then(() => (isSettledForWhoAskedEarly = true));
  await clock.advance(20_000);
  expect(pieces).toEqual([":", ":", ":"]);
  const answer = await outcome;
  let isSettled = false;
  if (!(answer instanceof EarlyAnswer)) throw new Error("not answered early");
  void answer.settled?.then(() => (isSettled = true));
  await clock.advance(9999);
  expect([isSettled, isSettledForWhoAskedEarly]).toEqual([false, false]);
  await clock.advance(1);
  expect(isSettledForWhoAskedEarly).toBe(true);
  expect(pieces).toEqual([":", ":", ":", "!503 upstream said 503", "end"]);
  expect(isSettled).toBe(true);
  expect(clock.pending).toBe(0);
});
