// What the file of a provider type declares: where its operations are, whose key goes where, and which fields it spells differently.

import type { Cancellation } from "../core/cancellation.ts";
import type { Dialect, Issuer } from "../core/chat-request.ts";
import type { Clock } from "../core/clock.ts";
import type { ListedModel } from "../core/inventory.ts";
import type { ProviderConfig, ProviderTypeInfo } from "../core/provider-config.ts";
import type { Operation } from "../core/model-request.ts";
import type { ResumeRule } from "../core/resume-rule.ts";
import type { TargetFeatures } from "../core/translation.ts";
import type { UsageFamily } from "../dialects/answers/usage.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { Header } from "./answer-headers.ts";
import type { SignableRequest } from "./aws/signature.ts";
import type { RequestFields } from "./request-fields.ts";
import type { HttpClient } from "./upstream/client.ts";

/** One kind of upstream. Adding one: a file that exports it, and a line in `registry.ts`. */
export interface ProviderType {
  /** What the configuration needs to know of it. */
  readonly info: ProviderTypeInfo;
  /** How calls look for one configured provider of this type. */
  createWire(config: ProviderConfig, tools: WireTools): ProviderWire;
}

/** What a wire may use that has to ask somebody else before it can call. */
export interface WireTools {
  /** Set up for the provider's proxy. */
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** The calls of one configured provider. */
export interface ProviderWire {
  /** Request targets, base path and query included. */
  readonly paths: ProviderPaths;
  /**
   * The dialects in which one of its models can be asked, the one to translate into first; a caller who speaks one of them has his bytes passed.
   * Absent: chat completions only.
   */
  speaks?(model: string): readonly Dialect[];
  /** Every answer is a stream: what was asked for without `stream` is put together from one. Only for Responses. */
  readonly onlyStreams?: true;
  /** What it is not asked for at all, each with what the caller can do instead: a 501. */
  readonly unsupported?: Partial<Readonly<Record<Operation, string>>>;
  /** Whose state it gives out and reads. Absent: the type's name. */
  readonly issuer?: Issuer;
  /** What it takes beyond what every server of its dialect takes. */
  readonly accepts?: Partial<TargetFeatures>;
  /** The model refuses a chat history in which a turn called tools and has no `reasoning_content`. Absent: none does. */
  needsThoughts?(model: string): boolean;
  /** Tokens, for a translated request without a limit to a dialect that needs one. Absent: 4096. */
  readonly defaultMaxTokens?: number;
  /** `authorization` carries the key as a bearer token. A function: the headers depend on the key. */
  readonly keyHeader:
    | "authorization"
    | "api-key"
    | "x-api-key"
    | "x-goog-api-key"
    | ((key: string) => readonly Header[]);
  /**
   * The bearer token of the next call, for a provider whose key is no such thing but buys one; at once when it has one. Rejects with a `Failure`.
   * Absent: the configured keys are used.
   */
  accessToken?(cancellation: Cancellation): string | Promise<string>;
  /** The headers that sign a call just before it goes out, for a provider that takes signatures instead of a key. */
  sign?(request: SignableRequest): readonly Header[];
  /** Where a call in the Messages dialect carries its key; absent: as every other. */
  readonly messagesKeyHeader?: "x-api-key";
  /** How its usage objects are counted and whether they tell a cost (behaviour 1.17). */
  readonly usage: UsageFamily;
  /** It sends usage with every stream and refuses `stream_options`. Absent: it is asked for as OpenAI is. */
  readonly streamUsage?: "always";
  /** Sent with every call; a custom header of the same name replaces one. */
  readonly defaultHeaders: readonly Header[];
  /**
   * How it is asked to go on from a last message of the assistant, and how it answers. Absent: nothing has to be added, and the answer begins
   * behind the text.
   */
  readonly prefill?: Prefill;
  /** Sent with a listing, besides the default ones. */
  readonly listingHeaders?: readonly Header[];
  /** Headers that depend on the call; a custom header of the same name replaces one. */
  callHeaders?(call: CallFacts): readonly Header[];
  /**
   * The changes that a chat request needs before this provider takes it (behaviour 1.16, 3.6); undefined for none.
   * Throws a `Failure` of origin `request` for a field that cannot be honoured and changes the result.
   */
  shapeChat?(model: string, fields: RequestFields): ChatShape | undefined;
  /** The same for a Responses request; `madeForAnother`: it was translated, or another target had it before, so the caller did not mean this model. */
  shapeResponses?(model: string, fields: RequestFields, madeForAnother: boolean, call: CallFacts): readonly JsonEdit[];
  /** The models in an answer to a listing that has a form of its own; undefined: it is no listing. */
  readListing?(text: string): readonly ListedModel[] | undefined;
}

export interface ProviderPaths {
  readonly models: string;
  /** What `speaks` names has its path. */
  chatCompletions?(model: string): string;
  responses?(model: string): string;
  messages?(model: string): string;
  /** Undefined: tokens are estimated here. */
  countTokens?(model: string): string;
  generateContent?(model: string, stream: boolean): string;
  /** Undefined: this type has no embeddings. */
  readonly embeddings: ((model: string) => string) | undefined;
}

/** What a request to go on needs besides its last message. */
interface Prefill {
  /** `fresh`: the answer repeats the text. */
  readonly rule: ResumeRule;
  /** JSON members of the last message. */
  readonly lastMessage?: string;
  readonly edits?: readonly JsonEdit[];
}

/** What headers can depend on. */
export interface CallFacts {
  readonly fields: RequestFields;
  /** `X-Request-ID`; undefined when it is not short visible ASCII. */
  readonly requestId: string | undefined;
  /** The body is not the caller's own: what he says about it in his headers is not about this one. */
  readonly isTranslated: boolean;
  /** A header of the caller by lower-case name; undefined when absent or not fit to be sent on. */
  callerHeader(name: string): string | undefined;
}

/** What a chat request has to become. */
export interface ChatShape {
  readonly edits: readonly JsonEdit[];
  /** Sequences at which the gateway cuts the output, for a provider that refuses `stop`. */
  readonly stopSequences: readonly string[];
}
