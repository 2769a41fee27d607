// The event that begins a call, from the item that holds it.

import type { ChatEvent } from "../../core/chat-answer.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { madeUpCallId } from "./decode-answer.ts";
import { readThoughtState } from "./vendor-state.ts";

export function isCallType(type: string | undefined): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

export function callStart(
  item: JsonObject,
  call: number,
  type: string | undefined,
  responseId: string | undefined,
): ChatEvent {
  const { call_id: id, name } = item;
  const state = readThoughtState(item.extra_content);
  return {
    kind: "tool-call",
    choice: 0,
    call,
    id: typeof id === "string" && id !== "" ? id : madeUpCallId(responseId, call),
    name: typeof name === "string" ? name : "",
    toolKind: type === "custom_tool_call" ? "custom" : "function",
    ...(state === undefined ? {} : { state }),
  };
}
