// What happened to one HTTP request, filled in as it happens.

import type { Failure } from "./failure.ts";
import type { AnswerFacts, Operation } from "./model-request.ts";
import type { Target } from "./target.ts";
import type { Turn } from "./turn.ts";
import type { Cost } from "./usage.ts";

export interface RequestRecord {
  /** `X-Request-ID`. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  durationMs: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly clientIp: string;
  readonly userAgent: string;
  authMethod: "master_key" | "no_key" | undefined;
  /** First 16 hex characters of the SHA-256 of the key that was sent. */
  apiKeyHash: string | undefined;
  /** A model route: logged even with `LOGGING_ONLY_MODEL_INTERACTIONS`. */
  readonly modelRoute: boolean;
  operation: Operation | undefined;
  requestedModel: string | undefined;
  virtualModel: string | undefined;
  stream: boolean;
  /** The stream is held back until its end (`stream_recovery: buffer`). */
  holdsBack: boolean;
  readonly turns: Turn[];
  /** The target whose answer went to the caller. */
  answeredBy: Target | undefined;
  /** Status sent, or 499 when the caller left before the end. 0 until known. */
  statusCode: number;
  /** What the caller was told, or why a stream broke. */
  failure: Failure | undefined;
  /** A stream that was committed and did not end properly: the reason in words. */
  streamError: string | undefined;
  /** From receiving the request to its first data event, streams only. */
  firstEventMs: number | undefined;
  facts: AnswerFacts | undefined;
  /** The other answers that were read for the caller: broken ones that another target was to go on with, and what it began in vain. Each with what it used. */
  brokenParts: readonly BrokenPart[];
  /** What came of going on at another target with a broken stream; undefined when none broke or recovery is off. */
  streamRecovery: RecoveryOutcome | undefined;
  /** Of everything that was used; undefined before the end and for requests without an answer. */
  cost: Cost | undefined;
  /** Present when bodies are logged; the bytes as received. */
  requestBody: Uint8Array | undefined;
  /** Present when bodies are logged; what was delivered, in pieces. */
  readonly responseBody: Uint8Array[];
  /** Present when headers are logged. */
  readonly requestHeaders: KeptHeaders | undefined;
  /** `content-length` of the request; undefined when it had none. */
  readonly requestLength: number | undefined;
  responseHeaders: Readonly<Record<string, string>> | undefined;
}

/** Headers of a request without its content-length: many requests may have come with the same ones. */
export interface KeptHeaders {
  /** What `render` makes of them, by name in lower case. It is asked once for all of those requests. */
  rendered(render: (values: Readonly<Record<string, string>>) => string): string;
}

/**
 * recovered: the caller got the whole answer. impossible: what was delivered cannot be gone on with. diverged: the other target said something
 * else. exhausted: no other target was left, or none of them could.
 */
export type RecoveryOutcome = "recovered" | "impossible" | "diverged" | "exhausted";

/** The beginning of an answer, billed like a whole one. */
export interface BrokenPart {
  readonly target: Target;
  readonly facts: AnswerFacts;
}

/** Where events of turns leave sideways. Never awaited, never throws into a request. */
export interface Observer {
  turnStart(target: Target, operation: Operation, stream: boolean): void;
  /** After the turn's last attempt: for a committed stream when it ended. */
  turnEnd(turn: Turn, operation: Operation, stream: boolean): void;
}
