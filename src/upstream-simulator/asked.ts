// What a request wants, as far as an answer depends on it.

export type AnswerMode = "buffered" | "stream";

export interface Asked {
  /** As the request wrote it; empty for a listing. */
  readonly model: string;
  readonly operation: "chat" | "embeddings" | "models";
  readonly mode: AnswerMode;
  /** `stream_options.include_usage`. */
  readonly includeUsage: boolean;
  /** The text of a last message from the assistant, which the answer may go on from. */
  readonly prefill: string | undefined;
  /** Models a listing names. */
  readonly models: readonly string[];
  /** Added to the head of the answer, from the model name. */
  readonly extraHeaders: readonly (readonly [name: string, value: string])[];
  /** `end`, `message`, `code`, `type`, `words`, `prefill` from the model name. */
  readonly options: ReadonlyMap<string, string>;
  /** For what is random about an answer, so that a seed repeats it. */
  readonly seed: number;
}
