// Changes to the messages of a chat request, for providers that know fewer roles and members than OpenAI.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { parseExactly } from "../dialects/json/exact-json.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";

type Message = Readonly<Record<string, unknown>>;

/**
 * The edit that puts `change(message)` for every message; none when `change` gives each one back. The messages are parsed only when one of
 * `words` occurs in them as a JSON string, for conversations are long and nearly none needs a change.
 */
export function changeMessages(
  fields: RequestFields,
  words: readonly string[],
  change: (message: Message) => Message,
): readonly JsonEdit[] {
  const text = fields.json("messages");
  if (text === undefined || !words.some((word) => text.includes(`"${word}"`))) return [];
  const messages = parseExactly(text);
  if (!Array.isArray(messages)) return [];
  const changed = messages.map((message: unknown) => (isObject(message) ? change(message) : message));
  if (changed.every((message, index) => message === messages[index])) return [];
  return [{ kind: "set", key: "messages", json: JSON.stringify(changed) }];
}

/**
 * A blank thought for each turn that called tools and has none, because another model had it: DeepSeek and Kimi refuse the whole history without.
 * https://github.com/deepseek-ai/deepseek-harness/discussions/739, https://github.com/anomalyco/opencode/issues/25758
 */
export function thoughtsOfCalls(fields: RequestFields): readonly JsonEdit[] {
  return changeMessages(fields, ["tool_calls"], (message) => {
    const { tool_calls: calls, reasoning_content: thoughts } = message;
    const hasCalls = message["role"] === "assistant" && Array.isArray(calls) && calls.length > 0;
    return hasCalls && (typeof thoughts !== "string" || thoughts === "")
      ? { ...message, reasoning_content: " " }
      : message;
  });
}

/** OpenAI's newer name for the role of the one who wrote the application. */
export function developerAsSystem(message: Message): Message {
  return message["role"] === "developer" ? { ...message, role: "system" } : message;
}

/** `message` itself when it has none of `members`. */
export function withoutMembers(message: Message, members: readonly string[]): Message {
  if (!members.some((member) => member in message)) return message;
  return Object.fromEntries(Object.entries(message).filter(([member]) => !members.includes(member)));
}
