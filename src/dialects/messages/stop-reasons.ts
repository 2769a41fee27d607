// Why an answer ended, in the words of the Messages dialect and of the hub. https://platform.claude.com/docs/en/api/handling-stop-reasons

import type { Finish, FinishReason } from "../../core/chat-answer.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop-sequence",
  max_tokens: "length",
  model_context_window_exceeded: "context-length",
  tool_use: "tool-calls",
  pause_turn: "pause",
  refusal: "refusal",
};

/** One that is not in the table is unknown, never a normal end. */
export function decodeStop(raw: string | undefined, stopSequence: string | undefined): Finish {
  const reason = raw !== undefined && Object.hasOwn(reasons, raw) ? reasons[raw] : undefined;
  return { reason: reason ?? "unknown", raw: raw === "" ? undefined : raw, stopSequence };
}

export interface StopFacts {
  readonly hasToolCalls: boolean;
  readonly hasRefusal: boolean;
}

/** `stop_reason`. Callers run tools only on `tool_use`, so a provider that says `stop` beside tool calls is put right (OpenAI may). */
export function encodeStop(finish: Finish, facts: StopFacts): string {
  switch (finish.reason) {
    case "stop":
      if (facts.hasToolCalls) return "tool_use";
      return facts.hasRefusal ? "refusal" : "end_turn";
    case "stop-sequence":
      return "stop_sequence";
    case "length":
      return "max_tokens";
    case "context-length":
      return "model_context_window_exceeded";
    case "tool-calls":
      return "tool_use";
    case "content-filter":
    case "refusal":
      return "refusal";
    case "pause":
      return "pause_turn";
    case "unknown":
      return finish.raw ?? "unknown";
  }
}
