import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import {
  defaultFailover,
  FakeProvider,
  type Script,
  statusFailure,
  timeoutFailure,
  transportFailure,
} from "../../test/support/fake-provider.ts";
import type { Admission, Refusal } from "../core/admission.ts";
import { Cancellation } from "../core/cancellation.ts";
import { cancelledRequest, Failure } from "../core/failure.ts";
import { statusList } from "../core/http-status.ts";
import type { BreakerPolicy } from "../core/policy.ts";
import type { Route } from "../core/route.ts";
import type { Turn } from "../core/turn.ts";
import { runTurn } from "./run-turn.ts";

/** Runs one turn under an admission that writes down every verdict it is given. */
function setUp(
  script: Script,
  options: {
    stream?: boolean;
    probe?: boolean;
    refusal?: Refusal;
    breaker?: Partial<BreakerPolicy>;
    streamRecovery?: Route["streamRecovery"];
  } = {},
) {
  const clock = new FakeClock();
  clock.tick(1_000_000);
  const verdicts: string[] = [];
  const admission: Admission = {
    tryAcquire: () =>
      options.refusal ?? { probe: options.probe ?? false, settle: (verdict) => void verdicts.push(verdict) },
    admits: () => true,
  };
  const provider = new FakeProvider("a", clock, [script], {
    retry: { maxRetries: 0 },
    breaker: { slowCallThresholdMs: 3000, ...options.breaker },
  });
  const events: string[] = [];
  const turns: Turn[] = [];
  const request = {
    id: "r",
    operation: "chat-completions",
    model: "m",
    providerHint: undefined,
    stream: options.stream ?? false,
    body: new Uint8Array(0),
    members: [],
    wantsStreamUsage: false,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  } as const;
  const target = { providerName: "a", model: "m" };
  const { streamRecovery = "off" } = options;
  const route: Route = { virtualModel: undefined, targets: [target], failover: false, streamRecovery };
  const result = runTurn(request, route, target, turns, {
    admission,
    providers: new Map([["a", provider]]),
    failover: defaultFailover,
    clock,
    random: () => 0.5,
    observer: {
      turnStart: () => void events.push("start"),
      turnEnd: (turn) => void events.push(turn.outcome),
    },
  });
  return { clock, provider, request, verdicts, events, turns, result };
}

const stream = (startsAfterMs: number): Script => ({ pieces: ["one", "DONE"], headersMs: startsAfterMs });

describe("the verdict of a turn without an answer", () => {
  test.each([
    ["a transport error", { fail: transportFailure() }, "failure"],
    ["a time limit", { fail: timeoutFailure() }, "failure"],
    ["a status outside the list", { fail: statusFailure(400) }, "success"],
    ["a caller who left", { fail: cancelledRequest("client-left") }, "none"],
    ["our deadline", { fail: cancelledRequest("deadline") }, "none"],
    ["our shutdown", { fail: cancelledRequest("drain") }, "none"],
  ] as const)("after %s is given once: %#", async (_, script, verdict) => {
    const { verdicts, result, turns, events } = setUp(script);
    expect(await result).toEqual({ started: false, failure: script.fail });
    expect<string[]>(verdicts).toEqual([verdict]);
    const outcome = script.fail.origin === "cancelled" ? "cancelled" : "failed";
    expect(events).toEqual(["start", outcome]);
    expect(turns).toMatchObject([{ outcome, committed: false, failure: script.fail }]);
  });

  test("a slow refusal outside the list is a failure, a slow caller's leave is not", async () => {
    const slow = setUp({ fail: statusFailure(400), afterMs: 3001 });
    await slow.clock.advance(3001);
    await slow.result;
    expect(slow.verdicts).toEqual(["failure"]);
    const left = setUp({ fail: cancelledRequest("deadline"), afterMs: 3001 });
    await left.clock.advance(3001);
    await left.result;
    expect(left.verdicts).toEqual(["none"]);
  });
});

describe("the verdict of a committed turn", () => {
  const broken = new Failure({ origin: "answer", status: 200, type: "provider_error", message: "cut" });
  test.each([
    ["succeeded", undefined, "succeeded", "success"],
    ["truncated", broken, "failed", "failure"],
    ["truncated", cancelledRequest("deadline"), "failed", "none"],
    ["truncated", cancelledRequest("drain"), "failed", "none"],
    ["cancelled", cancelledRequest("client-left"), "cancelled", "none"],
  ] as const)("%s: %#", async (outcome, failure, attemptOutcome, verdict) => {
    const { result, verdicts, turns, events } = setUp(stream(0), { stream: true });
    const turn = await result;
    if (!turn.started) throw new Error("not started");
    expect(turns).toMatchObject([{ outcome: "running", committed: true, failure: undefined }]);
    expect(verdicts).toEqual([]);
    expect(events).toEqual(["start"]);
    turn.open.end(turn.result, outcome, failure);
    expect<string[]>(verdicts).toEqual([verdict]);
    expect(events).toEqual(["start", outcome]);
    expect(turns).toMatchObject([
      { outcome, committed: true, failure, attempts: [{ outcome: attemptOutcome, failure }] },
    ]);
  });
});

test("an error inside a stream that is held back is a failure, whatever status it names", async () => {
  const breaker = { failureOnStatuses: statusList(["5xx"]) };
  const options = { stream: true, streamRecovery: "buffer", breaker } as const;
  const broken = setUp({ pieces: ["one", "ERR"] }, options);
  expect(await broken.result).toMatchObject({ started: false, failure: { status: 429 } });
  expect(broken.verdicts).toEqual(["failure"]);
  const refused = setUp({ pieces: ["ERR"] }, options);
  expect(await refused.result).toMatchObject({ started: false, failure: { status: 429 } });
  expect(refused.verdicts).toEqual(["success"]);
});

describe("slow starts", () => {
  const settled = async (startsAfterMs: number, options: Parameters<typeof setUp>[1]) => {
    const { clock, result, verdicts, turns } = setUp(stream(startsAfterMs), { stream: true, ...options });
    await clock.advance(startsAfterMs);
    const turn = await result;
    expect(turns[0]?.establishedMs).toBe(startsAfterMs);
    if (!turn.started) throw new Error("not started");
    return verdicts;
  };

  test("a stream that starts exactly at slow_call_threshold is not slow, a millisecond later it is", async () => {
    expect(await settled(3000, {})).toEqual([]);
    expect(await settled(3001, {})).toEqual(["failure"]);
  });

  test("a threshold of 0 makes nothing slow", async () => {
    expect(await settled(60_000, { breaker: { slowCallThresholdMs: 0 } })).toEqual([]);
  });

  test("a probe's start is its verdict: success, or failure when it was slow", async () => {
    expect(await settled(3000, { probe: true })).toEqual(["success"]);
    expect(await settled(3001, { probe: true })).toEqual(["failure"]);
  });

  test("a buffered answer is settled once, at its end", async () => {
    const { result, verdicts } = setUp({ pieces: ["whole"], buffered: true }, { probe: true });
    expect((await result).started).toBe(true);
    expect(verdicts).toEqual([]);
  });
});

describe("a refusal", () => {
  test.each([
    ["circuit-open", "circuit breaker is open - provider a temporarily unavailable", "circuit_open"],
    [
      "no-breaker-slot",
      "no circuit breaker slot is free for model m - provider a temporarily unavailable",
      "no_breaker_slot",
    ],
  ] as const)("%s is a skipped turn and a 503 with the code %#", async (refused, message, code) => {
    const { result, turns, events, provider } = setUp(stream(0), { refusal: { refused, retryAfterMs: 1234 } });
    const expected = { origin: refused, status: 503, type: "provider_error", message, code, retryAfterMs: 1234 };
    const turn = await result;
    expect(turn).toMatchObject({ started: false, failure: expected });
    expect(turns).toMatchObject([{ outcome: "skipped", attempts: [], failure: expected, committed: false }]);
    expect(events).toEqual(["start", "skipped"]);
    expect(provider.sent).toEqual([]);
  });
});
