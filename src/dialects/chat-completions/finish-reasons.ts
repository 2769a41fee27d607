// Why an answer ended, in the words of chat completions and of the providers that have their own.

import type { Finish, FinishReason } from "../../core/chat-answer.ts";

/**
 * OpenAI: https://platform.openai.com/docs/api-reference/chat/object. Others: `eos` (Together, https://docs.together.ai/reference/chat-completions-1),
 * `model_length` (Mistral, https://docs.mistral.ai/api), `sensitive` (Z.ai, https://docs.z.ai/api-reference/llm/chat-completion), and the words of
 * Anthropic and Gemini, which servers in between hand on. DeepSeek's `insufficient_system_resource` and Z.ai's `network_error` are unknown on purpose.
 */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["complete", "stop"],
  ["completed", "stop"],
  ["stop_sequence", "stop-sequence"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["max_completion_tokens", "length"],
  ["model_length", "context-length"],
  ["context_length", "context-length"],
  ["context_length_exceeded", "context-length"],
  ["model_context_window_exceeded", "context-length"],
  ["tool_calls", "tool-calls"],
  ["tool_call", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "content-filter"],
  ["content_filtered", "content-filter"],
  ["sensitive", "content-filter"],
  ["safety", "content-filter"],
  ["recitation", "content-filter"],
  ["prohibited_content", "content-filter"],
  ["blocklist", "content-filter"],
  ["spii", "content-filter"],
  ["refusal", "refusal"],
  ["pause_turn", "pause"],
]);

/** What a choice says about its end. */
export interface EndOfChoice {
  /** `finish_reason`. Absent, null or empty: the provider did not say. */
  readonly reason: unknown;
  /** vLLM's `stop_reason` or SGLang's `matched_stop`: the caller's sequence, or the number of a token. */
  readonly matched: unknown;
  /** Forced calls end with `stop` even at OpenAI; a caller of another dialect would not make them then. */
  readonly hasToolCalls: boolean;
}

export function finishOf({ reason, matched, hasToolCalls }: EndOfChoice): Finish {
  if (typeof reason !== "string" || reason === "") return { reason: hasToolCalls ? "tool-calls" : "unknown" };
  const known = reasons.get(reason.toLowerCase()) ?? "unknown";
  if (known !== "stop") return { reason: known, raw: reason };
  if (hasToolCalls) return { reason: "tool-calls", raw: reason };
  if (typeof matched !== "string" || matched === "") return { reason: known, raw: reason };
  return { reason: "stop-sequence", raw: reason, stopSequence: matched };
}

/** For a caller; `legacy`: who asked with `functions`. The dialect takes any text, so what is unknown goes out as it came. */
export function finishReasonText(finish: Finish, legacy: boolean): string {
  switch (finish.reason) {
    case "stop":
    case "stop-sequence":
      return "stop";
    case "length":
    case "context-length":
      return "length";
    case "tool-calls":
      return legacy ? "function_call" : "tool_calls";
    case "content-filter":
    case "refusal":
      return "content_filter";
    case "pause":
      return finish.raw ?? "pause_turn";
    case "unknown":
      return finish.raw ?? "unknown";
  }
}
