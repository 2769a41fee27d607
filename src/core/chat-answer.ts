// A model's answer as the hub between dialects, whole and as the events of a stream.

import type { Annotation, AssistantPart, ProviderState, UnknownMembers } from "./chat-request.ts";
import type { JsonPieces } from "./json-pieces.ts";
import type { Usage } from "./usage.ts";

/**
 * Why an answer ended. `stop-sequence`: at one of the caller's. `context-length`: the window was full, not `max_tokens`. `refusal`: the model declined;
 * `content-filter`: a filter did. `pause`: the provider wants to be called again with the same history. `unknown`: see `raw`; never to be told as a `stop`.
 */
export type FinishReason =
  | "stop"
  | "stop-sequence"
  | "length"
  | "context-length"
  | "tool-calls"
  | "content-filter"
  | "refusal"
  | "pause"
  | "unknown";

export interface Finish {
  readonly reason: FinishReason;
  /** As the provider wrote it. */
  readonly raw?: string;
  readonly stopSequence?: string;
}

export interface AnswerChoice {
  readonly index: number;
  /** In the order in which the model said them. */
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
  readonly unknown?: UnknownMembers;
}

export interface ChatAnswer {
  /** The provider's id, in its own form. */
  readonly id?: string;
  readonly model?: string;
  /** Seconds since the epoch. */
  readonly created?: number;
  readonly serviceTier?: string;
  /** Never empty. */
  readonly choices: readonly AnswerChoice[];
  readonly usage?: Usage;
  readonly unknown?: UnknownMembers;
}

/**
 * One step of a streamed answer, in the order in which the provider sent them. `choice` is 0 unless `n` was asked for. `call` numbers the tool calls of a
 * choice from 0 without gaps; pieces of several calls may alternate. Of reasoning and text there is one run at a time in a choice: a run ends where
 * something else begins, or with `end-of-reasoning`. There is no event for the end: it is told by the terminal (`StreamEncoder.finish`).
 */
export type ChatEvent =
  /** Once, first; `usage` when the provider tells what the prompt used before it begins. */
  | {
      readonly kind: "start";
      readonly id?: string;
      readonly model?: string;
      readonly created?: number;
      readonly serviceTier?: string;
      readonly usage?: Usage;
      readonly unknown?: UnknownMembers;
    }
  | { readonly kind: "text"; readonly choice: number; readonly text: string; readonly logprobs?: readonly unknown[] }
  | { readonly kind: "annotation"; readonly choice: number; readonly annotation: Annotation }
  | { readonly kind: "refusal"; readonly choice: number; readonly text: string }
  | { readonly kind: "reasoning"; readonly choice: number; readonly text: string; readonly isSummary?: boolean }
  /** Ends the run of reasoning; one without text before it is a block of state alone. */
  | { readonly kind: "end-of-reasoning"; readonly choice: number; readonly state?: ProviderState }
  /** State that belongs to the text before it (Google). */
  | { readonly kind: "text-state"; readonly choice: number; readonly state: ProviderState }
  | {
      readonly kind: "tool-call";
      readonly choice: number;
      readonly call: number;
      readonly id: string;
      readonly name: string;
      readonly toolKind: "function" | "custom";
      readonly state?: ProviderState;
    }
  | { readonly kind: "tool-arguments"; readonly choice: number; readonly call: number; readonly text: string }
  | { readonly kind: "audio"; readonly choice: number; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "finish"; readonly choice: number; readonly finish: Finish }
  /** The last one counts. */
  | { readonly kind: "usage"; readonly usage: Usage };

/**
 * Pieces of text, of reasoning or of a call's arguments that came together, each of which is an event of its own: said as one, with their bytes as they are in
 * the provider's JSON, since nearly all that a stream says is this.
 */
export interface PiecesEvent {
  readonly kind: "pieces";
  readonly of: "text" | "reasoning" | "tool-arguments";
  readonly choice: number;
  /** Of arguments; else 0. */
  readonly call: number;
  /** Of reasoning. */
  readonly isSummary: boolean;
  readonly pieces: JsonPieces;
}

/** What decoders give and encoders take. */
export type StreamEvent = ChatEvent | PiecesEvent;
