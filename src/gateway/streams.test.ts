import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Piece, statusFailure } from "../../test/support/fake-provider.ts";
import { createBench, describeTurns } from "../../test/support/gateway-bench.ts";

function setUp(pieces: readonly Piece[], policy: ConstructorParameters<typeof FakeProvider>[3] = {}) {
  const clock = new FakeClock();
  const first = new FakeProvider("a", clock, [{ pieces }], policy);
  const second = new FakeProvider("b", clock, [{ pieces: ["other", "FIN", "DONE"] }]);
  const bench = createBench(clock, [first, second]);
  return { clock, first, second, bench };
}

describe("a stream that ends properly", () => {
  test("is delivered whole and ends with its terminal", async () => {
    const { bench } = setUp(["one", "two", "FIN", "DONE", "more"]);
    const call = bench.call("a", { stream: true });
    expect(await call.text()).toBe("one two FIN DONE");
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> succeeded"]);
    expect(call.record).toMatchObject({ streamError: undefined, failure: undefined });
  });

  test("after its finish reason a cut or an end without terminal is a whole answer", async () => {
    for (const end of ["CUT", "EOF"]) {
      const { bench } = setUp(["one", "FIN", end]);
      const call = bench.call("a", { stream: true });
      expect(await call.text()).toBe("one FIN [DONE]");
      expect(call.record.streamError).toBeUndefined();
    }
  });

  test("after its finish reason it gets five seconds for usage and terminal, then it ends without error", async () => {
    const { clock, first, bench } = setUp(["one", "FIN", 60_000, "DONE"]);
    const text = bench.call("a", { stream: true }).text();
    await clock.advance(4999);
    expect(first.cancelled).toBe(0);
    await clock.advance(1);
    expect(await text).toBe("one FIN [DONE]");
    expect(first.cancelled).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test("comments do not prolong the wait after the finish reason, data events do", async () => {
    const comments = setUp(["FIN", 3000, ": ping", 3000, ": ping", "DONE"]);
    const first = comments.bench.call("a", { stream: true }).text();
    await comments.clock.advance(6000);
    expect(await first).toBe("FIN : ping [DONE]");
    const data = setUp(["FIN", 3000, "usage", 3000, "DONE"]);
    const second = data.bench.call("a", { stream: true }).text();
    await data.clock.advance(6000);
    expect(await second).toBe("FIN usage DONE");
  });
});

describe("a stream that breaks after its first event", () => {
  test.each([
    {
      how: "is cut",
      pieces: ["one", "two", "CUT"],
      text: "one two !stream_incomplete: failed to send request: refused",
    },
    { how: "ends early", pieces: ["one", "EOF"], text: "one !stream_incomplete: ended early" },
    {
      how: "sends a malformed event",
      pieces: ["one", "BAD", "two"],
      text: "one BAD!stream_incomplete: malformed event",
    },
  ])("that $how delivers what there is, one error event, and no other target is asked", async ({ pieces, text }) => {
    const { bench, second } = setUp(pieces);
    const call = bench.call("a,b", { stream: true });
    expect(await call.text()).toBe(text);
    expect(second.sent).toHaveLength(0);
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated"]);
    expect(call.record.streamError).toBe(text.slice(text.indexOf(": ") + 2));
    expect(bench.turnsEnded).toHaveLength(1);
  });

  test("the provider's own error event goes out once and nothing is added", async () => {
    const { bench } = setUp(["one", "ERR", "two"]);
    const call = bench.call("a", { stream: true });
    expect(await call.text()).toBe("one ERR");
    expect(call.record.streamError).toBe("upstream said 429");
  });

  test("is a failure for the breaker: five of them open it", async () => {
    const { bench } = setUp(["one", "CUT"]);
    for (let n = 0; n < 5; n++) await bench.call("a", { stream: true }).text();
    expect(bench.breakerState("a")).toBe("open");
  });

  test("a good start alone does not reset the count, a whole stream does", async () => {
    const clock = new FakeClock();
    const cut = { pieces: ["one", "CUT"] };
    const whole = { pieces: ["one", "FIN", "DONE"] };
    const provider = new FakeProvider("a", clock, [cut, cut, whole, cut, cut], { breaker: { failureThreshold: 3 } });
    const bench = createBench(clock, [provider]);
    for (let n = 0; n < 5; n++) await bench.call("a", { stream: true }).text();
    expect(bench.breakerState("a")).toBe("closed");
  });
});

describe("a stream that fails before its first event", () => {
  test.each([
    { how: "ends without one", pieces: ["EOF"], status: 502, message: "provider returned an empty stream" },
    {
      how: "sends comments only",
      pieces: [": a", ": b", "EOF"],
      status: 502,
      message: "provider returned an empty stream",
    },
    { how: "begins with an error", pieces: ["ERR"], status: 429, message: "upstream said 429" },
    { how: "begins with a malformed event", pieces: ["BAD"], status: 502, message: "malformed event" },
  ])("that $how is a status and fails over", async ({ pieces, status, message }) => {
    const alone = setUp(pieces);
    expect(await alone.bench.call("a", { stream: true }).outcome).toMatchObject({ status, message });
    const pair = setUp(pieces);
    const call = pair.bench.call("a,b", { stream: true });
    expect(await call.text()).toBe("other FIN DONE");
    expect(describeTurns(call.record)).toEqual([`a/m: first ${status} -> failed`, "b/m: failover 200 -> succeeded"]);
  });
});

describe("half-open", () => {
  async function opened(pieces: readonly Piece[], policy: { slowCallThresholdMs?: number } = {}) {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [{ fail: statusFailure(500) }, { pieces }], {
      breaker: { failureThreshold: 1, ...policy },
    });
    const bench = createBench(clock, [provider]);
    await bench.call("a", { stream: true }).outcome;
    expect(bench.breakerState("a")).toBe("open");
    await clock.advance(30_000);
    return { clock, bench };
  }

  test("a probe's first event frees the slot and counts as success while the stream goes on", async () => {
    const { bench } = await opened(["one", 600_000, "DONE"]);
    await bench.call("a", { stream: true }).outcome;
    expect(bench.breakerState("a")).toBe("half-open");
    await bench.call("a", { stream: true }).outcome;
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("a cut later in the same stream changes nothing in the closed circuit", async () => {
    const { clock, bench } = await opened(["one", 1000, "CUT"]);
    const first = bench.call("a", { stream: true });
    const second = bench.call("a", { stream: true });
    await first.outcome;
    expect(await second.outcome).toHaveProperty("code", "circuit_open");
    const third = bench.call("a", { stream: true });
    await third.outcome;
    expect(bench.breakerState("a")).toBe("closed");
    const texts = Promise.all([first.text(), third.text()]);
    await clock.advance(1000);
    for (const text of await texts) expect(text).toContain("stream_incomplete");
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("a probe whose first event is none opens the circuit again", async () => {
    const { bench } = await opened(["BAD"]);
    expect(await bench.call("a", { stream: true }).outcome).toHaveProperty("status", 502);
    expect(bench.breakerState("a")).toBe("open");
  });

  test("a probe that starts too slowly opens the circuit again", async () => {
    const { clock, bench } = await opened([5000, "one", "DONE"], { slowCallThresholdMs: 3000 });
    const call = bench.call("a", { stream: true });
    await clock.advance(5000);
    expect(await call.text()).toBe("one DONE");
    expect(bench.breakerState("a")).toBe("open");
  });
});

describe("slow calls", () => {
  test("a stream is measured to its first event: a long one with a fast start is not slow", async () => {
    const { clock, bench } = setUp(["one", 60_000, "DONE"], {
      breaker: { failureThreshold: 1, slowCallThresholdMs: 3000 },
    });
    const text = bench.call("a", { stream: true }).text();
    await clock.advance(60_000);
    expect(await text).toBe("one DONE");
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("a slow start counts once, although the stream is whole and delivered", async () => {
    const { clock, bench } = setUp([5000, "one", "DONE"], {
      breaker: { failureThreshold: 2, slowCallThresholdMs: 3000 },
    });
    const first = bench.call("a", { stream: true }).text();
    await clock.advance(5000);
    expect(await first).toBe("one DONE");
    expect(bench.breakerState("a")).toBe("closed");
    const second = bench.call("a", { stream: true }).text();
    await clock.advance(5000);
    await second;
    expect(bench.breakerState("a")).toBe("open");
  });
});
