// A chat stream of text by its parts, for what only chat completions do with them.

import type { Asked } from "../asked.ts";
import { saidText } from "../said.ts";
import { spokenPieces, wordsOf } from "../spoken-answer.ts";
import { usageEvents } from "./chat-completions.ts";
import { deltaEvent, finishEvent, roleEvent } from "./chat-events.ts";

/** In order; `[DONE]` follows. */
export interface ChatText {
  readonly role: string;
  readonly words: readonly string[];
  readonly finish: string;
  readonly usage: readonly string[];
}

/** `change` goes into every chunk with text. */
export function chatText(asked: Asked, words = wordsOf(asked), change: object = {}): ChatText {
  return {
    role: roleEvent(asked),
    words: spokenPieces(asked, words).map((content) => deltaEvent(asked, { content }, change)),
    finish: finishEvent(asked, "stop"),
    usage: usageEvents(asked, saidText(asked, words).usage).map(({ text }) => text),
  };
}
