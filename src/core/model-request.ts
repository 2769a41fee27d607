// One caller's request to a model: the original bytes and the few facts the gateway needs of them.

import type { Cancellation } from "./cancellation.ts";
import type { Failure } from "./failure.ts";
import type { Usage } from "./usage.ts";

/** Where one top-level member of a JSON object lies in its bytes. Offsets are bytes, ends are exclusive. */
export interface JsonMember {
  /** Decoded name. */
  readonly key: string;
  /** The opening quote of the name. */
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** What is asked of a provider, and in which dialect; also the endpoint label of metrics. */
export type Operation = "chat-completions" | "responses" | "messages" | "count-tokens" | "embeddings";

/** A caller's request. Never changed: every target's wire form is made anew from `body`. */
export interface ModelRequest {
  /** `X-Request-ID`. */
  readonly id: string;
  readonly operation: Operation;
  /** As the caller wrote it: a virtual model, a bare id or `provider/model`. */
  readonly model: string;
  /** The body's `provider` field, never forwarded. */
  readonly providerHint: string | undefined;
  readonly stream: boolean;
  /** Of the caller's URL, with its question mark (`?beta=true`). Goes up where the dialect stays the same. */
  readonly query?: string;
  /** The last message is the beginning of the answer, to be gone on with. */
  readonly continues?: true;
  /** The bytes as received: one valid JSON object. */
  readonly body: Uint8Array;
  /** Top-level members of `body`, in order. */
  readonly members: readonly JsonMember[];
  /** `stream_options.include_usage` as the caller sent it. */
  readonly wantsStreamUsage: boolean;
  /** A valid `Idempotency-Key`; sent on every attempt of the first turn, never on a failover. */
  readonly idempotencyKey: string | undefined;
  /** The caller's headers, for the few that a provider type sends on (decisions 28). */
  readonly callerHeaders?: { get(name: string): string | null };
  readonly cancellation: Cancellation;
  /** On the clock's monotonic scale; undefined without `REQUEST_DEADLINE`. */
  readonly deadline: number | undefined;
}

/** The error event that ends a broken stream in the caller's dialect, and whatever else only that dialect knows. */
export interface ClientDialect {
  /** `content-type` of a stream. */
  readonly streamContentType: string;
  /** Means nothing to the caller's SDK and keeps the connection busy. */
  readonly heartbeat: Uint8Array;
  /** The body of an error answer; `requestId` as in `X-Request-ID`. */
  errorBody(failure: Failure, requestId: string): string;
  /** Complete events, the dialect's one terminal for a stream that was committed and cannot be finished. */
  streamError(message: string, code: string): Uint8Array;
  /** Complete events that say what the error answer would have said, for a caller who has the status 200 already. */
  failureEvent(failure: Failure): Uint8Array;
}

/** What an answer told about itself. */
export interface AnswerFacts {
  readonly usage: Usage | undefined;
  /** Label of `gomodel_empty_responses_total` for an answer delivered all the same. */
  readonly emptyReason: "no_usage" | "no_output" | undefined;
  /** Malformed events that were left out of the stream, each worth a warning (behaviour 2.12). Absent: none. */
  readonly skippedEvents?: number;
}
