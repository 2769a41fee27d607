// What an answer says: all of the model's words, or those behind a text that it was given to go on from.

import { answerPieces, defaultWords } from "./answer-text.ts";
import type { Asked } from "./asked.ts";

/** `~words`, for faults that do not say it themselves. */
export function wordsOf(asked: Asked): number {
  return Number(asked.options.get("words") ?? defaultWords);
}

/** The pieces in which an answer of `words` words, the given ones among them, is delivered. */
export function spokenPieces(asked: Asked, words: number): readonly string[] {
  const whole = answerPieces(asked.model, words);
  const { prefill } = asked;
  const rule = asked.options.get("prefill");
  if (prefill === undefined || (rule !== "go-on" && rule !== "echo")) return whole;
  const rest = piecesBehind(prefill, whole, asked.model);
  return rule === "echo" ? [prefill, ...rest] : rest;
}

/** Usage as in `answerUsage`, with a token in for each word that was given. */
export function spokenUsage(
  asked: Asked,
  words: number,
): { prompt_tokens: number; completion_tokens: number; total_tokens: number } {
  const prompt = 11 + (asked.prefill === undefined ? 0 : countWords(asked.prefill));
  const completion = spokenPieces(asked, words).length;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Behind its own words a model says the missing ones; behind another's the first of them is its mark, so that it can be told who speaks. */
function piecesBehind(prefill: string, whole: readonly string[], model: string): readonly string[] {
  const text = whole.join("");
  if (text.startsWith(prefill)) {
    let length = 0;
    return whole.flatMap((piece) => {
      const from = Math.max(0, prefill.length - length);
      length += piece.length;
      return from < piece.length ? [piece.slice(from)] : [];
    });
  }
  return whole.slice(countWords(prefill)).map((piece, index) => (index === 0 ? ` [${model}]` : piece));
}

function countWords(text: string): number {
  return text.split(" ").length;
}
