// A model request as the hub between dialects: everything that at least two of them can say, and what only one says kept apart.

/** Wire formats that translators exist for. */
export type Dialect = "chat-completions" | "responses" | "messages" | "gemini";

/** Members that no translator knows, by name; handed on unchanged (behaviour 1.16, rule 1). */
export type UnknownMembers = Readonly<Record<string, unknown>>;

/** Whose state something is: `anthropic`, `openai`, `google`, else a provider type. Nobody else can read it. */
export type Issuer = string;

/**
 * What a provider wants back unread with the history. signature: proof of the reasoning text beside it (Anthropic `signature`). redacted: reasoning without
 * text (Anthropic `redacted_thinking.data`). encrypted: reasoning of which at most a summary is shown (OpenAI `encrypted_content`).
 * thought: belongs to the tool call or text that carries it (Google `thoughtSignature`).
 */
export interface ProviderState {
  readonly issuer: Issuer;
  readonly kind: "signature" | "redacted" | "encrypted" | "thought";
  readonly value: string;
  /** Of the item it came with, where the issuer wants that back, too (`rs_...`). */
  readonly id?: string;
}

/** Where the bytes of an image or a file are. `data`: base64. `file-id`: stored at its issuer. `text`: the document itself, as text. */
export type MediaSource =
  | { readonly from: "url"; readonly url: string }
  | { readonly from: "data"; readonly mediaType: string; readonly data: string }
  | { readonly from: "file-id"; readonly id: string; readonly issuer: Issuer }
  | { readonly from: "text"; readonly text: string };

interface PartOfMessage {
  /** Anthropic's `cache_control` as it came; a hint, dropped for everybody else. */
  readonly cacheControl?: unknown;
  readonly unknown?: UnknownMembers;
}

/** A place that a text refers to: `kind` tells what is set. Indices are in UTF-16 units of the text that carries it. */
export interface Annotation {
  readonly kind: "url" | "document" | "other";
  readonly url?: string;
  readonly title?: string;
  readonly citedText?: string;
  readonly startIndex?: number;
  readonly endIndex?: number;
  /** As it came, with the dialect that can say it so. */
  readonly raw: { readonly dialect: Dialect; readonly value: unknown };
}

export interface TextPart extends PartOfMessage {
  readonly kind: "text";
  readonly text: string;
  readonly annotations?: readonly Annotation[];
  /** As the OpenAI dialects write them: `{content:[...]}` is kept as the list in it. */
  readonly logprobs?: readonly unknown[];
  readonly state?: ProviderState;
}

export interface RefusalPart extends PartOfMessage {
  readonly kind: "refusal";
  readonly text: string;
}

export interface ImagePart extends PartOfMessage {
  readonly kind: "image";
  readonly source: MediaSource;
  /** `low`, `high`, `auto`; absent: the provider's default. */
  readonly detail?: string;
}

export interface FilePart extends PartOfMessage {
  readonly kind: "file";
  readonly source: MediaSource;
  readonly filename?: string;
  readonly title?: string;
}

export interface AudioPart extends PartOfMessage {
  readonly kind: "audio";
  /** Base64. */
  readonly data: string;
  /** `wav`, `mp3`. */
  readonly format: string;
}

/** What the model thought. `text` is what may be shown, empty when nothing may. */
export interface ReasoningPart extends PartOfMessage {
  readonly kind: "reasoning";
  readonly text: string;
  /** `text` is a summary and not the thinking itself. */
  readonly isSummary?: boolean;
  readonly state?: ProviderState;
}

export interface ToolCallPart extends PartOfMessage {
  readonly kind: "tool-call";
  readonly id: string;
  readonly name: string;
  /** function: JSON text, numbers as they were written. custom: the input itself. */
  readonly arguments: string;
  readonly toolKind: "function" | "custom";
  readonly state?: ProviderState;
}

/** A block that only its own dialect has (server tools and their results, search results and the like). */
export interface OpaquePart {
  readonly kind: "opaque";
  readonly dialect: Dialect;
  /** Its `type`. */
  readonly type: string;
  readonly value: unknown;
  /** What a hosted tool did, while what came of it is said in the text beside it: a target that does not know it can do without. */
  readonly record?: true;
}

export type ContentPart = TextPart | ImagePart | FilePart | AudioPart | OpaquePart;
export type AssistantPart = TextPart | RefusalPart | ReasoningPart | ToolCallPart | AudioPart | OpaquePart;

interface AnyMessage {
  readonly name?: string;
  readonly unknown?: UnknownMembers;
}

export interface InstructionMessage extends AnyMessage {
  readonly role: "system" | "developer";
  readonly parts: readonly ContentPart[];
}

export interface UserMessage extends AnyMessage {
  readonly role: "user";
  readonly parts: readonly ContentPart[];
}

/** Parts in the order in which the model said them. */
export interface AssistantMessage extends AnyMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
}

/** The result of one tool call. Dialects that have no such message put it into the one of the user that follows. */
export interface ToolMessage extends AnyMessage {
  readonly role: "tool";
  readonly callId: string;
  readonly toolKind: "function" | "custom";
  readonly parts: readonly ContentPart[];
  readonly isError: boolean;
  readonly cacheControl?: unknown;
}

export type ChatMessage = InstructionMessage | UserMessage | AssistantMessage | ToolMessage;

export interface FunctionTool {
  readonly kind: "function";
  readonly name: string;
  readonly description?: string;
  /** JSON schema; absent: no parameters. */
  readonly parameters?: unknown;
  readonly strict?: boolean;
  readonly cacheControl?: unknown;
  readonly unknown?: UnknownMembers;
}

/** Takes any text, or text of a grammar (`format` as OpenAI writes it). */
export interface CustomTool {
  readonly kind: "custom";
  readonly name: string;
  readonly description?: string;
  readonly format?: unknown;
  readonly unknown?: UnknownMembers;
}

/** Run by the provider, or a kind that only its own dialect has. */
export interface HostedTool {
  readonly kind: "hosted";
  readonly dialect: Dialect;
  readonly type: string;
  /** As it came. */
  readonly value: unknown;
}

export type ChatTool = FunctionTool | CustomTool | HostedTool;

export type ToolChoice =
  | { readonly kind: "auto" | "required" | "none" }
  | { readonly kind: "named"; readonly toolKind: "function" | "custom"; readonly name: string }
  /** Only these may be called; `required`: one of them must be. */
  | { readonly kind: "allowed"; readonly required: boolean; readonly names: readonly string[] }
  | { readonly kind: "hosted"; readonly dialect: Dialect; readonly type: string; readonly value: unknown };

/** How much to think. What the caller did not say is absent. */
export interface ReasoningSettings {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`, or what a provider invents. */
  readonly effort?: string;
  /** Tokens. */
  readonly budgetTokens?: number;
  /** As Anthropic says it. */
  readonly mode?: "adaptive" | "enabled" | "disabled";
  /** `auto`, `concise`, `detailed` (Responses). */
  readonly summary?: string;
  /** `summarized`, `omitted` (Messages). */
  readonly display?: string;
}

export type OutputFormat =
  | { readonly kind: "text" | "json" }
  | {
      readonly kind: "json-schema";
      /** The OpenAI dialects need one. */
      readonly name?: string;
      readonly description?: string;
      readonly schema: unknown;
      readonly strict?: boolean;
    };

/** A known field that only the caller's dialect has. What another dialect does with it: `harmless`: dropped, with a debug line; `changes-result`: a 400. */
export interface OwnField {
  readonly name: string;
  readonly value: unknown;
  readonly weight: "harmless" | "changes-result";
}

/** Immutable; every target's encoding is made from it. Absent means: the caller did not say. */
export interface ChatRequest {
  readonly dialect: Dialect;
  /** The name that the caller wrote. */
  readonly model: string;
  readonly stream: boolean;
  /** Of a chat-completions stream; the other dialects always tell. */
  readonly wantsStreamUsage: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** `n`. */
  readonly choices?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly logitBias?: unknown;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  readonly reasoning?: ReasoningSettings;
  readonly format?: OutputFormat;
  readonly verbosity?: string;
  /** `user`, `metadata.user_id`. */
  readonly user?: string;
  /** OpenAI's pairs; Anthropic's only member is `user`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly serviceTier?: string;
  readonly store?: boolean;
  readonly promptCacheKey?: string;
  /** A context that the provider keeps: only its issuer can go on from it. */
  readonly previousResponseId?: string;
  readonly own: readonly OwnField[];
  readonly unknown: UnknownMembers;
}
