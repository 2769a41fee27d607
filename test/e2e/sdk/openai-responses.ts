// The official openai SDK, Responses.

import type OpenAI from "openai";
import type { Response, ResponseInputContent, ResponseInputItem } from "openai/resources/responses/responses";
import { type Ask, citySchema, imageUrl, type Part, pdfBase64, pngBase64, toolDescription, toolName } from "./ask.ts";
import { toolSchema, type Turn, turnsOf } from "./ask.ts";
import { type Answered, type End, inputOf, outcomeOf, type SdkDriver } from "./driver.ts";
import { openaiClient } from "./openai-chat.ts";
import { openaiErrorClass, openaiThrown } from "./openai-thrown.ts";

export const openaiResponses: SdkDriver = {
  name: "openai (responses)",
  dialect: "responses",
  lacks: ["stop", "choices"],
  errorClass: openaiErrorClass,
  givesWholeObjects: true,
  ask: (where, ask, mode) =>
    outcomeOf(async (hear) => {
      const client = openaiClient(where);
      const params = paramsOf(ask, where.model);
      const options = { signal: where.signal };
      if (mode === "buffered") {
        const object = await client.responses.create(params, options);
        return { object, answered: answeredOf(object) };
      }
      const stream = client.responses.stream(params, options);
      stream.on("response.output_text.delta", ({ delta }) => hear(delta));
      stream.on("event", () => where.pieceArrived?.());
      const object = await stream.finalResponse();
      return { object, answered: answeredOf(object) };
    }, openaiThrown),
};

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">;

function paramsOf(ask: Ask, model: string): Params {
  const { system, tools, toolChoice, oneCall, json, maxTokens = 99, temperature, thinks } = ask;
  return {
    model,
    input: turnsOf(ask).flatMap(itemsOf),
    max_output_tokens: maxTokens,
    store: false,
    ...(system !== undefined && { instructions: system }),
    ...(tools === true && { tools: [weather] }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice === "named" ? namedTool : toolChoice }),
    ...(oneCall === true && { parallel_tool_calls: false }),
    ...(json === true && { text: { format: { type: "json_schema", name: "city", schema: citySchema, strict: true } } }),
    ...(temperature !== undefined && { temperature }),
    ...(thinks === true && { reasoning: { effort: "low", summary: "auto" }, include: ["reasoning.encrypted_content"] }),
  };
}

const namedTool = { type: "function" as const, name: toolName };
const weather = { ...namedTool, description: toolDescription, parameters: toolSchema, strict: true };

function itemsOf(turn: Turn): ResponseInputItem[] {
  switch (turn.from) {
    case "user":
      return [{ role: "user", content: turn.parts.map(partOf) }];
    case "assistant":
      return [
        ...(turn.text === undefined ? [] : [{ role: "assistant" as const, content: turn.text }]),
        ...(turn.calls ?? []).map(({ id, name, input }) => ({
          type: "function_call" as const,
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
      ];
    case "tool":
      return turn.results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));
  }
}

function partOf(part: Part): ResponseInputContent {
  switch (part.kind) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image-data":
      return { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${pngBase64}` };
    case "image-url":
      return { type: "input_image", detail: "auto", image_url: imageUrl };
    case "pdf":
      return { type: "input_file", filename: "page.pdf", file_data: `data:application/pdf;base64,${pdfBase64}` };
  }
}

function answeredOf({ output, status, incomplete_details: incomplete, usage }: Response): Answered {
  const calls = output.flatMap((item) => (item.type === "function_call" ? [item] : []));
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  return {
    text: parts.map((part) => (part.type === "output_text" ? part.text : "")).join(""),
    reasoning: output
      .flatMap((item) => (item.type === "reasoning" ? [...item.summary, ...(item.content ?? [])] : []))
      .map(({ text }) => text)
      .join(""),
    refusal: parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join(""),
    calls: calls.map(({ name, arguments: text }) => ({ name, input: inputOf(text) })),
    end: status === "completed" ? (calls.length > 0 ? "calls" : "stop") : (ends[incomplete?.reason ?? ""] ?? "other"),
    usage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cached: usage?.input_tokens_details?.cached_tokens ?? 0,
    },
  };
}

const ends: Readonly<Record<string, End>> = { max_output_tokens: "length", content_filter: "filter" };
