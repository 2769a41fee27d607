import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { statusFailure, timeoutFailure, transportFailure } from "../../test/support/fake-provider.ts";
import { cancelledRequest, type Failure } from "../core/failure.ts";
import type { PreparedCall, ReadStep } from "../core/provider.ts";
import { runAttempt } from "./run-attempt.ts";

const nothing: ReadStep = {
  relay: undefined,
  events: 0,
  finished: false,
  complete: false,
  failure: undefined,
  inBand: false,
};
const relay = new Uint8Array(1);

/** An answer whose reader makes these steps of its pieces, each 100 ms after the one before; the last one is of the body's end. */
function setUp(steps: readonly Partial<ReadStep>[]) {
  const clock = new FakeClock();
  clock.tick(1_000_000);
  const left = [...steps];
  const told: string[] = [];
  const step = (): ReadStep => ({ ...nothing, ...left.shift() });
  const call: PreparedCall = {
    send: () =>
      Promise.resolve({
        status: 200,
        headers: [],
        reader: { contentType: "", push: step, end: step, facts: () => ({ usage: undefined, emptyReason: undefined }) },
        body: {
          read() {
            clock.tick(100);
            return left.length > 1 ? new Uint8Array(1) : undefined;
          },
          started: () => void told.push("started"),
          cancel: () => void told.push("cancelled"),
        },
      }),
  };
  const run = (stream: boolean) => runAttempt(call, "first", { idempotencyKey: undefined }, stream, false, clock);
  return { told, run };
}

describe("the first event of a stream", () => {
  test("is noted and announced once, comments before it are not", async () => {
    const { told, run } = setUp([{}, {}, { events: 1 }, { events: 2, relay }, {}]);
    expect(await run(true)).toMatchObject({ started: true, attempt: { firstEventMs: 300, durationMs: 400 } });
    expect(told).toEqual(["started"]);
  });

  test("is nothing that a buffered answer has", async () => {
    const { told, run } = setUp([{}, { events: 1, relay }]);
    expect(await run(false)).toMatchObject({ started: true, attempt: { firstEventMs: undefined, durationMs: 200 } });
    expect(told).toEqual([]);
  });
});

describe("a reader that says nothing at the end", () => {
  test.each([
    ["at the body's end", [{}, {}]],
    ["with its terminal", [{ complete: true }, {}, {}]],
  ] as const)("%s is a mistake of ours, and the body is closed", async (_, steps) => {
    const { told, run } = setUp(steps);
    const result = await run(true);
    expect(result).toMatchObject({ started: false, failure: { origin: "bug", status: 500 } });
    expect(!result.started && String(result.failure.cause)).toBe(
      "Error: the reader ended without an answer or a failure",
    );
    expect(told).toEqual(["cancelled"]);
  });
});

describe("what is noted of a failed attempt", () => {
  const table: readonly (readonly [failure: Failure, outcome: string, statusCode: number | undefined])[] = [
    [statusFailure(429), "failed", 429],
    [timeoutFailure(), "failed", 504],
    [transportFailure(), "failed", undefined],
    [cancelledRequest("deadline"), "failed", 504],
    [cancelledRequest("client-left"), "cancelled", undefined],
  ];
  for (const [failure, outcome, statusCode] of table) {
    test(`${failure.origin} before the headers: ${outcome} with status ${statusCode}`, async () => {
      const clock = new FakeClock();
      clock.tick(1_000_000);
      const call: PreparedCall = {
        send() {
          clock.tick(250);
          return Promise.reject(failure);
        },
      };
      const result = await runAttempt(call, "retry", { idempotencyKey: "key" }, true, false, clock);
      expect(result).toMatchObject({ started: false, failure });
      expect(result.attempt).toEqual({
        kind: "retry",
        startedAt: clock.wallNow() - 250,
        durationMs: 250,
        firstEventMs: undefined,
        outcome: outcome === "failed" ? "failed" : "cancelled",
        statusCode,
        failure,
      });
    });
  }

  test("the provider's status stays when the connection breaks or the caller leaves after it", async () => {
    for (const failure of [transportFailure(), cancelledRequest("client-left")]) {
      expect((await setUp([{ failure }, {}]).run(true)).attempt).toMatchObject({ statusCode: 200, failure });
    }
  });
});
