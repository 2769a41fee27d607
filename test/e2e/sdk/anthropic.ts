// The official Anthropic SDK, Messages.

import Anthropic from "@anthropic-ai/sdk";
import type { ContentBlockParam, Message, MessageParam, ToolChoice } from "@anthropic-ai/sdk/resources/messages";
import { type Ask, citySchema, imageUrl, type Part, pdfBase64, pngBase64, toolDescription, toolName } from "./ask.ts";
import { toolSchema, type Turn, turnsOf } from "./ask.ts";
import { type Answered, type End, headerOf, noTimeoutMs, outcomeOf, type SdkDriver, type Thrown } from "./driver.ts";
import type { Where } from "./driver.ts";

export const anthropicMessages: SdkDriver = {
  name: "@anthropic-ai/sdk",
  dialect: "messages",
  lacks: ["choices"],
  givesWholeObjects: true,
  errorClass: (status) => classes[status] ?? "InternalServerError",
  ask: (where, ask, mode) =>
    outcomeOf(async (hear) => {
      const client = anthropicClient(where);
      const params = paramsOf(ask, where.model);
      const options = { signal: where.signal ?? null };
      if (mode === "buffered") {
        const object = await client.messages.create(params, options);
        return { object, answered: answeredOf(object) };
      }
      const stream = client.messages.stream(params, options);
      stream.on("text", (text) => hear(text));
      stream.on("streamEvent", () => where.pieceArrived?.());
      const object = await stream.finalMessage();
      return { object, answered: answeredOf(object) };
    }, anthropicThrown),
};

export function anthropicClient({
  origin,
  key = "k",
  headers = {},
  timeoutMs = noTimeoutMs,
  retries = 0,
}: Where): Anthropic {
  const options = { maxRetries: retries, timeout: timeoutMs, logLevel: "off" as const, authToken: null };
  return new Anthropic({ apiKey: key, baseURL: origin, defaultHeaders: headers, ...options });
}

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">;

function paramsOf(ask: Ask, model: string): Params {
  const { system, tools, toolChoice, oneCall, json, stop, maxTokens = 99, temperature, thinks } = ask;
  const choice = choiceOf(toolChoice, oneCall);
  return {
    model,
    messages: turnsOf(ask).map(messageOf),
    max_tokens: thinks === true ? 4000 : maxTokens,
    ...(system !== undefined && { system }),
    ...(tools === true && { tools: [{ name: toolName, description: toolDescription, input_schema: toolSchema }] }),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(json === true && { output_config: { format: { type: "json_schema", schema: citySchema } } }),
    ...(stop !== undefined && { stop_sequences: [...stop] }),
    ...(temperature !== undefined && { temperature }),
    ...(thinks === true && { thinking: { type: "enabled", budget_tokens: 2000 } }),
  };
}

function choiceOf(choice: Ask["toolChoice"], oneCall = false): ToolChoice | undefined {
  const single = oneCall ? { disable_parallel_tool_use: true } : {};
  switch (choice) {
    case undefined:
      return oneCall ? { type: "auto", ...single } : undefined;
    case "auto":
      return { type: "auto", ...single };
    case "required":
      return { type: "any", ...single };
    case "none":
      return { type: "none" };
    case "named":
      return { type: "tool", name: toolName, ...single };
  }
}

function messageOf(turn: Turn): MessageParam {
  switch (turn.from) {
    case "user":
      return { role: "user", content: turn.parts.map(blockOf) };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(turn.text === undefined ? [] : [{ type: "text" as const, text: turn.text }]),
          ...(turn.calls ?? []).map((call) => ({ type: "tool_use" as const, ...call })),
        ],
      };
    case "tool":
      return {
        role: "user",
        content: turn.results.map(({ id, text, failed }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          ...(failed === true && { is_error: true }),
        })),
      };
  }
}

function blockOf(part: Part): ContentBlockParam {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image-data":
      return { type: "image", source: { type: "base64", media_type: "image/png", data: pngBase64 } };
    case "image-url":
      return { type: "image", source: { type: "url", url: imageUrl } };
    case "pdf":
      return { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdfBase64 } };
  }
}

const ends: Readonly<Record<string, End>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "calls",
  refusal: "filter",
};

function answeredOf({ content, stop_reason: reason, usage }: Message): Answered {
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    reasoning: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    refusal: "",
    calls: content.flatMap((block) => (block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [])),
    end: ends[reason ?? ""] ?? "other",
    usage: {
      input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
      cached,
    },
  };
}

const classes: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  413: "ContentTooLargeError",
  429: "RateLimitError",
  503: "ServiceUnavailableError",
  529: "OverloadedError",
};

/** The body without the id of the request, which is never the same; the SDK's message is the body as text. */
function anthropicThrown(error: unknown, text: string): Thrown {
  if (!(error instanceof Error)) throw error;
  const told = error instanceof Anthropic.APIError ? error : undefined;
  const body = (told?.error as { error?: { message?: string } } | undefined)?.error;
  return {
    kind: error.constructor.name,
    status: told?.status,
    message: body?.message ?? error.message,
    body,
    retryAfter: headerOf(told?.headers, "retry-after"),
    text,
  };
}
