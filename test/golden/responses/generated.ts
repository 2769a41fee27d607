// Generated requests and answers that Responses can say in full.

import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { ChatAnswer, Finish } from "../../../src/core/chat-answer.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ContentPart,
  OwnField,
  ProviderState,
  ToolChoice,
} from "../../../src/core/chat-request.ts";

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const maybe = <T>(values: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(values, { nil: undefined, freq: 2 });
/** Never null: that counts as absent. */
const unknown = fc.dictionary(
  fc.constantFrom("x_a", "x_b", "__proto__"),
  json.filter((value) => value !== null),
  { minKeys: 1, maxKeys: 2 },
);

/** Without the members that are undefined. */
function record<T extends object>(members: { readonly [K in keyof T]: Arbitrary<T[K] | undefined> }): Arbitrary<T> {
  return fc.record(members as Record<string, Arbitrary<unknown>>).map((value) => {
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
  });
}

const kind = <K extends string>(value: K) => fc.constant(value);
const text = record<Extract<ContentPart, { kind: "text" }>>({
  kind: kind("text"),
  text: words,
  unknown: maybe(unknown),
});
const plainText = words.map((value) => ({ kind: "text", text: value }) as const);
const ownFile = fc.record({ from: kind("file-id"), id: name, issuer: kind("openai") });
const data = (mediaType: string) => fc.record({ from: kind("data"), mediaType: fc.constant(mediaType), data: base64 });
const url = name.map((path) => ({ from: "url", url: `https://x.test/${path}` }) as const);
const image = record<Extract<ContentPart, { kind: "image" }>>({
  kind: kind("image"),
  source: fc.oneof(url, data("image/png"), ownFile),
  detail: maybe(fc.constantFrom("low", "high", "auto")),
  unknown: maybe(unknown),
});
const file = fc.oneof(
  fc.record({ kind: kind("file"), source: data("application/pdf"), filename: name }),
  fc.record({ kind: kind("file"), source: fc.oneof(url, ownFile) }),
);
const audio = fc.record({ kind: kind("audio"), data: base64, format: fc.constantFrom("wav", "mp3") });
const media: Arbitrary<ContentPart> = fc.oneof(image, file, audio);

/** One text, or texts among which there is something else: texts alone become one. */
const content: Arbitrary<readonly ContentPart[]> = fc.oneof(
  text.map((part) => [part]),
  fc
    .tuple(fc.array(text, { maxLength: 2 }), media, fc.array(text, { maxLength: 2 }))
    .map(([a, b, c]) => [...a, b, ...c]),
);

const ownState = record<ProviderState>({
  issuer: kind("openai"),
  kind: kind("encrypted"),
  value: base64,
  id: maybe(name.map((id) => `rs_${id}`)),
});
const reasoning: Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ kind: kind("reasoning"), text: words, isSummary: fc.constant(true), state: ownState }),
  fc.record({ kind: kind("reasoning"), text: kind(""), state: ownState }),
);
const call: Arbitrary<AssistantPart> = record<Extract<AssistantPart, { kind: "tool-call" }>>({
  kind: kind("tool-call"),
  id: name.map((id) => `call_${id}`),
  name,
  arguments: json.map((value) => JSON.stringify(value)),
  toolKind: fc.constantFrom("function", "custom"),
  unknown: maybe(unknown),
});
const search = name.map((id) => {
  const value = { type: "web_search_call", id: `ws_${id}`, status: "completed" };
  return { kind: "opaque", dialect: "responses", type: "web_search_call", value, record: true } as const;
});
const refusal = fc.record({ kind: kind("refusal"), text: words });

/** No two texts in a row: they would be one. */
function apart(parts: readonly AssistantPart[]): boolean {
  return parts.every((part, index) => part.kind !== "text" || parts[index - 1]?.kind !== "text");
}

const turn: Arbitrary<AssistantMessage> = fc
  .array(fc.oneof(plainText, refusal, reasoning, call, search), { minLength: 1, maxLength: 5 })
  .filter(apart)
  .map((parts) => ({ role: "assistant", parts }));

const markedTurn: Arbitrary<AssistantMessage> = fc
  .tuple(plainText, unknown)
  .map(([part, members]) => ({ role: "assistant", parts: [part], unknown: members }));

const said: Arbitrary<ChatMessage> = record<{
  readonly role: "user" | "system" | "developer";
  readonly parts: readonly ContentPart[];
  readonly unknown?: ChatRequest["unknown"];
}>({
  role: fc.constantFrom("user", "system", "developer"),
  parts: content,
  unknown: maybe(unknown),
});
const result: Arbitrary<ChatMessage> = record<Extract<ChatMessage, { role: "tool" }>>({
  role: kind("tool"),
  callId: name,
  toolKind: fc.constantFrom("function", "custom"),
  parts: fc.oneof(
    fc.constant<readonly ContentPart[]>([]),
    fc.array(fc.oneof(plainText, image), { minLength: 1, maxLength: 3 }),
  ),
  isError: fc.constant(false),
  unknown: maybe(unknown),
});

/** Two turns of the model in a row would be one. */
const messages = fc
  .array(fc.oneof(said, turn, markedTurn, result), { minLength: 1, maxLength: 6 })
  .filter((list) => list.every((one, index) => one.role !== "assistant" || list[index - 1]?.role !== "assistant"));

const tool: Arbitrary<ChatTool> = fc.oneof(
  record<Extract<ChatTool, { kind: "function" }>>({
    kind: kind("function"),
    name,
    description: maybe(words),
    parameters: fc.record({ type: kind("object"), properties: fc.dictionary(name, json, { maxKeys: 2 }) }),
    strict: maybe(fc.boolean()),
    unknown: maybe(unknown),
  }),
  record<Extract<ChatTool, { kind: "custom" }>>({
    kind: kind("custom"),
    name,
    description: maybe(words),
    format: maybe(fc.record({ type: kind("grammar"), syntax: kind("lark"), definition: words })),
  }),
  fc.constant<ChatTool>({ kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } }),
);
const choice: Arbitrary<ToolChoice> = fc.oneof(
  fc.record({ kind: fc.constantFrom("auto", "required", "none") }),
  fc.record({ kind: kind("named"), toolKind: fc.constantFrom("function", "custom"), name }),
  fc.record({ kind: kind("allowed"), required: fc.boolean(), names: fc.array(name, { maxLength: 3 }) }),
  fc.constant<ToolChoice>({
    kind: "hosted",
    dialect: "responses",
    type: "mcp",
    value: { type: "mcp", server_label: "s" },
  }),
);
const fields: readonly OwnField[] = [
  { name: "reasoning.context", value: "auto", weight: "harmless" },
  { name: "include", value: ["reasoning.encrypted_content"], weight: "harmless" },
  { name: "max_tool_calls", value: 3, weight: "harmless" },
  { name: "truncation", value: "auto", weight: "harmless" },
  { name: "context_management", value: [{ type: "compaction" }], weight: "harmless" },
  { name: "conversation", value: { id: "conv_1" }, weight: "changes-result" },
  { name: "prompt", value: { id: "pmpt_1" }, weight: "changes-result" },
  { name: "background", value: false, weight: "harmless" },
];
const unit = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

export const requests: Arbitrary<ChatRequest> = record<ChatRequest>({
  dialect: kind("responses"),
  model: name,
  stream: fc.boolean(),
  wantsStreamUsage: fc.constant(true),
  messages,
  tools: fc.array(tool, { maxLength: 3 }),
  toolChoice: maybe(choice),
  parallelToolCalls: maybe(fc.boolean()),
  maxTokens: maybe(fc.nat()),
  temperature: maybe(unit),
  topP: maybe(unit),
  topK: fc.constant(undefined),
  stop: fc.constant(undefined),
  seed: fc.constant(undefined),
  choices: fc.constant(undefined),
  frequencyPenalty: fc.constant(undefined),
  presencePenalty: fc.constant(undefined),
  logitBias: fc.constant(undefined),
  logprobs: maybe(fc.constant(true)),
  topLogprobs: fc.constant(undefined),
  reasoning: maybe(fc.record({ effort: fc.constantFrom("none", "low", "max"), summary: kind("auto") })),
  format: maybe(
    fc.oneof(
      fc.record({ kind: fc.constantFrom("text", "json") }),
      fc.record({ kind: kind("json-schema"), name, schema: fc.record({ type: kind("object") }), strict: fc.boolean() }),
    ),
  ),
  verbosity: maybe(fc.constantFrom("low", "high")),
  user: maybe(words),
  metadata: maybe(fc.dictionary(name, words, { maxKeys: 2 })),
  serviceTier: maybe(fc.constantFrom("auto", "flex")),
  store: maybe(fc.boolean()),
  promptCacheKey: maybe(words),
  previousResponseId: maybe(name.map((id) => `resp_${id}`)),
  own: fc.subarray([...fields]),
  unknown: fc.oneof(fc.constant({}), unknown),
});

const finishes: readonly Finish[] = [
  { reason: "length", raw: "max_output_tokens" },
  { reason: "content-filter", raw: "content_filter" },
  { reason: "unknown", raw: "tired" },
];
const citation = fc.tuple(name, fc.nat(9)).map(([path, at]) => {
  const value = {
    type: "url_citation",
    start_index: at,
    end_index: at + 1,
    url: `https://x.test/${path}`,
    title: path,
  };
  const place = { url: value.url, title: path, startIndex: at, endIndex: at + 1 };
  return { kind: "url", ...place, raw: { dialect: "responses", value } } as const;
});
const answerText = record<Extract<AssistantPart, { kind: "text" }>>({
  kind: kind("text"),
  text: words,
  annotations: maybe(fc.array(citation, { minLength: 1, maxLength: 2 })),
  logprobs: maybe(fc.array(fc.record({ token: words, logprob: unit }), { minLength: 1, maxLength: 2 })),
});
const shownReasoning: Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ kind: kind("reasoning"), text: words, isSummary: fc.constant(true) }),
  fc.record({
    kind: kind("reasoning"),
    text: words,
    isSummary: fc.constant(true),
    state: fc.record({
      issuer: kind("openai"),
      kind: kind("encrypted"),
      value: base64,
      id: name.map((id) => `rs_${id}`),
    }),
  }),
);
const plainCall = fc.record({
  kind: kind("tool-call"),
  id: name.map((id) => `call_${id}`),
  name,
  arguments: json.map((value) => JSON.stringify(value)),
  toolKind: fc.constantFrom("function", "custom"),
});

/** Of a provider that speaks Responses. */
export const answers: Arbitrary<ChatAnswer> = fc
  .tuple(
    fc.array(fc.oneof(answerText, refusal, shownReasoning, plainCall, search), { maxLength: 6 }).filter(apart),
    maybe(fc.constantFrom(...finishes)),
    record<Omit<ChatAnswer, "choices" | "usage">>({
      id: name.map((id) => `resp_${id}`),
      model: name,
      created: fc.nat(),
      serviceTier: fc.constantFrom("default", "flex"),
      unknown: maybe(fc.dictionary(fc.constantFrom("x_a", "x_b"), json, { minKeys: 1 })),
    }),
  )
  .map(([parts, cut, facts]) => {
    const called = parts.some((part) => part.kind === "tool-call");
    const whole = { reason: called ? "tool-calls" : "stop", raw: "completed" } as const;
    return { ...facts, choices: [{ index: 0, parts: parts as AssistantPart[], finish: cut ?? whole }] };
  });

const googleState = fc.record({ issuer: kind("google"), kind: kind("thought"), value: base64 });

/** Of providers of other dialects, with state that only they can read; each call has an id of its own. */
export const foreignParts: Arbitrary<readonly AssistantPart[]> = fc
  .array(
    fc.oneof(
      record<Extract<AssistantPart, { kind: "text" }>>({ kind: kind("text"), text: words, state: maybe(googleState) }),
      record<Extract<AssistantPart, { kind: "tool-call" }>>({
        kind: kind("tool-call"),
        id: kind(""),
        name,
        arguments: kind("{}"),
        toolKind: kind("function"),
        state: maybe(googleState),
      }),
      fc.record({
        kind: kind("reasoning"),
        text: words,
        state: fc.record({ issuer: kind("anthropic"), kind: kind("signature"), value: base64 }),
      }),
      fc.record({
        kind: kind("reasoning"),
        text: kind(""),
        state: fc.record({ issuer: kind("anthropic"), kind: kind("redacted"), value: base64 }),
      }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .filter(apart)
  .map((parts) => parts.map((part, index) => (part.kind === "tool-call" ? { ...part, id: `call_${index}` } : part)));
