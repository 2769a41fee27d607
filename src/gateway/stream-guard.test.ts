import { describe, expect, test } from "bun:test";
import { benchDialect } from "../../test/support/bench-dialect.ts";
import { FakeClock, settle } from "../../test/support/fake-clock.ts";
import { transportFailure } from "../../test/support/fake-provider.ts";
import { Cancellation } from "../core/cancellation.ts";
import { cancelledRequest, Failure } from "../core/failure.ts";
import type { ReadStep } from "../core/provider.ts";
import { StreamGuard } from "./stream-guard.ts";

const nothing: ReadStep = {
  relay: undefined,
  events: 0,
  finished: false,
  complete: false,
  failure: undefined,
  inBand: false,
};
const bytes = (text: string) => new TextEncoder().encode(text);
const written = (piece: Uint8Array | undefined) => (piece === undefined ? undefined : new TextDecoder().decode(piece));

/** One read: the step that its bytes make, now or later, an error, one that waits until the body is closed, or bytes that trip the reader. */
type Read = Partial<ReadStep> | Promise<Partial<ReadStep>> | Error | "wait" | "trap";

function setUp(
  reads: readonly Read[],
  first: Partial<ReadStep> = {},
  atEnd: Partial<ReadStep> = {},
  handsOverBreaks?: boolean,
) {
  const clock = new FakeClock();
  const left = [...reads];
  const told: string[] = [];
  const cancellation = new Cancellation();
  let step: Partial<ReadStep> | "trap" = {};
  let wake: ((value: undefined) => void) | undefined;
  let readCount = 0;
  const guard = new StreamGuard({
    target: { providerName: "one", model: "m" },
    answer: {
      status: 200,
      headers: [],
      reader: {
        contentType: "",
        push() {
          if (step === "trap") throw new TypeError("oops");
          return { ...nothing, ...step };
        },
        end: () => ({ ...nothing, ...atEnd }),
        facts: () => ({ usage: undefined, emptyReason: undefined }),
      },
      body: {
        read() {
          readCount++;
          const read = left.shift();
          if (read === undefined) return undefined;
          if (read instanceof Error) throw read;
          if (read === "wait") return new Promise<undefined>((resolve) => (wake = resolve));
          if (read instanceof Promise) {
            return read.then((made) => {
              step = made;
              return bytes("?");
            });
          }
          step = read;
          return bytes("?");
        },
        started() {},
        cancel() {
          told.push("closed");
          wake?.(undefined);
        },
      },
    },
    first: { ...nothing, ...first },
    relay: first.relay ?? bytes("first"),
    request: {
      id: "r",
      operation: "chat-completions",
      model: "m",
      providerHint: undefined,
      stream: true,
      body: new Uint8Array(0),
      members: [],
      wantsStreamUsage: false,
      idempotencyKey: undefined,
      cancellation,
      deadline: undefined,
    },
    clientDialect: benchDialect,
    clock,
    ...(handsOverBreaks === undefined ? {} : { handsOverBreaks }),
    onEnd: (end) => void told.push(end.outcome === "succeeded" ? end.outcome : `${end.outcome} ${end.failure.origin}`),
  });
  const next = async () => written(await guard.next());
  return { clock, guard, told, cancellation, next, reads: () => readCount };
}

describe("the first piece", () => {
  test("that is the whole answer ends it at once, and nobody listens for the caller any more", async () => {
    const { guard, told, cancellation, next, clock } = setUp([], { complete: true });
    expect(written(guard.first)).toBe("first");
    expect(guard.whole).toBe(true);
    await settle();
    expect(told).toEqual(["succeeded", "closed"]);
    cancellation.cancel("client-left");
    expect(told).toEqual(["succeeded", "closed"]);
    expect(await next()).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test("that ends in a failure carries the error event with it", () => {
    const failure = transportFailure();
    const { guard, told } = setUp([], { relay: bytes("one"), failure });
    expect(written(guard.first)).toBe("one!stream_incomplete: failed to send request: refused");
    expect(told).toEqual(["closed", "truncated transport"]);
  });
});

describe("the pieces after it", () => {
  test("are waited for as long as nothing comes of what has come", async () => {
    const later = (step: Partial<ReadStep>) => Promise.resolve(step);
    const { next } = setUp([later({}), later({}), later({ relay: bytes("two") }), later({ complete: true })]);
    const pieces = [await next(), await next()];
    expect(pieces).toEqual(["two", undefined]);
  });

  test("a mistake while one is taken that was waited for is told to who waits", async () => {
    const { next, told } = setUp([Promise.resolve({ complete: true })]);
    told.push = () => {
      throw new TypeError("oops");
    };
    expect(await next().catch(String)).toBe("TypeError: oops");
  });

  test("are only those that there is something of", async () => {
    const { next, guard, told } = setUp([{}, { relay: bytes("two") }, {}, { relay: bytes("three"), complete: true }]);
    expect([await next(), guard.whole, await next(), guard.whole, await next()]).toEqual([
      "two",
      false,
      "three",
      true,
      undefined,
    ]);
    expect(told[0]).toBe("succeeded");
  });

  test("an error of ours is one error event with no detail of it", async () => {
    const { next, told } = setUp([new TypeError("oops")]);
    expect(await next()).toBe("!stream_incomplete: an unexpected error occurred");
    expect(await next()).toBeUndefined();
    expect(told).toEqual(["closed", "truncated bug"]);
  });

  test("a reader that trips over its bytes is told of in the same way", async () => {
    const { next, told } = setUp(["trap"]);
    expect(await next()).toBe("!stream_incomplete: an unexpected error occurred");
    expect(told).toEqual(["closed", "truncated bug"]);
  });

  test("the provider's own error event without bytes in this step adds nothing", async () => {
    const { next, told } = setUp([{ failure: transportFailure(), inBand: true }]);
    expect(await next()).toBeUndefined();
    expect(told).toEqual(["closed", "truncated transport"]);
  });
});

describe("a caller who leaves", () => {
  test("while a read is pending gets nothing more, whatever that read brings", async () => {
    const { next, told, cancellation } = setUp(["wait"], {}, { relay: bytes("late"), complete: true });
    const piece = next();
    await settle();
    cancellation.cancel("client-left");
    expect(await piece).toBeUndefined();
    expect(told).toEqual(["closed", "cancelled cancelled"]);
  });

  test("and is noticed by the read ends the turn as cancelled, without an error event", async () => {
    const { next, told } = setUp([cancelledRequest("client-left")]);
    expect(await next()).toBeUndefined();
    expect(told).toEqual(["closed", "cancelled cancelled"]);
  });

  test("is the only reason that acts without a read: deadline and shutdown wait for it", () => {
    for (const reason of ["deadline", "drain"] as const) {
      const { told, cancellation, guard } = setUp([]);
      cancellation.cancel(reason);
      expect(told).toEqual([]);
      expect(guard.whole).toBe(false);
    }
  });
});

describe("a break that is handed over", () => {
  const failure = transportFailure();
  const event = "!stream_incomplete: failed to send request: refused";
  const setUpBreak = (broken: Partial<ReadStep>) =>
    setUp([{ failure, ...broken }, { relay: bytes("more") }], {}, {}, true);

  test.each([
    ["of which a part is good", { relay: bytes("goodBAD"), brokenBytes: 3 }, "good", `BAD${event}`],
    [
      "that ends in the provider's own error event",
      { relay: bytes("goodERR"), brokenBytes: 3, inBand: true },
      "good",
      "ERR",
    ],
    ["of which all is good", { relay: bytes("good") }, "good", event],
    ["of which nothing is good", { relay: bytes("BAD"), brokenBytes: 3 }, undefined, `BAD${event}`],
    ["without bytes", {}, undefined, event],
    ["without bytes of the provider's own error event", { inBand: true }, undefined, ""],
  ] as const)("in a step %s gives what is good, keeps the rest, and ends the answer", async (_, step, good, rest) => {
    const { next, guard, told } = setUpBreak(step);
    expect(guard.broken).toBeUndefined();
    expect(await next()).toBe(good);
    expect(guard.broken?.failure).toBe(failure);
    expect(written(guard.broken?.event)).toBe(rest);
    expect(await next()).toBeUndefined();
    expect(told).toEqual(["closed", "truncated transport"]);
  });

  test.each([
    ["oneBAD", "one"],
    ["BAD", ""],
  ])("in the first step %p is kept from the caller, who gets %p", (relay, good) => {
    const { guard } = setUp([], { relay: bytes(relay), brokenBytes: 3, failure }, {}, true);
    expect(written(guard.first)).toBe(good);
    expect(written(guard.broken?.event)).toBe(`BAD${event}`);
    expect(guard.whole).toBe(true);
  });

  test("stays what it was when the runtime uses the memory of the piece again", async () => {
    const relay = bytes("goodERR");
    const { next, guard } = setUpBreak({ relay, brokenBytes: 3, inBand: true });
    await next();
    relay.fill(0);
    expect(written(guard.broken?.event)).toBe("ERR");
  });

  test("is none when the caller left, and a whole answer has none", async () => {
    const left = setUp([cancelledRequest("client-left")], {}, {}, true);
    expect(await left.next()).toBeUndefined();
    expect(left.guard.broken).toBeUndefined();
    const whole = setUp([{ relay: bytes("two"), complete: true }], {}, {}, true);
    expect(await whole.next()).toBe("two");
    expect(whole.guard.broken).toBeUndefined();
  });

  test("is told to the caller at once where breaks are not handed over", async () => {
    for (const handsOverBreaks of [undefined, false]) {
      const { next, guard } = setUp([{ failure, relay: bytes("good") }], {}, {}, handsOverBreaks);
      expect(await next()).toBe(`good${event}`);
      expect(guard.broken).toBeUndefined();
    }
  });
});

describe("after every choice has finished", () => {
  test("five seconds run from the finish and anew from each data event, not from comments", async () => {
    const { clock, next, told } = setUp(
      [
        { relay: bytes("FIN"), finished: true, events: 1 },
        { relay: bytes(":"), finished: true },
        { relay: bytes("usage"), finished: true, events: 1 },
        "wait",
      ],
      {},
      { relay: bytes("[DONE]"), complete: true },
    );
    expect(await next()).toBe("FIN");
    clock.tick(3000);
    expect(await next()).toBe(":");
    clock.tick(1999);
    expect(await next()).toBe("usage");
    expect(clock.pending).toBe(1);
    const last = next();
    clock.tick(4999);
    expect(told).toEqual([]);
    clock.tick(1);
    expect(await last).toBe("[DONE]");
    expect(told[0]).toBe("closed");
    expect(told[1]).toBe("succeeded");
  });

  test("a comment does not prolong the five seconds", async () => {
    const { clock, next, told } = setUp([
      { relay: bytes("FIN"), finished: true, events: 1 },
      { relay: bytes(":"), finished: true },
    ]);
    expect(await next()).toBe("FIN");
    clock.tick(4999);
    expect(await next()).toBe(":");
    expect(told).toEqual([]);
    clock.tick(1);
    expect(told).toEqual(["closed"]);
  });

  test("five seconds run also from a finish that came with no data event of its own", () => {
    const { clock, told } = setUp([], { finished: true });
    expect(clock.pending).toBe(1);
    clock.tick(5000);
    expect(told).toEqual(["closed"]);
  });

  test("before it no timer runs at all", () => {
    expect(setUp([], { events: 1 }).clock.pending).toBe(0);
  });
});

describe("the connection of a whole answer", () => {
  const whole: Partial<ReadStep> = { complete: true };
  test("is let go of at once when its end is there already", () => {
    const { told, clock } = setUp([], whole);
    expect(told).toEqual(["succeeded", "closed"]);
    expect(clock.pending).toBe(0);
  });

  test("is read to its end, so that it can serve again, and let go of", async () => {
    const { told, reads, clock } = setUp([{}, {}, {}], whole);
    await settle();
    expect(reads()).toBe(4);
    expect(told).toEqual(["succeeded", "closed"]);
    expect(clock.pending).toBe(0);
  });

  test("is closed when its end has not come after a second", async () => {
    const { told, reads, clock } = setUp(["wait"], whole);
    clock.tick(999);
    await settle();
    expect(told).toEqual(["succeeded"]);
    clock.tick(1);
    await settle();
    expect(reads()).toBe(1);
    expect(told).toEqual(["succeeded", "closed", "closed"]);
  });

  test("is closed when more than 16 pieces follow", async () => {
    const endless = Array.from({ length: 100 }, () => ({}));
    const { told, reads } = setUp(endless, whole);
    await settle();
    expect(reads()).toBe(16);
    expect(told).toEqual(["succeeded", "closed"]);
  });

  test("may break without anybody being told", async () => {
    const broken = new Failure({ origin: "transport", status: 502, type: "provider_error", message: "reset" });
    const { told, clock } = setUp([broken], whole);
    await settle();
    expect(told).toEqual(["succeeded", "closed"]);
    expect(clock.pending).toBe(0);
  });
});
