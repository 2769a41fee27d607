// Decides what a caller saw, and whether it was the truth.

import type { Dialect } from "../../core/chat-request.ts";
import type { AnswerMode } from "../../upstream-simulator/asked.ts";
import { answerText } from "../../upstream-simulator/answer-text.ts";
import type { FaultDescription } from "../../upstream-simulator/fault.ts";
import type { Target } from "../../core/target.ts";
import { targetName } from "../../core/target.ts";
import type { Seen } from "./ask.ts";
import type { CallOutcome } from "./outcome.ts";
import { saysRight } from "./right-words.ts";
import { envelopeOf, errorIn, looseError, readDocument, readStream } from "./read-answer.ts";

export interface Evidence {
  readonly mode: AnswerMode;
  readonly seen: Seen;
  /** Who was called, in order. */
  readonly calls: readonly Target[];
  /** Those with the fault; the others give a right answer of the usual words. */
  readonly faulty: readonly Target[];
  readonly fault: FaultDescription;
  /** What a target is asked in. */
  readonly speaks: (target: Target) => Dialect;
  /** What the gateway itself logged as an error of its own. */
  readonly bugs: readonly string[];
}

/** Faults whose right answer has words of its own, beside all of the group `healthy`. */
const ownWords: readonly string[] = ["large", "event-large", "message-missing"];

export function judge(evidence: Evidence): CallOutcome {
  const { seen, calls, bugs, mode } = evidence;
  const effort = { attempts: calls.length, ms: seen.ms };
  const wrong = (why: string): CallOutcome => ({ kind: "wrong", why, ...effort });
  const [bug] = bugs;
  if (bug !== undefined) return wrong(`the gateway met an error of its own: ${bug}`);
  if (seen.trouble !== undefined) return wrong(`the gateway broke the connection: ${seen.trouble}`);
  if (seen.status === undefined) return { kind: "endless", begun: false, ...effort };
  if (seen.status !== 200)
    return errorOutcome(evidence, seen.status) ?? wrong(`status ${seen.status} without an error`);
  const type = seen.headers?.get("content-type") ?? "";
  const wanted = mode === "stream" ? "text/event-stream" : "application/json";
  if (!type.startsWith(wanted)) return wrong(`status 200 with the content-type "${type}"`);
  if (mode === "stream") return streamOutcome(evidence, wrong);
  if (seen.left) return wrong("a document that never ends");
  const text = readDocument(seen.body);
  if (text === undefined) return wrong("status 200 with a body that is no answer");
  return wholeOutcome(evidence, text) ?? wrong(textProblem(text));
}

function errorOutcome({ seen, calls }: Evidence, status: number): CallOutcome | undefined {
  const envelope = envelopeOf(errorIn(seen.body));
  if (envelope === undefined || seen.left) return undefined;
  const retryAfter = seen.headers?.get("retry-after") ?? undefined;
  return { kind: "error", status, ...envelope, retryAfter, attempts: calls.length, ms: seen.ms };
}

function streamOutcome(evidence: Evidence, wrong: (why: string) => CallOutcome): CallOutcome {
  const { seen, calls } = evidence;
  const effort = { attempts: calls.length, ms: seen.ms };
  const { text, data, rest } = readStream(seen.body);
  const last = data.at(-1) ?? "";
  const errors = data.map(errorIn).filter((error) => error !== undefined);
  const ends = data.filter((value) => value === "[DONE]").length;
  if (errors.length === 0 && ends === 0) {
    if (seen.left) return { kind: "endless", begun: true, ...effort };
    return wrong("BROKEN SILENTLY: the stream ends as if it were whole, without [DONE] or an error");
  }
  if (seen.left) return wrong("the stream goes on after its end");
  if (rest !== "") return wrong("bytes after the last event of the stream");
  if (errors.length === 0) {
    if (ends > 1 || last !== "[DONE]") return wrong("events after the end of the stream");
    return wholeOutcome(evidence, text) ?? wrong(textProblem(text));
  }
  const error = errorIn(last);
  if (errors.length > 1 || ends > 0 || error === undefined) return wrong("events after the error of the stream");
  if (!beganInOwnWords(evidence) && !saysRight(text, modelsOf(evidence), false)) {
    return wrong(`ALTERED: the broken stream says ${shortened(text)}`);
  }
  return { kind: "cut", ...looseError(error), ...effort };
}

/** Undefined when the words are not those of any target that was called. */
function wholeOutcome(evidence: Evidence, text: string): CallOutcome | undefined {
  const { seen, calls } = evidence;
  if (!hasOwnWords(evidence) && !saysRight(withoutOwnWords(evidence, text), modelsOf(evidence), true)) return undefined;
  const last = calls.at(-1);
  const from = last === undefined ? "nobody" : targetName(last);
  const told = `${seen.headers?.get("x-gomodel-provider")}/${seen.headers?.get("x-gomodel-model")}`;
  return { kind: "whole", from, begunBy: told === from ? undefined : told, attempts: calls.length, ms: seen.ms };
}

/** A stream that was continued has the beginning of one and the end of another. */
function modelsOf({ calls }: Evidence): string[] {
  return calls.map(({ model }) => model);
}

/** Whether the answer is the faulty target's, and that has no words to compare with. */
function hasOwnWords({ calls, faulty, fault, speaks }: Evidence): boolean {
  const last = calls.at(-1);
  if (last === undefined) return false;
  const isFaulty = faulty.some(({ providerName, model }) => providerName === last.providerName && model === last.model);
  const isEmpty = fault.name === "choices-empty" && fault.wholeIn(speaks(last));
  return isFaulty && (isEmpty || fault.group === "healthy" || ownWords.includes(fault.name));
}

/** Whether a stream that broke may hold words of a faulty target that cannot be compared, whoever was to go on with them. */
function beganInOwnWords(evidence: Evidence): boolean {
  const { calls, faulty, fault } = evidence;
  const wasCalled = faulty.some((target) => calls.some((call) => targetName(call) === targetName(target)));
  return hasOwnWords(evidence) || (wasCalled && fault.name === "finish-error");
}

/** Of a stream that began in words of its own and was gone on with: those words replaced by what is usual in their place. */
function withoutOwnWords(evidence: Evidence, text: string): string {
  if (evidence.mode !== "stream" || !beganInOwnWords(evidence)) return text;
  const [first = "", ...others] = modelsOf(evidence);
  const words = text.split(" ");
  const mark = words.findIndex((word) => others.some((model) => word === `[${model}]`));
  return mark <= 0 ? text : [...answerText(first).split(" ").slice(0, mark), ...words.slice(mark)].join(" ");
}

function textProblem(text: string): string {
  return `BROKEN SILENTLY: passed off as whole, the answer says ${text === "" ? "nothing" : shortened(text)}`;
}

function shortened(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.length <= 80 ? quoted : `${quoted.slice(0, 80)}...`;
}
