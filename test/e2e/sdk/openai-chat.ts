// The official openai SDK, chat completions.

import OpenAI from "openai";
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { type Ask, citySchema, imageUrl, type Part, pdfBase64, pngBase64, toolDescription, toolName } from "./ask.ts";
import { toolSchema, type Turn, turnsOf } from "./ask.ts";
import { type Answered, type End, inputOf, noTimeoutMs, outcomeOf, type SdkDriver, type Where } from "./driver.ts";
import { openaiErrorClass, openaiThrown } from "./openai-thrown.ts";

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;

export const openaiChat: SdkDriver = {
  name: "openai (chat)",
  dialect: "chat-completions",
  errorClass: openaiErrorClass,
  givesWholeObjects: true,
  ask: (where, ask, mode) =>
    outcomeOf(async (hear) => {
      const client = openaiClient(where);
      const params = paramsOf(ask, where.model);
      const options = { signal: where.signal };
      if (mode === "buffered") {
        const object = await client.chat.completions.create(params, options);
        return { object, answered: answeredOf(object, reasoningOf(object.choices[0]?.message)) };
      }
      let reasoning = "";
      const stream = client.chat.completions.stream({ ...params, stream_options: { include_usage: true } }, options);
      stream.on("chunk", ({ choices: [choice] }) => {
        reasoning += reasoningOf(choice?.delta);
        hear(choice?.delta.content ?? "");
        where.pieceArrived?.();
      });
      const object = await stream.finalChatCompletion();
      return { object, answered: answeredOf(object, reasoning) };
    }, openaiThrown),
};

export function openaiClient({ origin, key = "k", headers = {}, timeoutMs = noTimeoutMs, retries = 0 }: Where): OpenAI {
  const baseURL = `${origin}/v1`;
  const options = { maxRetries: retries, timeout: timeoutMs, logLevel: "off" as const };
  return new OpenAI({ apiKey: key, baseURL, defaultHeaders: headers, ...options });
}

function paramsOf(ask: Ask, model: string): Params {
  const { system, tools, toolChoice, oneCall, json, stop, maxTokens = 99, temperature, thinks, choices } = ask;
  const opening: ChatCompletionMessageParam[] = system === undefined ? [] : [{ role: "system", content: system }];
  return {
    model,
    messages: [...opening, ...turnsOf(ask).flatMap(messagesOf)],
    max_tokens: maxTokens,
    ...(tools === true && { tools: [{ type: "function", function: weather }] }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice === "named" ? namedTool : toolChoice }),
    ...(oneCall === true && { parallel_tool_calls: false }),
    ...(json === true && {
      response_format: { type: "json_schema", json_schema: { name: "city", schema: citySchema, strict: true } },
    }),
    ...(stop !== undefined && { stop: [...stop] }),
    ...(temperature !== undefined && { temperature }),
    ...(thinks === true && { reasoning_effort: "low" }),
    ...(choices !== undefined && { n: choices }),
  };
}

const weather = { name: toolName, description: toolDescription, parameters: toolSchema };
const namedTool = { type: "function" as const, function: { name: toolName } };

function messagesOf(turn: Turn): ChatCompletionMessageParam[] {
  switch (turn.from) {
    case "user":
      return [{ role: "user", content: turn.parts.map(partOf) }];
    case "assistant": {
      const calls = turn.calls?.map(({ id, name, input }) => ({
        id,
        type: "function" as const,
        function: { name, arguments: JSON.stringify(input) },
      }));
      return [{ role: "assistant", content: turn.text ?? null, ...(calls !== undefined && { tool_calls: calls }) }];
    }
    case "tool":
      return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  }
}

function partOf(part: Part): ChatCompletionContentPart {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image-data":
      return { type: "image_url", image_url: { url: `data:image/png;base64,${pngBase64}` } };
    case "image-url":
      return { type: "image_url", image_url: { url: imageUrl } };
    case "pdf":
      return { type: "file", file: { filename: "page.pdf", file_data: `data:application/pdf;base64,${pdfBase64}` } };
  }
}

const ends: Readonly<Record<string, End>> = {
  stop: "stop",
  length: "length",
  tool_calls: "calls",
  content_filter: "filter",
};

function answeredOf({ choices, usage }: OpenAI.ChatCompletion, reasoning: string): Answered {
  const [choice] = choices;
  return {
    text: choices.map(({ message }) => message.content ?? "").join("|"),
    reasoning,
    refusal: choice?.message.refusal ?? "",
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [{ name: call.function.name, input: inputOf(call.function.arguments) }] : [],
    ),
    end: ends[choice?.finish_reason ?? ""] ?? "other",
    usage: {
      input: usage?.prompt_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    },
  };
}

/** Not part of OpenAI's own API: compatible providers send it. */
function reasoningOf(message: object | undefined): string {
  const text: unknown = message !== undefined && "reasoning_content" in message ? message.reasoning_content : undefined;
  return typeof text === "string" ? text : "";
}
