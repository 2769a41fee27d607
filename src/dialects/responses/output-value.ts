// The items of `output`, as a Responses caller gets them.

import type { Annotation, ProviderState, TextPart, ToolCallPart, UnknownMembers } from "../../core/chat-request.ts";
import { markState } from "../foreign-state.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { encodeAnnotation } from "./annotations.ts";
import { summaryOf } from "./encode-input.ts";
import { vendorContent } from "./vendor-state.ts";

/**
 * OpenAI refuses a reasoning item that it has not made and that has no state; by this mark such an item is known and left out when the
 * history goes there (`history.ts`).
 */
const stateless = markState({ issuer: "", kind: "encrypted", value: "" });

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export function textValue(
  text: string,
  annotations: readonly unknown[],
  logprobs: readonly unknown[],
  unknown?: UnknownMembers,
): JsonObject {
  return { ...unknown, type: "output_text", annotations, logprobs, text };
}

export function refusalValue(refusal: string, unknown?: UnknownMembers): JsonObject {
  return { ...unknown, type: "refusal", refusal };
}

/** `state`: of the text in it (Google). */
export function messageValue(
  id: string,
  status: ItemStatus,
  content: readonly JsonObject[],
  state?: ProviderState,
  unknown?: UnknownMembers,
): JsonObject {
  const extra = state === undefined ? {} : { extra_content: vendorContent(state, "") };
  return { ...unknown, id, type: "message", status, role: "assistant", content, ...extra };
}

/** The summary is where every client shows reasoning (codex, the AI SDK), whatever the provider called it. */
export function reasoningValue(id: string, text: string, state?: ProviderState, unknown?: UnknownMembers): JsonObject {
  const encrypted = state === undefined ? { encrypted_content: stateless } : stateMembers(state, text);
  return { ...unknown, id, type: "reasoning", summary: summaryOf(text), ...encrypted };
}

/** Own state as it is; foreign state marked, for clients send nothing else back unread, and as `extra_content`, too (behaviour 4.6). */
function stateMembers(state: ProviderState, text: string): JsonObject {
  if (state.issuer === "openai" && state.kind === "encrypted" && state.id === undefined) {
    return { encrypted_content: state.value };
  }
  switch (state.kind) {
    case "signature":
      return { encrypted_content: markState(state, text), extra_content: vendorContent(state, text) };
    case "redacted":
      return { encrypted_content: markState(state), extra_content: vendorContent(state, text) };
    case "encrypted":
    case "thought":
      return { encrypted_content: markState(state) };
  }
}

/**
 * An item for state that belongs to a call or to the text before it and has no place of its own there that clients keep: codex and the SDKs drop
 * `extra_content`, and send the encrypted content of reasoning back.
 */
export function thoughtValue(id: string, state: ProviderState, callId: string | undefined): JsonObject {
  return { id, type: "reasoning", summary: [], encrypted_content: markState(state, callId) };
}

/** Without its id of the item: `fc_` or `ctc_` before one. */
export function callValue(id: string, status: ItemStatus, call: CallFacts, input: string): JsonObject {
  const extra = call.state === undefined ? {} : { extra_content: vendorContent(call.state, "") };
  const shared = { id, status, call_id: call.id, name: call.name };
  if (call.custom) return { ...call.unknown, ...shared, type: "custom_tool_call", input, ...extra };
  return { ...call.unknown, ...shared, type: "function_call", arguments: input, ...extra };
}

/** What is known of a call before its input. */
export interface CallFacts {
  readonly id: string;
  readonly name: string;
  readonly custom: boolean;
  /** The caller's tool takes any text and was sent as a function with one parameter: its input is inside the arguments. */
  readonly wrapped: boolean;
  readonly state?: ProviderState;
  readonly unknown?: UnknownMembers;
}

export function callFacts(
  call: Pick<ToolCallPart, "id" | "name" | "toolKind" | "state" | "unknown">,
  customNames: ReadonlySet<string>,
): CallFacts {
  const wrapped = call.toolKind === "function" && customNames.has(call.name);
  return {
    id: call.id,
    name: call.name,
    custom: call.toolKind === "custom" || wrapped,
    wrapped,
    ...(call.state === undefined ? {} : { state: call.state }),
    ...(call.unknown === undefined ? {} : { unknown: call.unknown }),
  };
}

/** The input of a finished call: a function's arguments are at least an empty object, and a wrapped text is taken out of its parameter. */
export function finishedInput(call: CallFacts, said: string): string {
  if (call.wrapped) return unwrapped(said);
  return said === "" && !call.custom ? "{}" : said;
}

/** What is no object with one text is the input itself. */
function unwrapped(text: string): string {
  const parsed = parse(text);
  const values = isJsonObject(parsed) ? Object.values(parsed) : [];
  const [value] = values;
  return values.length === 1 && typeof value === "string" ? value : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The annotations of a text, without those that the dialect cannot name. */
export function annotationValues(part: Pick<TextPart, "text" | "annotations">): readonly unknown[] {
  const annotations: readonly Annotation[] = part.annotations ?? [];
  return annotations.map((one) => encodeAnnotation(one, part.text.length)).filter((value) => value !== undefined);
}
