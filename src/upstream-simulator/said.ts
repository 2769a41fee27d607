// What a model says, before any dialect gives it a form.

import { defaultWords } from "./answer-text.ts";
import type { Asked } from "./asked.ts";
import { spokenPieces, spokenUsage, wordsOf } from "./spoken-answer.ts";

/** A function call; `pieces` together are the text of its arguments. */
export interface SaidCall {
  readonly kind: "call";
  readonly name: string;
  /** Chat's `call_1`; each dialect has a way of its own to write it. */
  readonly id: string;
  readonly pieces: readonly string[];
}

export type SaidPart =
  | { readonly kind: "text" | "reasoning" | "refusal"; readonly pieces: readonly string[] }
  | SaidCall;

/** In tokens. */
export interface SaidUsage {
  /** All tokens in, those from a cache among them. */
  readonly input: number;
  /** All tokens out, those of reasoning among them. */
  readonly output: number;
  readonly cached?: number;
  readonly written?: number;
  readonly reasoning?: number;
}

/** Why it ended. `error`: the model says that it broke. */
export type SaidEnd = "stop" | "length" | "calls" | "filter" | "stop-sequence" | "refusal" | "error";

export interface Said {
  readonly parts: readonly SaidPart[];
  readonly end: SaidEnd;
  readonly usage: SaidUsage;
  /** A text as it usually is; chat completions write into it that nothing was refused. */
  readonly isPlain?: boolean;
}

/** The sequence that ended an answer whose end is `stop-sequence`. */
export const stopSequence = "END";

/** These parts, with the usage of 12 words. */
export function said(asked: Asked, end: SaidEnd, ...parts: readonly SaidPart[]): Said {
  return { parts, end, usage: usageOf(asked, defaultWords) };
}

/** The right text of so many words, or the call that the model name asks for where it can be made. */
export function saidText(asked: Asked, words = wordsOf(asked)): Said {
  if (asked.tools.includes(asked.options.get("tool") ?? "") && !asked.hasToolResult) {
    return { parts: [namedCall(asked, cologneCall)], end: "calls", usage: usageOf(asked, words) };
  }
  return { parts: [text(...spokenPieces(asked, words))], end: "stop", usage: usageOf(asked, words), isPlain: true };
}

export function text(...pieces: readonly string[]): SaidPart {
  return { kind: "text", pieces };
}

/** The whole text of a part. */
export function wholeOf(part: SaidPart): string {
  return part.pieces.join("");
}

/** The arguments of a call as a value; what is no JSON stays the text that it is. */
export function argumentsOf(call: SaidCall): unknown {
  try {
    return JSON.parse(wholeOf(call));
  } catch {
    return wholeOf(call);
  }
}

/** A call about a city that is not all ASCII, its arguments in three pieces. */
export const cologneCall: SaidCall = {
  kind: "call",
  name: "get_weather",
  id: "call_1",
  pieces: ['{"city"', ':"Kö', 'ln"}'],
};

/** The call with the tool and the arguments that the model name gives, in three pieces. */
export function namedCall({ options }: Asked, call: SaidCall): SaidCall {
  const name = options.get("tool");
  if (name === undefined) return call;
  const given = options.get("arguments") ?? "{}";
  const third = Math.ceil(given.length / 3);
  const pieces = [given.slice(0, third), given.slice(third, 2 * third), given.slice(2 * third)];
  return { ...call, name, pieces: pieces.filter((piece) => piece !== "") };
}

/** Two calls; dialects that can let their pieces alternate do. */
export const parallelCalls: readonly SaidCall[] = [
  { kind: "call", name: "get_weather", id: "call_1", pieces: ['{"city":"Kö', 'ln"}'] },
  { kind: "call", name: "get_weather", id: "call_2", pieces: ['{"city', '":"大', '阪"}'] },
];

/** What a model says to itself. */
export const thought: SaidPart = { kind: "reasoning", pieces: ["let me ", "think"] };

function usageOf(asked: Asked, words: number): SaidUsage {
  const { prompt_tokens: input, completion_tokens: output } = spokenUsage(asked, words);
  return { input, output };
}
