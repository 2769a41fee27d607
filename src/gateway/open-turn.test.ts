// Which endings of a turn count for or against its provider.

import { expect, test } from "bun:test";
import { requestRecord } from "../../test/support/request-record.ts";
import { defaultBreaker } from "../../test/support/fake-provider.ts";
import type { Verdict } from "../core/admission.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import type { ModelRequest } from "../core/model-request.ts";
import { OpenTurn, type StartedAttempt } from "./open-turn.ts";

const cutOff = new Failure({ origin: "transport", status: 502, type: "provider_error", message: "cut" });

function verdictOn(failure: Failure | undefined, isLocal: boolean): Verdict | undefined {
  const [turn] = requestRecord({}).turns;
  const [attempt] = turn?.attempts ?? [];
  if (turn === undefined || attempt === undefined) throw new Error("the record has no turn");
  turn.outcome = "running";
  const verdicts: Verdict[] = [];
  const permit = { probe: false, settle: (verdict: Verdict) => void verdicts.push(verdict) };
  const observer = { turnStart() {}, turnEnd() {}, requestEnd() {} };
  const open = new OpenTurn(turn, permit, { stream: true } as ModelRequest, defaultBreaker, observer);
  const started = { started: true, attempt, answer: { isLocal } } as unknown as StartedAttempt;
  open.end(started, failure === undefined ? "succeeded" : "truncated", failure);
  // Told once more, it changes nothing.
  open.end(started, "cancelled", cutOff);
  expect(verdicts).toHaveLength(1);
  return verdicts[0];
}

test.each<[string, Failure | undefined, boolean, Verdict]>([
  ["a whole answer", undefined, false, "success"],
  ["a whole answer made here", undefined, true, "none"],
  ["a stream that was cut", cutOff, false, "failure"],
  ["a stream that our deadline cut", cancelledRequest("deadline"), false, "none"],
  ["a stream that a mistake of ours cut", unexpectedError(new TypeError("oops")), false, "none"],
])("%s: %p, %p, counts as %s", (_name, failure, isLocal, verdict) => {
  expect(verdictOn(failure, isLocal)).toBe(verdict);
});

/** What a turn comes to that fails before it begins to answer. */
function failedTurn(failure: Failure, attempts: number): readonly [outcome: string, verdict: Verdict | undefined] {
  const [turn] = requestRecord({}).turns;
  if (turn === undefined) throw new Error("the record has no turn");
  const verdicts: Verdict[] = [];
  const permit = { probe: false, settle: (verdict: Verdict) => void verdicts.push(verdict) };
  const fresh = { ...turn, outcome: "running" as const, attempts: turn.attempts.slice(0, attempts) };
  const request = { stream: false } as ModelRequest;
  new OpenTurn(fresh, permit, request, defaultBreaker, { turnStart() {}, turnEnd() {} }).fail(failure, 0);
  return [fresh.outcome, verdicts[0]];
}

const notForIt = new Failure({ origin: "request", status: 400, type: "invalid_request_error", message: "no" });

test.each([
  ["a request that it cannot be asked", notForIt, 0, "skipped", "none"],
  ["a request that it cannot be asked any more", notForIt, 1, "failed", "none"],
  ["a connection that was not made", cutOff, 0, "failed", "failure"],
] as const)("a turn that fails with %s is settled once: %#", (_name, failure, attempts, outcome, verdict) => {
  expect(failedTurn(failure, attempts)).toEqual([outcome, verdict]);
});
