// The JSON documents an upstream answers with, in the dialect that was asked for.

import type { Asked } from "./asked.ts";
import { formsOf } from "./forms-of.ts";
import { embeddingsJson, listingJson, tokenCountJson } from "./other-documents.ts";
import { saidText, type Said } from "./said.ts";
import { wordsOf } from "./spoken-answer.ts";

/** The document of this answer; the members given in `change` replace the right ones. */
export function saidJson(asked: Asked, answer: Said, change: object = {}): string {
  return JSON.stringify({ ...formsOf(asked).document(asked, answer), ...change });
}

/** The document of a text of so many words. */
export function textJson(asked: Asked, words = wordsOf(asked), change: object = {}): string {
  return saidJson(asked, saidText(asked, words), change);
}

/** The right document for what was asked. */
export function rightJson(asked: Asked, words = wordsOf(asked)): string {
  switch (asked.operation) {
    case "answer":
      return textJson(asked, words);
    case "count-tokens":
      return tokenCountJson(asked);
    case "embeddings":
      return embeddingsJson(asked);
    case "models":
      return listingJson(asked);
  }
}

/** An error document; `message`, `type` and `code` of the model name replace what is given. */
export function errorJson(asked: Asked, message: string, status: number, code: string | number | null): string {
  const { options } = asked;
  return JSON.stringify(
    formsOf(asked).error({
      message: options.get("message") ?? message,
      status,
      type: options.get("type"),
      code: options.get("code") ?? code,
    }),
  );
}
