// The response object and the message of an answer that another target finished: who began it, and all of its text.

import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** The members that say who answers stay those of the first; what that one did not have stays the later one's. */
export function withIdentity(response: JsonObject, first: JsonObject | undefined): JsonObject {
  if (first === undefined) return response;
  const { id = response.id, created_at: createdAt = response.created_at, model = response.model } = first;
  return { ...response, id, created_at: createdAt, model };
}

/** `text` undefined: the message has none. */
export function messageItem(id: string, text: string | undefined): JsonObject {
  return {
    id,
    type: "message",
    status: "completed",
    role: "assistant",
    content: text === undefined ? [] : [partOf(text)],
  };
}

/** The message with `text` in its part `at`, whatever it had there. */
export function withWholeText(item: JsonObject, text: string | undefined, at: number): JsonObject {
  if (text === undefined) return item;
  const content: unknown[] = Array.isArray(item.content) ? [...item.content] : [];
  const own = content[at];
  if (isJsonObject(own)) content[at] = { ...own, text };
  else content.unshift(partOf(text));
  return { ...item, content };
}

function partOf(text: string): JsonObject {
  return { type: "output_text", text, annotations: [] };
}
