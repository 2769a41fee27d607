// The ports of translators: one dialect each, to and from the hub, as pure functions.

import type { ChatAnswer, StreamEvent } from "./chat-answer.ts";
import type { ChatRequest, Issuer } from "./chat-request.ts";
import type { ModelRequest } from "./model-request.ts";

/** What an encoder has to know about whom it writes for. */
export interface TranslationTarget {
  /** The configured instance, for messages. */
  readonly providerName: string;
  /** `anthropic`, `openai`, ...; also the key of its own objects in `extra_content`. */
  readonly providerType: string;
  /** The upstream's model id. */
  readonly model: string;
  /** Whose state it reads; state of others is left out (behaviour 4.6). */
  readonly issuer: Issuer;
  /** What the target takes besides text and images; what is not named here is not sent. */
  readonly accepts: TargetFeatures;
  /** Tokens, for a target that needs a limit and got none (`ANTHROPIC_DEFAULT_MAX_TOKENS`). */
  readonly defaultMaxTokens: number;
  /** Told about each field that is left out because the target cannot honour it and the answer is no worse for it (behaviour 1.16, rule 4). */
  readonly dropped: (field: string) => void;
}

export interface TargetFeatures {
  /** Files in messages (`file` parts of OpenAI; the other dialects always take them). */
  readonly files: boolean;
  /** Tools that take any text; otherwise they are sent as functions with one text parameter, and calls are turned back. */
  readonly customTools: boolean;
  /** Images and files inside tool results. */
  readonly mediaInToolResults: boolean;
  /** `reasoning_content` of earlier answers in the history. */
  readonly reasoningContent: boolean;
}

/** Towards a provider: the JSON text of the body. Throws a 400 `Failure` naming field and provider for what cannot be honoured and changes the result. */
export type EncodeChatRequest = (request: ChatRequest, target: TranslationTarget) => string;

/** Of an answer that the dialect's own reader has found whole. Throws a `Failure` of origin `answer` for a field of the wrong type (behaviour 2.9, schema drift). */
type DecodeChatAnswer = (body: Uint8Array, origin: AnswerOrigin) => ChatAnswer;

/** Where an answer comes from. */
export interface AnswerOrigin {
  /** For messages. */
  readonly providerName: string;
  readonly providerType: string;
  readonly issuer: Issuer;
}

/** For one stream. Works on what the dialect's own reader relays: whole events, without the one that is a failure. */
export interface StreamDecoder {
  /** Appends to `events`. Throws as `DecodeChatAnswer` does. */
  push(relay: Uint8Array, events: StreamEvent[]): void;
  /** The answer is complete: what was still open is closed. */
  finish(events: StreamEvent[]): void;
}

type CreateStreamDecoder = (origin: AnswerOrigin) => StreamDecoder;

/** What the answer to a caller depends on besides the provider's. */
export interface AnswerContext {
  /** The caller's request. */
  readonly request: ChatRequest;
  /** Added to the answer as `provider` (behaviour 4.1). */
  readonly providerType: string;
  /** Whose state the provider's is. */
  readonly issuer: Issuer;
  /** For ids that the provider did not give: 24 characters of a-z and 0-9, new at each call. */
  readonly newId: () => string;
  /** Seconds since the epoch. */
  readonly now: number;
  /** What the prompt uses, as far as can be told without asking; worked out when called. */
  readonly estimateInputTokens: () => number;
}

/** Towards a caller: the bytes of the body. */
type EncodeChatAnswer = (answer: ChatAnswer, context: AnswerContext) => Uint8Array;

/** For one stream. Every byte it gives belongs to a whole event; together they are one well-formed answer of the dialect. */
export interface StreamEncoder {
  /** Undefined: nothing to say yet. */
  encode(events: readonly StreamEvent[]): Uint8Array | undefined;
  /** Says the last events, closes what is open and ends with the dialect's terminal. Called at most once, and then nothing else. Default: no events. */
  finish(last?: readonly StreamEvent[]): Uint8Array;
  /** The dialect's one terminal for an answer that broke (behaviour 2.9), instead of `finish`. Changes nothing: it may be asked again. */
  breakOff(message: string, code: string): Uint8Array;
}

type CreateStreamEncoder = (context: AnswerContext) => StreamEncoder;

/** One dialect towards providers. */
export interface ProviderTranslator {
  readonly encodeRequest: EncodeChatRequest;
  readonly decodeAnswer: DecodeChatAnswer;
  readonly createDecoder: CreateStreamDecoder;
}

/** One dialect that callers speak, too. */
export interface ClientTranslator extends ProviderTranslator {
  /** Throws a 400 `Failure` naming the field for what is no valid request of the dialect. */
  readonly decodeRequest: (request: ModelRequest) => ChatRequest;
  readonly encodeAnswer: EncodeChatAnswer;
  readonly createEncoder: CreateStreamEncoder;
}
