// What every message and every stream of Messages events has around what a case is about.

import type { Json } from "./pair.ts";

interface Ended {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

export const ended = (reason: string, sequence: string | null = null): Ended => ({
  stop_reason: reason,
  stop_sequence: sequence,
});

export const message = (head: Json, content: readonly Json[], end: Ended, usage: Json): Json => ({
  type: "message",
  role: "assistant",
  ...head,
  content,
  ...end,
  usage,
});

/** Every block: how it starts, and its deltas. `usage`: of the start and of the end. */
export function messageEvents(
  head: Json,
  blocks: readonly (readonly [start: Json, ...deltas: Json[]])[],
  end: Ended,
  usage: readonly [start: Json, end: Json],
): Json[] {
  const empty = { content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: "message_start", message: { type: "message", role: "assistant", ...head, ...empty, usage: usage[0] } },
    ...blocks.flatMap(([start, ...deltas], index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: end, usage: usage[1] },
    { type: "message_stop" },
  ];
}

export const text = (said: string): Json => ({ type: "text", text: said });
export const textDelta = (said: string): Json => ({ type: "text_delta", text: said });
export const toolUse = (id: string, name: string, input: Json, more: Json = {}): Json => ({
  type: "tool_use",
  id,
  name,
  input,
  ...more,
});
export const inputDelta = (piece: string): Json => ({ type: "input_json_delta", partial_json: piece });
export const thinking = (said: string, signature: string): Json => ({ type: "thinking", thinking: said, signature });
export const thinkingDelta = (said: string): Json => ({ type: "thinking_delta", thinking: said });
export const signatureDelta = (signature: string): Json => ({ type: "signature_delta", signature });

/** Disjoint buckets, as a caller gets them. */
export const messagesUsage = (input: number, output: number, more: Json = {}): Json => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
  ...more,
});
export const estimated = { input_tokens: 42, output_tokens: 0 };

export const tool = (name: string, schema: Json, more: Json = {}): Json => ({ name, ...more, input_schema: schema });
