// What a golden value of the Gemini dialect consists of; every expected value is written by hand from the page in `source`.

import type { ChatAnswer, ChatEvent } from "../../../src/core/chat-answer.ts";
import type { ChatRequest } from "../../../src/core/chat-request.ts";
import type { TranslationTarget } from "../../../src/core/translation.ts";

/** A request of the hub, and what Gemini is sent. */
export interface RequestCase {
  readonly name: string;
  /** Public page, or the rule of behaviour. */
  readonly source: string;
  /** What differs from an empty chat-completions request. */
  readonly request: Partial<ChatRequest>;
  /** What differs from `gemini-2.5-flash` at the provider `google`. */
  readonly target?: Partial<TranslationTarget>;
  /** The body. Undefined: see `refused`. */
  readonly expected?: unknown;
  /** Fields left out with a debug line. Default: none. */
  readonly dropped?: readonly string[];
  /** The error of status 400. */
  readonly refused?: { readonly message: string; readonly param: string };
}

/** Generated call ids are `new-1`, `new-2`, ... in both. */
export interface AnswerCase {
  readonly name: string;
  readonly source: string;
  readonly body: unknown;
  readonly expected: ChatAnswer;
}

export interface StreamCase {
  readonly name: string;
  readonly source: string;
  /** The data of its events. */
  readonly events: readonly unknown[];
  readonly expected: readonly ChatEvent[];
}
