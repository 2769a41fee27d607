// Ends answers at the caller's stop sequences, for targets that know none.

import type { AnswerChoice, ChatAnswer, ChatEvent, Finish } from "../../core/chat-answer.ts";
import type { AssistantPart, TextPart } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { StopMatcher } from "./stop-matcher.ts";

/** Each choice up to the first sequence in its text; what comes behind it, calls included, was never said. */
export function cutAnswerAtStop(answer: ChatAnswer, sequences: readonly string[]): ChatAnswer {
  return { ...answer, choices: answer.choices.map((choice) => cutChoice(choice, sequences)) };
}

function cutChoice(choice: AnswerChoice, sequences: readonly string[]): AnswerChoice {
  const parts: AssistantPart[] = [];
  // Texts without anything between them are one text in several parts.
  let run: TextPart[] = [];
  for (const part of [...choice.parts, undefined]) {
    if (part?.kind === "text") {
      run.push(part);
      continue;
    }
    const matcher = new StopMatcher(sequences);
    const kept = matcher.take(run.map(({ text }) => text).join(""));
    if (matcher.stopped)
      return { ...choice, parts: [...parts, ...cutRun(run, kept.length)], finish: finishAt(matcher) };
    parts.push(...run);
    run = [];
    if (part !== undefined) parts.push(part);
  }
  return choice;
}

function cutRun(run: readonly TextPart[], length: number): readonly TextPart[] {
  const kept: TextPart[] = [];
  let left = length;
  for (const part of run) {
    if (left <= 0) break;
    kept.push(part.text.length <= left ? part : cutText(part, left));
    left -= part.text.length;
  }
  return kept;
}

function cutText(part: TextPart, length: number): TextPart {
  const { annotations, logprobs, ...rest } = part;
  const inside = annotations?.filter(({ endIndex }) => endIndex === undefined || endIndex <= length);
  return {
    ...rest,
    text: part.text.slice(0, length),
    ...(inside === undefined || inside.length === 0 ? {} : { annotations: inside }),
    ...(logprobs === undefined ? {} : { logprobs: tokensWithin(logprobs, length) }),
  };
}

function finishAt({ sequence }: StopMatcher): Finish {
  return { reason: "stop-sequence", ...(sequence === undefined ? {} : { stopSequence: sequence }) };
}

/** The tokens that lie before `length` as a whole. */
function tokensWithin(logprobs: readonly unknown[], length: number): readonly unknown[] {
  let end = 0;
  return logprobs.filter((entry) => {
    end += isJsonObject(entry) && typeof entry.token === "string" ? entry.token.length : 0;
    return end <= length;
  });
}

/** What is known of one choice of a stream. */
interface OpenChoice {
  readonly matcher: StopMatcher;
  /** Of the text that is held back. */
  logprobs: readonly unknown[];
  /** Ended, by us or by the provider. */
  ended: boolean;
}

/** The same for the events of one stream. Text waits only as long as it may be the beginning of a sequence. */
export class StopCutter {
  readonly #sequences: readonly string[];
  readonly #choices = new Map<number, OpenChoice>();

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  /** The events that go on now. */
  cut(events: readonly ChatEvent[]): readonly ChatEvent[] {
    const passed: ChatEvent[] = [];
    for (const event of events) this.#pass(event, passed);
    return passed;
  }

  /** The answer ended or broke: what could have become a sequence was text after all. */
  finish(): readonly ChatEvent[] {
    const released: ChatEvent[] = [];
    for (const [index, choice] of this.#choices) if (!choice.ended) this.#release(index, choice, released);
    return released;
  }

  #pass(event: ChatEvent, passed: ChatEvent[]): void {
    if (event.kind === "start" || event.kind === "usage") {
      passed.push(event);
      return;
    }
    const choice = this.#choiceOf(event.choice);
    if (choice.ended) return;
    if (event.kind === "text") {
      this.#passText(event, choice, passed);
      return;
    }
    // What refers to a text does not part it.
    if (event.kind !== "annotation" && event.kind !== "text-state") this.#release(event.choice, choice, passed);
    if (event.kind === "finish") choice.ended = true;
    passed.push(event);
  }

  #passText(event: Extract<ChatEvent, { readonly kind: "text" }>, choice: OpenChoice, passed: ChatEvent[]): void {
    const { matcher } = choice;
    const text = matcher.take(event.text);
    const logprobs = [...choice.logprobs, ...(event.logprobs ?? [])];
    const told = matcher.stopped ? tokensWithin(logprobs, text.length) : logprobs;
    if (text !== "") passed.push(textEvent(event.choice, text, told));
    else if (event.text === "" && event.logprobs !== undefined) passed.push(event);
    choice.logprobs = text === "" && event.text !== "" ? logprobs : [];
    if (!matcher.stopped) return;
    choice.ended = true;
    passed.push({ kind: "finish", choice: event.choice, finish: finishAt(matcher) });
  }

  #release(index: number, choice: OpenChoice, passed: ChatEvent[]): void {
    const text = choice.matcher.release();
    if (text !== "") passed.push(textEvent(index, text, choice.logprobs));
    choice.logprobs = [];
  }

  #choiceOf(index: number): OpenChoice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = { matcher: new StopMatcher(this.#sequences), logprobs: [], ended: false };
      this.#choices.set(index, choice);
    }
    return choice;
  }
}

function textEvent(choice: number, text: string, logprobs: readonly unknown[]): ChatEvent {
  return { kind: "text", choice, text, ...(logprobs.length === 0 ? {} : { logprobs }) };
}
