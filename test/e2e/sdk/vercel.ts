// Vercel's ai with its providers for OpenAI (both of its dialects), Anthropic and whatever imitates OpenAI.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, jsonSchema, type LanguageModel, type ModelMessage, Output, streamText } from "ai";
import { type FilePart, type TextPart, type Tool, tool, type ToolCallPart, type UserContent } from "ai";
import { type Ask, citySchema, imageUrl, type Part, pdfBase64, pngBase64, toolDescription, toolName } from "./ask.ts";
import { toolSchema, type Turn, turnsOf } from "./ask.ts";
import {
  type CallerDialect,
  type End,
  headerOf,
  outcomeOf,
  type SdkDriver,
  type Thrown,
  type Where,
} from "./driver.ts";

type ModelMaker = (
  settings: { baseURL: string; apiKey: string; headers: Record<string, string> },
  model: string,
) => LanguageModel;
type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>;
type OptionsMaker = (ask: Ask) => ProviderOptions[string];

export const vercelResponses = vercelDriver(
  "ai with @ai-sdk/openai (responses)",
  "responses",
  ["stop", "choices"],
  "openai",
  (settings, model) => createOpenAI(settings).responses(model),
  ({ thinks, oneCall }) => ({
    store: false,
    ...(thinks === true && { reasoningEffort: "low", reasoningSummary: "auto", forceReasoning: true }),
    ...(oneCall === true && { parallelToolCalls: false }),
  }),
);

export const vercelChat = vercelDriver(
  "ai with @ai-sdk/openai (chat)",
  "chat-completions",
  ["choices"],
  "openai",
  (settings, model) => createOpenAI(settings).chat(model),
  ({ thinks, oneCall }) => ({
    ...(thinks === true && { reasoningEffort: "low", forceReasoning: true }),
    ...(oneCall === true && { parallelToolCalls: false }),
  }),
  ["reasoning"],
);

export const vercelAnthropic = vercelDriver(
  "ai with @ai-sdk/anthropic",
  "messages",
  ["choices"],
  "anthropic",
  (settings, model) => createAnthropic(settings)(model),
  ({ thinks, oneCall }) => ({
    structuredOutputMode: "outputFormat",
    ...(thinks === true && { thinking: { type: "enabled", budgetTokens: 2000 } }),
    ...(oneCall === true && { disableParallelToolUse: true }),
  }),
);

export const vercelCompatible = vercelDriver(
  "ai with @ai-sdk/openai-compatible",
  "chat-completions",
  // It loads images by itself.
  ["choices", "oneCall", "image-url"],
  "gomodel",
  (settings, model) =>
    createOpenAICompatible({ ...settings, name: "gomodel", includeUsage: true, supportsStructuredOutputs: true })(
      model,
    ),
  ({ thinks }) => (thinks === true ? { reasoningEffort: "low" } : {}),
);

function vercelDriver(
  name: string,
  dialect: CallerDialect,
  lacks: NonNullable<SdkDriver["lacks"]>,
  vendor: string,
  modelOf: ModelMaker,
  optionsOf: OptionsMaker,
  untold: NonNullable<SdkDriver["untold"]> = [],
): SdkDriver {
  return {
    name,
    dialect,
    lacks,
    untold,
    errorClass: () => "APICallError",
    ask: (where, ask, mode) =>
      outcomeOf(async (hear) => {
        const { origin, key = "k", headers = {}, model } = where;
        const spoken = modelOf({ baseURL: `${origin}/v1`, apiKey: key, headers: { ...headers } }, model);
        const call = {
          ...callOf(ask),
          model: spoken,
          ...signalOf(where),
          maxRetries: where.retries ?? 0,
          providerOptions: { [vendor]: optionsOf(ask) },
        };
        const seen = mode === "buffered" ? await generateText(call) : await streamed(call, hear, where.pieceArrived);
        const object = await objectOf(seen);
        return { object, answered: answeredOf(object) };
      }, vercelThrown),
  };
}

function signalOf({ signal, timeoutMs }: Where): { abortSignal?: AbortSignal } {
  if (timeoutMs !== undefined) return { abortSignal: AbortSignal.timeout(timeoutMs) };
  return signal === undefined ? {} : { abortSignal: signal };
}

type CallMember = "tools" | "toolChoice" | "output" | "system" | "stopSequences" | "maxOutputTokens" | "temperature";
type SharedCall = Pick<Parameters<typeof generateText>[0], CallMember> & { messages: ModelMessage[] };
type Call = SharedCall & {
  model: LanguageModel;
  maxRetries: number;
  providerOptions: ProviderOptions;
  abortSignal?: AbortSignal;
};

function callOf(ask: Ask): SharedCall {
  const { system, tools, toolChoice, json, stop, maxTokens = 99, temperature } = ask;
  return {
    messages: turnsOf(ask).map(messageOf),
    maxOutputTokens: maxTokens,
    ...(system !== undefined && { system }),
    ...(tools === true && { tools: { [toolName]: weather } }),
    ...(toolChoice !== undefined && { toolChoice: toolChoice === "named" ? namedTool : toolChoice }),
    ...(json === true && { output: Output.object({ schema: jsonSchema(citySchema), name: "city" }) }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(temperature !== undefined && { temperature }),
  };
}

const weather: Tool = tool({ description: toolDescription, inputSchema: jsonSchema<{ city: string }>(toolSchema) });
const namedTool = { type: "tool" as const, toolName };

function messageOf(turn: Turn): ModelMessage {
  switch (turn.from) {
    case "user":
      return { role: "user", content: turn.parts.map(partOf) };
    case "assistant": {
      const text: TextPart[] = turn.text === undefined ? [] : [{ type: "text", text: turn.text }];
      const calls = (turn.calls ?? []).map(({ id, name, input }): ToolCallPart => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input,
      }));
      return { role: "assistant", content: [...text, ...calls] };
    }
    case "tool":
      return {
        role: "tool",
        content: turn.results.map(({ id, name, text, failed }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: failed === true ? "error-text" : "text", value: text },
        })),
      };
  }
}

function partOf(part: Part): Exclude<UserContent, string>[number] {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image-data":
      return { type: "image", image: pngBase64, mediaType: "image/png" };
    case "image-url":
      return { type: "image", image: new URL(imageUrl), mediaType: "image/png" };
    case "pdf":
      return { type: "file", data: pdfBase64, mediaType: "application/pdf", filename: "page.pdf" } satisfies FilePart;
  }
}

/** The stream read to its end; an error in it is thrown, which this SDK only reports. */
async function streamed(call: Call, hear: (text: string) => void, pieceArrived?: () => void) {
  const stream = streamText({ ...call, onError: () => {} });
  let failed: { readonly error: unknown } | undefined;
  for await (const part of stream.fullStream) {
    pieceArrived?.();
    if (part.type === "text-delta") hear(part.text);
    if (part.type === "error") failed ??= part;
    if (part.type === "abort") failed ??= { error: call.abortSignal?.reason };
  }
  if (failed !== undefined) throw failed.error;
  return stream;
}

type Seen = Awaited<ReturnType<typeof generateText>> | ReturnType<typeof streamText>;

/** What depends on neither clock nor transport; `response.id` is the provider's. */
async function objectOf(seen: Seen) {
  const [{ id, modelId }, usage, content] = await Promise.all([seen.response, seen.totalUsage, seen.content]);
  const [finishReason, rawFinishReason, providerMetadata] = await Promise.all([
    seen.finishReason,
    seen.rawFinishReason,
    seen.providerMetadata,
  ]);
  return { id, modelId, usage, content, finishReason, rawFinishReason, providerMetadata };
}

const ends: Readonly<Record<string, End>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "calls",
  "content-filter": "filter",
};

function answeredOf({ content, usage, finishReason }: Awaited<ReturnType<typeof objectOf>>) {
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    reasoning: content.map((part) => (part.type === "reasoning" ? part.text : "")).join(""),
    refusal: "",
    calls: content.flatMap((part) => (part.type === "tool-call" ? [{ name: part.toolName, input: part.input }] : [])),
    end: ends[finishReason] ?? "other",
    usage: {
      input: usage.inputTokens ?? 0,
      output: usage.outputTokens ?? 0,
      cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
    },
  };
}

function vercelThrown(error: unknown, text: string): Thrown {
  const told = error instanceof APICallError ? error : undefined;
  return {
    kind: error instanceof Error ? error.constructor.name : typeof error,
    status: told?.statusCode,
    // Errors inside a stream are reported as the bare object of the event.
    message: String((error as { message?: unknown }).message),
    body: told?.data ?? (error instanceof Error ? undefined : error),
    retryAfter: headerOf(told?.responseHeaders, "retry-after"),
    text,
  };
}
