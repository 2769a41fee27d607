// What a request wants, as far as an answer depends on it.

import type { Dialect } from "../core/chat-request.ts";

export type AnswerMode = "buffered" | "stream";

/** `answer`: what a model says. */
export type AskedOperation = "answer" | "count-tokens" | "embeddings" | "models";

export interface Asked {
  /** As the request wrote it; empty for a listing. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly operation: AskedOperation;
  readonly mode: AnswerMode;
  /** `stream_options.include_usage`; only chat completions leave the usage out unless it is asked for. */
  readonly includeUsage: boolean;
  /** The text of a last message from the assistant, which the answer may go on from. */
  readonly prefill: string | undefined;
  /** Whether the last message is the result of a tool, which a model that calls tools answers with text. */
  readonly hasToolResult: boolean;
  /** Names of the functions that the model may call. */
  readonly tools: readonly string[];
  /** Models a listing names. */
  readonly models: readonly string[];
  /** Added to the head of the answer, from the model name. */
  readonly extraHeaders: readonly (readonly [name: string, value: string])[];
  /** `end`, `message`, `code`, `type`, `words`, `prefill`, `tool`, `arguments` from the model name. */
  readonly options: ReadonlyMap<string, string>;
  /** For what is random about an answer, so that a seed repeats it. */
  readonly seed: number;
}
