// What every chat completion and every stream of chunks has around what a case is about.

import { now, type Json } from "./pair.ts";

export const chatUsage = (prompt: number, completion: number, details: Json = {}): Json => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...details,
});

/** As the gateway tells it to a caller; `raw`: the provider's own object. */
export const chatUsageGiven = (
  prompt: number,
  completion: number,
  raw: Json,
  more: { readonly prompt?: Json; readonly completion?: Json } = {},
): Json =>
  chatUsage(prompt, completion, {
    prompt_tokens_details: { cached_tokens: 0, ...more.prompt },
    completion_tokens_details: { reasoning_tokens: 0, ...more.completion },
    raw_usage: raw,
  });

export const choice = (message: Json, finish: string, index = 0, logprobs: unknown = null): Json => ({
  index,
  message: { role: "assistant", refusal: null, ...message },
  logprobs,
  finish_reason: finish,
});

export const completion = (head: Json, choices: readonly Json[], usage: Json): Json => ({
  object: "chat.completion",
  created: now,
  ...head,
  choices,
  usage,
});

type Delta = readonly [delta: Json, index?: number, logprobs?: unknown];

/** `deltas`: of choices; the role comes first where it is the caller's stream. `ends`: finish reasons by choice. */
export function chunks(
  head: Json,
  deltas: readonly Delta[],
  ends: readonly (readonly [reason: string, index?: number])[],
  usage?: Json,
): (Json | string)[] {
  const start = { object: "chat.completion.chunk", created: now, ...head };
  return [
    ...deltas.map(([delta, index = 0, logprobs = null]) => ({
      ...start,
      choices: [{ index, delta, logprobs, finish_reason: null }],
    })),
    ...ends.map(([reason, index = 0]) => ({
      ...start,
      choices: [{ index, delta: {}, logprobs: null, finish_reason: reason }],
    })),
    ...(usage === undefined ? [] : [{ ...start, choices: [], usage }]),
    "[DONE]",
  ];
}

export const role: Delta = [{ role: "assistant", content: "" }];
export const says = (content: string, index = 0): Delta => [{ content }, index];
export const calls = (index: number, id: string, name: string): Delta => [
  { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
];
export const argues = (index: number, text: string): Delta => [
  { tool_calls: [{ index, function: { arguments: text } }] },
];
export const toolCall = (id: string, name: string, text: string): Json => ({
  id,
  type: "function",
  function: { name, arguments: text },
});
export const functionTool = (name: string, parameters: Json, more: Json = {}): Json => ({
  type: "function",
  function: { name, ...more, parameters },
});
