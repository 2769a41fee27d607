// Callers from before tools: they ask with `functions` and are answered with `function_call`.

import type { ChatRequest } from "../../core/chat-request.ts";

export function isLegacyCaller(request: ChatRequest): boolean {
  return request.dialect === "chat-completions" && request.own.some(({ name }) => name === "functions");
}
