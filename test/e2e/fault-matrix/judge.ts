// Compares what a cell showed with what it must show; every difference is a sentence.

import type { AuditEntry } from "../../../src/admin/contract.ts";
import { attemptsMs } from "./bound.ts";
import type { Cell } from "./cell.ts";
import { errorType } from "./consequences.ts";
import type { Failed } from "./ending.ts";
import type { Answered, Expected, ExpectedAttempt, Left } from "./expectation.ts";
import { expected } from "./expected.ts";
import { codeFor, isIncomplete, typeOfStatus } from "./expected-error.ts";
import type { Observation } from "./observe.ts";
import { maxRetries, profiles } from "./profiles.ts";
import { readDocument, readError, readStream } from "./read-answer.ts";
import type { StreamEnd } from "./read-events.ts";
import { saidText } from "./said.ts";

export interface Evidence {
  readonly seen: Observation;
  readonly rows: readonly AuditEntry[];
  /** How often each target, `provider/model`, was called. */
  readonly calls: ReadonlyMap<string, number>;
  /** Calls whose connection is neither at the end of its answer nor closed. */
  readonly unclosed: number;
  readonly openTargets: ReadonlySet<string>;
}

/** Leaving must be felt by the provider within 100 ms; a machine with two busy cores adds to that. */
const closeLimitMs = 100 + 400;
/** On top of what the cell's own waits take. */
const slackMs = 6000;
const strongSlackMs = 3000;

/** Nothing when the cell is right. */
export function judge(cell: Cell, evidence: Evidence): string[] {
  const right = expected(cell);
  if (cell.caller !== "leaves at once") return differences(cell, right, evidence);
  return leftAtAnyTime(cell, right, evidence);
}

function differences(cell: Cell, right: Expected, evidence: Evidence): string[] {
  const { seen, rows, openTargets, unclosed } = evidence;
  const wrong: string[] = [];
  const check = (what: string, got: unknown, wanted: unknown): void => {
    if (!Bun.deepEquals(got, wanted)) wrong.push(`${what}: ${show(got)} instead of ${show(wanted)}`);
  };
  check("trouble at the caller", seen.trouble, undefined);
  wrong.push(...answerProblems(cell, right, seen));
  wrong.push(...rowProblems(cell, right, rows));
  const calls = new Map<string, number>();
  for (const { target, outcome } of right.attempts) {
    if (outcome !== "skipped") calls.set(target, (calls.get(target) ?? 0) + 1);
  }
  for (const { providerName, model } of cell.targets) {
    const name = `${providerName}/${model}`;
    check(`calls of ${name}`, evidence.calls.get(name) ?? 0, calls.get(name) ?? 0);
    check(
      `breaker of ${name}`,
      openTargets.has(name) ? "open" : "closed",
      right.open.includes(name) ? "open" : "closed",
    );
  }
  check("connections left open", unclosed, 0);
  if (seen.closedAfterMs !== undefined && seen.closedAfterMs > closeLimitMs) {
    wrong.push(`the provider's connection was closed ${Math.round(seen.closedAfterMs)} ms after the caller left`);
  }
  const bound =
    cell.resilience === "strong" ? strongSlackMs + attemptsMs(cell, right) : slackMs + longestMs(cell, right);
  if (seen.ms > bound) wrong.push(`took ${Math.round(seen.ms)} ms, more than ${bound}`);
  return wrong;
}

/** Whoever leaves as soon as the provider has the request may still meet the end; nothing in between is right. */
function leftAtAnyTime(cell: Cell, right: Expected, evidence: Evidence): string[] {
  const [row] = evidence.rows;
  if (evidence.rows.length !== 1 || row === undefined) return [`rows: ${evidence.rows.length} instead of 1`];
  const wrong: string[] = [];
  const cancelled = row.status_code === 499;
  if (evidence.unclosed > 0) wrong.push(`connections left open: ${evidence.unclosed}`);
  // A whole answer's connection gets a second to come to its end, whoever reads it.
  if (cancelled && evidence.seen.closedAfterMs !== undefined && evidence.seen.closedAfterMs > closeLimitMs) {
    wrong.push(
      `the provider's connection was closed ${Math.round(evidence.seen.closedAfterMs)} ms after the caller left`,
    );
  }
  const kept = row.data.attempts.every(
    ({ outcome }, index) => outcome === right.attempts[index]?.outcome || outcome === "cancelled",
  );
  if (!kept) wrong.push(`attempts: ${show(row.data.attempts.map(({ outcome }) => outcome))}`);
  if (!cancelled && row.status_code !== loggedStatus(right)) wrong.push(`status in the log: ${row.status_code}`);
  for (const { providerName, model } of cell.targets) {
    const name = `${providerName}/${model}`;
    const isOpen = evidence.openTargets.has(name);
    const mayBeOpen = right.open.includes(name);
    if (isOpen && !mayBeOpen) wrong.push(`breaker of ${name}: open`);
  }
  return wrong;
}

function answerProblems(
  cell: Cell,
  { final, attemptsInHeaders, advisesNoRetry }: Expected,
  seen: Observation,
): string[] {
  if (final.kind === "left") return leftProblems(cell, final, seen);
  const problems =
    final.kind === "failed" ? failureProblems(cell, final.ending, seen) : bodyProblems(cell, final, seen);
  const told = seen.headers?.get("x-gomodel-attempts");
  if (told !== String(attemptsInHeaders)) {
    problems.push(`X-GoModel-Attempts: ${told} instead of ${attemptsInHeaders}`);
  }
  const advice = seen.headers?.get("x-should-retry") ?? undefined;
  const wantedAdvice = advisesNoRetry ? "false" : undefined;
  if (advice !== wantedAdvice) problems.push(`x-should-retry: ${advice} instead of ${wantedAdvice}`);
  const provider = seen.headers?.get("x-gomodel-provider");
  if (provider !== final.target.providerName) problems.push(`X-GoModel-Provider: ${provider}`);
  return problems;
}

function leftProblems(cell: Cell, final: Left, seen: Observation): string[] {
  const { ending, target } = final;
  if (ending.kind === "failed" || cell.caller === "leaves in back-off") {
    return seen.status === undefined ? [] : [`an answer of status ${seen.status} although the caller had left`];
  }
  const { text, end, problems } = readStream(seen.body, cell.asks);
  const wanted = ending.kind === "in-band" ? "" : saidText(ending.said, target.model);
  return [
    ...problems,
    ...(text === wanted ? [] : [`text: ${show(text)} instead of ${show(wanted)}`]),
    ...(end === undefined ? [] : ["a terminal"]),
  ];
}

function failureProblems(cell: Cell, ending: Failed, seen: Observation): string[] {
  const problems: string[] = [];
  if (seen.status !== ending.status) problems.push(`status: ${seen.status} instead of ${ending.status}`);
  const type = seen.headers?.get("content-type") ?? "";
  if (!type.startsWith("application/json")) problems.push(`content-type: ${type}`);
  const error = readError(seen.body, cell.asks);
  if (error === undefined || !error.isComplete) return [...problems, `no error envelope: ${show(seen.body)}`];
  const code = codeFor(ending.code, cell.asks, "document");
  if (error.code !== code) problems.push(`code: ${show(error.code)} instead of ${show(code)}`);
  if ((error.param ?? null) !== null) problems.push(`param: ${show(error.param)}`);
  const wantedType = typeOfStatus(ending.status, cell.asks);
  if (error.type !== wantedType) problems.push(`type: ${show(error.type)} instead of ${wantedType}`);
  const names = ["retry-after", "retry-after-ms", "x-ratelimit-reset-requests"];
  const asks = names.some((name) => seen.headers?.has(name) === true);
  const mustAsk = ending.asksMs !== undefined || ending.code === "circuit_open";
  if (asks !== mustAsk) problems.push(mustAsk ? "no Retry-After" : "an unexpected Retry-After");
  if (ending.cause === "transport" && !seen.body.includes(cell.targets.at(-1)?.providerName ?? "")) {
    problems.push(`the message does not name the provider: ${show(seen.body)}`);
  }
  return problems;
}

function bodyProblems(cell: Cell, final: Answered, seen: Observation): string[] {
  const problems: string[] = [];
  const { ending, target } = final;
  if (seen.status !== 200) return [`status: ${seen.status} instead of 200: ${show(seen.body)}`];
  const wanted = saidText(ending.said, target.model);
  const type = seen.headers?.get("content-type") ?? "";
  if (cell.mode === "buffered") {
    if (!type.startsWith("application/json")) problems.push(`content-type: ${type}`);
    const text = readDocument(seen.body, cell.asks);
    if (text !== wanted) problems.push(`text: ${show(text)} instead of ${show(wanted)} in ${show(seen.body)}`);
    return problems;
  }
  if (!type.startsWith("text/event-stream")) problems.push(`content-type: ${type}`);
  const reading = readStream(seen.body, cell.asks);
  const { text, rest, ids, end } = reading;
  problems.push(...reading.problems);
  const isOwnOrder = target.speaks === cell.asks && ownOrder.test(cell.fault.name);
  if (!isOwnOrder) problems.push(...reading.orderProblems);
  if (ids.length > 1) problems.push(`ids: ${show(ids)}`);
  if (text !== wanted) problems.push(`text: ${show(text)} instead of ${show(wanted)}`);
  if (rest !== "") problems.push(`bytes after the last event: ${show(rest)}`);
  if (!endsSo(cell, final, end)) problems.push(`end: ${show(end)} in ...${show(seen.body.slice(-600))}`);
  return problems;
}

/** Faults whose numbers, names or order of events are the provider's own, which nobody puts right where bytes pass. */
const ownOrder =
  /^(?:sequence-missing|sequence-gaps|deltas-missing|events-unnamed|no-role|no-finish|finish-twice|block-stop-missing|event-(?:unknown|malformed|junk|null|array)-(?:first|middle)|sse-.*)$/;

/** What a provider says of its own error passes only where the caller speaks its dialect. */
function endsSo({ asks }: Cell, { ending, target }: Answered, end: StreamEnd | undefined): boolean {
  if (ending.kind === "whole") return end?.kind === "whole";
  if (end?.kind !== "error") return false;
  if (ending.kind !== "in-band" || target.speaks !== asks) return isIncomplete(end, asks);
  if (asks === "messages") return end.isComplete && end.type === typeOfStatus(ending.status, asks);
  return (end.code ?? null) === codeFor(ending.code, asks, "event") && (asks === "chat-completions" || end.isComplete);
}

function rowProblems(cell: Cell, right: Expected, rows: readonly AuditEntry[]): string[] {
  const [row] = rows;
  if (rows.length !== 1 || row === undefined) return [`rows: ${rows.length} instead of 1`];
  const problems: string[] = [];
  const status = loggedStatus(right);
  if (row.status_code !== status) problems.push(`status in the log: ${row.status_code} instead of ${status}`);
  if (row.stream !== (cell.mode === "stream")) problems.push(`stream in the log: ${row.stream}`);
  if (row.requested_model !== cell.model) problems.push(`requested model in the log: ${row.requested_model}`);
  const broken = right.final.kind === "truncated" || right.final.kind === "in-band";
  if ((row.data.stream_error !== undefined) !== broken) problems.push(`stream_error: ${show(row.data.stream_error)}`);
  if (row.data.stream_recovery !== right.recovery) {
    problems.push(`stream_recovery: ${show(row.data.stream_recovery)} instead of ${show(right.recovery)}`);
  }
  const failed = right.final.kind === "failed";
  if (failed && row.data.error_code !== (right.final.ending.code ?? undefined)) {
    problems.push(`error code in the log: ${show(row.data.error_code)}`);
  }
  if (failed && row.error_type !== errorType(right.final.ending.status))
    problems.push(`error type in the log: ${row.error_type}`);
  if (row.data.attempts.length !== right.attempts.length) {
    const got = row.data.attempts.map(({ target, kind, outcome }) => `${target} ${kind} ${outcome}`);
    return [...problems, `attempts in the log: ${show(got)} instead of ${right.attempts.length}`];
  }
  for (const [index, wanted] of right.attempts.entries()) problems.push(...attemptProblems(row, index, wanted));
  return problems;
}

function attemptProblems(row: AuditEntry, index: number, wanted: ExpectedAttempt): string[] {
  const got = row.data.attempts[index];
  if (got === undefined) return [`no attempt ${index}`];
  const same =
    got.target === wanted.target &&
    got.turn === wanted.turn &&
    got.kind === wanted.kind &&
    got.outcome === wanted.outcome &&
    wanted.statuses.includes(got.status_code) &&
    got.error_code === wanted.code;
  const { target, turn, kind, outcome, status_code, error_code } = got;
  return same
    ? []
    : [
        `attempt ${index + 1}: ${show({ target, turn, kind, outcome, status_code, error_code })} instead of ${show(wanted)}`,
      ];
}

function loggedStatus({ final }: Expected): number {
  if (final.kind === "left") return 499;
  return final.kind === "failed" ? final.ending.status : 200;
}

function longestMs(cell: Cell, { attempts }: Expected): number {
  const { limitMs, deadlineMs } = profiles[cell.profile];
  const held = cell.targets.some(({ ending }) => ending.holds !== undefined);
  const takes = Math.max(...cell.targets.map(({ ending }) => ending.takesMs ?? 0));
  if (deadlineMs > 0) return deadlineMs;
  if (cell.caller !== "stays") return 0;
  const eachMs = cell.profile === "quick" && held ? Math.min(limitMs, 2000) : takes;
  return (attempts.length + maxRetries) * eachMs;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 300 ? `${text.slice(0, 300)}... (${text.length})` : text;
}
