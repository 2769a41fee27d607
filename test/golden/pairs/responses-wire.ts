// What every response object and every stream of Responses events has around what a case is about.

import { now, type Json } from "./pair.ts";

/** https://platform.openai.com/docs/api-reference/responses/object: what was not asked for shows its default. */
const defaults: Json = {
  object: "response",
  created_at: now,
  background: false,
  error: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: false,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
};

export interface Ended {
  readonly status: "completed" | "incomplete";
  readonly incomplete_details: Json | null;
}
export const completed: Ended = { status: "completed", incomplete_details: null };
export const incomplete = (reason: string): Ended => ({ status: "incomplete", incomplete_details: { reason } });

export const response = (head: Json, output: readonly Json[], end: Ended, usage: Json): Json => ({
  ...defaults,
  ...head,
  ...end,
  output,
  usage,
});

/** One item of the output as it streams: how it is added, the events between, and how it is done. */
export interface StreamedItem {
  readonly added: Json;
  readonly between: readonly Json[];
  readonly done: Json;
}

/** Numbered from 0; ends with `[DONE]` where the gateway writes it. */
export function responseEvents(
  head: Json,
  items: readonly StreamedItem[],
  end: Ended,
  usage: Json,
  writesDone: boolean,
): (Json | string)[] {
  const begun = { ...defaults, ...head, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const output = items.map(({ done }) => done);
  const events: readonly Json[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(({ added, between, done }, index) => [
      { type: "response.output_item.added", output_index: index, item: added },
      ...between.map((event) => ({ ...event, item_id: done.id, output_index: index })),
      { type: "response.output_item.done", output_index: index, item: done },
    ]),
    { type: `response.${end.status}`, response: response(head, output, end, usage) },
  ];
  return [
    ...events.map((event, sequence_number) => ({ ...event, sequence_number })),
    ...(writesDone ? ["[DONE]"] : []),
  ];
}

export const outputText = (text: string, logprobs: readonly unknown[] = []): Json => ({
  type: "output_text",
  annotations: [],
  logprobs,
  text,
});
export const messageItem = (id: string, content: readonly Json[], status = "completed"): Json => ({
  id,
  type: "message",
  status,
  role: "assistant",
  content,
});
export const callItem = (id: string, callId: string, name: string, text: string, more: Json = {}): Json => ({
  id,
  type: "function_call",
  status: "completed",
  call_id: callId,
  name,
  arguments: text,
  ...more,
});
export const reasoningItem = (id: string, text: string, more: Json): Json => ({
  id,
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  ...more,
});

export function streamedText(id: string, pieces: readonly string[], status = "completed"): StreamedItem {
  const text = pieces.join("");
  return {
    added: messageItem(id, [], "in_progress"),
    between: [
      { type: "response.content_part.added", content_index: 0, part: outputText("") },
      ...pieces.map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta, logprobs: [] })),
      { type: "response.output_text.done", content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", content_index: 0, part: outputText(text) },
    ],
    done: messageItem(id, [outputText(text)], status),
  };
}

export function streamedRefusal(id: string, pieces: readonly string[]): StreamedItem {
  const refusal = pieces.join("");
  const part = { type: "refusal", refusal };
  return {
    added: messageItem(id, [], "in_progress"),
    between: [
      { type: "response.content_part.added", content_index: 0, part: { type: "refusal", refusal: "" } },
      ...pieces.map((delta) => ({ type: "response.refusal.delta", content_index: 0, delta })),
      { type: "response.refusal.done", content_index: 0, refusal },
      { type: "response.content_part.done", content_index: 0, part },
    ],
    done: messageItem(id, [part]),
  };
}

export function streamedCall(
  id: string,
  callId: string,
  name: string,
  pieces: readonly string[],
  more: Json = {},
): StreamedItem {
  const text = pieces.join("");
  return {
    added: { ...callItem(id, callId, name, "", more), status: "in_progress" },
    between: [
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
      { type: "response.function_call_arguments.done", name, arguments: text },
    ],
    done: callItem(id, callId, name, text, more),
  };
}

export function streamedReasoning(id: string, pieces: readonly string[], more: Json): StreamedItem {
  const text = pieces.join("");
  const part = (said: string): Json => ({ type: "summary_text", text: said });
  return {
    added: { id, type: "reasoning", summary: [] },
    between:
      text === ""
        ? []
        : [
            { type: "response.reasoning_summary_part.added", summary_index: 0, part: part("") },
            ...pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", summary_index: 0, delta })),
            { type: "response.reasoning_summary_text.done", summary_index: 0, text },
            { type: "response.reasoning_summary_part.done", summary_index: 0, part: part(text) },
          ],
    done: reasoningItem(id, text, more),
  };
}

export const responsesUsage = (
  input: number,
  output: number,
  more: { readonly cached?: number; readonly written?: number; readonly reasoning?: number } = {},
): Json => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: more.cached ?? 0, cache_write_tokens: more.written ?? 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: more.reasoning ?? 0 },
  total_tokens: input + output,
});

/** The gateway's mark on state that is not OpenAI's: the state as JSON, in base64url behind a fixed beginning. */
export const marked = (state: Json): string =>
  `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
/** Of reasoning that came without any state. */
export const stateless = marked({ issuer: "", kind: "encrypted", value: "" });
