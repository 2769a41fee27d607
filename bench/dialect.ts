// The dialects that the benchmark speaks, and where each is asked.

export type BenchDialect = "chat-completions" | "messages" | "responses";

/** Below `/v1/`. */
export const pathOfDialect: Readonly<Record<BenchDialect, string>> = {
  "chat-completions": "chat/completions",
  messages: "messages",
  responses: "responses",
};

/** Of a path that ends like one of these; chat completions for any other. */
export function dialectOfPath(path: string): BenchDialect {
  if (path.endsWith("/messages")) return "messages";
  return path.endsWith("/responses") ? "responses" : "chat-completions";
}
