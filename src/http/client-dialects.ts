// Which dialect a caller speaks: of each operation, and of requests that are refused before anybody knows what they are for.

import type { ClientDialect, Operation } from "../core/model-request.ts";
import type { RecoverableDialect } from "../core/stream-recovery.ts";
import { chatClientDialect } from "../dialects/chat-completions/client-dialect.ts";
import { messagesClientDialect } from "../dialects/messages/client-dialect.ts";
import { responsesClientDialect } from "../dialects/responses/client-dialect.ts";

/** Which names a request has. */
interface RequestHeaders {
  has(name: string): boolean;
}

/** Embeddings are OpenAI's, like everything that has no dialect of its own. */
export const clientDialects: Readonly<Record<Operation, RecoverableDialect>> = {
  "chat-completions": chatClientDialect,
  embeddings: chatClientDialect,
  responses: responsesClientDialect,
  messages: messagesClientDialect,
  "count-tokens": messagesClientDialect,
};

/**
 * The dialect in which whoever asks for `path` reads errors, unknown paths included. Undefined: outside of the base path. Listings are Anthropic's
 * for those who name its version (behaviour 1.3).
 */
export function dialectOfPath(path: string | undefined, headers: RequestHeaders): ClientDialect {
  if (path === undefined || !path.startsWith("/v1/")) return chatClientDialect;
  if (isAtOrBelow(path, "/v1/messages")) return messagesClientDialect;
  if (isAtOrBelow(path, "/v1/responses")) return responsesClientDialect;
  return isAtOrBelow(path, "/v1/models") && asksForAnthropic(headers) ? messagesClientDialect : chatClientDialect;
}

/** The caller is an Anthropic client: it says which version of that interface it means. */
export function asksForAnthropic(headers: RequestHeaders): boolean {
  return headers.has("anthropic-version");
}

/** Sets, besides `X-Request-ID`, the name under which Anthropic's clients look for it. */
export function nameRequestId(headers: Record<string, string>, requestId: string, dialect: ClientDialect): void {
  headers["X-Request-ID"] = requestId;
  if (dialect === messagesClientDialect) headers["request-id"] = requestId;
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path.charCodeAt(parent.length) === 0x2f);
}
