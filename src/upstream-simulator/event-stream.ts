// The events of a chat stream, one string for each.

import type { Asked } from "./asked.ts";
import { chunked, streamType } from "./http-answer.ts";
import { chatEnvelope } from "./json-answer.ts";
import { spokenPieces, spokenUsage, wordsOf } from "./spoken-answer.ts";
import { write, type Bytes, type Step } from "./step.ts";

export const done = "data: [DONE]\n\n";

/** An event with this data. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A chunk event; the parts given in `change` replace the right ones. */
export function deltaEvent(asked: Asked, delta: object, change: object = {}, index = 0): string {
  const choices = [{ index, delta, finish_reason: null }];
  return event({ ...chatEnvelope(asked, "chat.completion.chunk"), choices, ...change });
}

export function roleEvent(asked: Asked, index = 0): string {
  return deltaEvent(asked, { role: "assistant", content: "" }, {}, index);
}

export function finishEvent(asked: Asked, reason: string, change: object = {}, index = 0): string {
  return deltaEvent(asked, {}, { choices: [{ index, delta: {}, finish_reason: reason }], ...change });
}

/** The event with the usage alone, when it was asked for. */
export function usageEvents(asked: Asked, words: number): string[] {
  return asked.includeUsage ? [deltaEvent(asked, {}, { choices: [], usage: spokenUsage(asked, words) })] : [];
}

/** The parts of a text stream, in order; `streamEvents` is the flat list. */
export interface TextStream {
  readonly role: string;
  readonly words: readonly string[];
  readonly finish: string;
  readonly usage: readonly string[];
  readonly done: string;
}

/** `change` goes into every chunk with text. */
export function textStream(asked: Asked, words = wordsOf(asked), change: object = {}): TextStream {
  return {
    role: roleEvent(asked),
    words: spokenPieces(asked, words).map((content) => deltaEvent(asked, { content }, change)),
    finish: finishEvent(asked, "stop"),
    usage: usageEvents(asked, words),
    done,
  };
}

function streamEvents(stream: TextStream): string[] {
  return [stream.role, ...stream.words, stream.finish, ...stream.usage, stream.done];
}

/** The right events for what was asked. */
export function rightEvents(asked: Asked, words = wordsOf(asked)): string[] {
  return streamEvents(textStream(asked, words));
}

/** The answer that ends well with exactly these events, each in a chunk of its own, all in one write. */
export function streamOf(asked: Asked, events: readonly Bytes[]): readonly Step[] {
  return [write(chunked(asked, streamType, events))];
}
