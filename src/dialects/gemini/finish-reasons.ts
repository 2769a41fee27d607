// Why Gemini stopped, as the hub says it, and which of its reasons mean that there is no answer.

import type { Finish, FinishReason } from "../../core/chat-answer.ts";

/** https://ai.google.dev/api/generate-content#FinishReason, and the ones that only https://docs.cloud.google.com/vertex-ai has. */
const reasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["MODEL_ARMOR", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
  ["IMAGE_RECITATION", "content-filter"],
]);

/** The model or the service failed. With something said before, the answer ends there; with nothing, there is none. */
const failing: ReadonlySet<string> = new Set([
  "FINISH_REASON_UNSPECIFIED",
  "OTHER",
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
  "MALFORMED_RESPONSE",
  "IMAGE_OTHER",
  "NO_IMAGE",
]);

/** `raw` undefined: the answer says none, which the reader lets pass in a whole body only. Gemini says STOP for calls, too. */
export function finishOf(raw: string | undefined, hasCalls: boolean): Finish {
  if (raw === undefined) return { reason: hasCalls ? "tool-calls" : "unknown" };
  const reason = reasons.get(raw) ?? "unknown";
  return { reason: reason === "stop" && hasCalls ? "tool-calls" : reason, raw };
}

/** The prompt was not let through: https://ai.google.dev/api/generate-content#BlockReason. */
export function blockedFinish(raw: string): Finish {
  return { reason: "content-filter", raw };
}

export function isFailing(reason: string): boolean {
  return failing.has(reason);
}
