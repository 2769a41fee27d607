// Tool calls of a message, in a history or in a whole answer.

import type { ToolCallPart, UnknownMembers } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { takeThought } from "./extra-content.ts";

/** `idOf` gives the id of the call at an index that came without one. */
export function decodeToolCalls(message: Members, idOf: (index: number) => string): ToolCallPart[] {
  return (message.objects("tool_calls") ?? []).map((call, index) => decodeToolCall(call, idOf(index)));
}

function decodeToolCall(call: Members, ownId: string): ToolCallPart {
  const id = call.text("id");
  const type = call.text("type");
  call.value("index");
  const isCustom = type === "custom" || (type === undefined && call.value("custom") !== undefined);
  const body = call.object(isCustom ? "custom" : "function");
  const name = body?.text("name") ?? "";
  const text = body === undefined ? "" : argumentsOf(body, isCustom ? "input" : "arguments");
  // An addition of OpenAI's SDK: the same arguments once more.
  body?.value("parsed_arguments");
  const state = takeThought(call);
  const cacheControl = call.value("cache_control");
  const unknown = joinUnknown(body?.unknown(), call.unknown());
  return {
    kind: "tool-call",
    id: id === undefined || id.trim() === "" ? ownId : id,
    name,
    arguments: text,
    toolKind: isCustom ? "custom" : "function",
    ...(state === undefined ? {} : { state }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** Some servers send the object itself instead of its JSON text. */
export function argumentsOf(body: Members, key: string): string {
  const value = body.value(key);
  if (value === undefined || typeof value === "string") return value ?? "";
  if (typeof value === "object") return JSON.stringify(value);
  throw body.wrong(key, "a string");
}

/** The members of an inner object beside those of the outer one: other dialects have one level where this one has two. */
export function joinUnknown(
  inner: UnknownMembers | undefined,
  outer: UnknownMembers | undefined,
): UnknownMembers | undefined {
  if (inner === undefined || outer === undefined) return inner ?? outer;
  return Object.fromEntries([...Object.entries(inner), ...Object.entries(outer)]);
}
