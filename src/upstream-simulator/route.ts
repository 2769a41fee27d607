// What a request's line and fields say: dialect, operation, and for Gemini the model and whether it streams.

import type { Dialect } from "../core/chat-request.ts";
import type { AskedOperation } from "./asked.ts";
import { headerLines, type RawRequest } from "./http-request-reader.ts";

export interface Route {
  readonly dialect: Dialect;
  readonly operation: AskedOperation;
  /** Gemini's stand in the path; of the others the body knows them. */
  readonly inPath: { readonly model: string; readonly stream: boolean } | undefined;
}

const byPath: readonly (readonly [end: string, dialect: Dialect, operation: AskedOperation])[] = [
  ["/chat/completions", "chat-completions", "answer"],
  ["/embeddings", "chat-completions", "embeddings"],
  ["/responses", "responses", "answer"],
  ["/messages", "messages", "answer"],
  ["/messages/count_tokens", "messages", "count-tokens"],
];

const geminiPath = /\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/s;

/** Undefined for what no dialect knows. */
export function routeOf({ method, target, head }: RawRequest): Route | undefined {
  const [path = "", query = ""] = target.split("?", 2);
  if (method === "GET") {
    if (!path.endsWith("/models")) return undefined;
    return { dialect: listingDialect(path, head), operation: "models", inPath: undefined };
  }
  if (method !== "POST") return undefined;
  for (const [end, dialect, operation] of byPath) {
    if (path.endsWith(end)) return { dialect, operation, inPath: undefined };
  }
  return geminiRoute(path, query);
}

/** A stream is one of events only where `alt=sse` asks for it. */
function geminiRoute(path: string, query: string): Route | undefined {
  const [, name = "", verb] = geminiPath.exec(path) ?? [];
  const model = decoded(name);
  if (verb === undefined || model === undefined) return undefined;
  const stream = verb === "streamGenerateContent";
  if (stream && new URLSearchParams(query).get("alt") !== "sse") return undefined;
  const operation = verb === "countTokens" ? "count-tokens" : "answer";
  return { dialect: "gemini", operation, inPath: { model, stream } };
}

function listingDialect(path: string, head: string): Dialect {
  if (path.endsWith("/v1beta/models")) return "gemini";
  const names = new Set(headerLines(head).map(([name]) => name.toLowerCase()));
  if (names.has("x-goog-api-key")) return "gemini";
  return names.has("anthropic-version") ? "messages" : "chat-completions";
}

/** The dialect in which a request that no route fits is refused. */
export function dialectOfUnknown(target: string): Dialect {
  return /\/v1beta\/models\//.test(target) ? "gemini" : "chat-completions";
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
