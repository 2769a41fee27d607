// The items of `input`, to the messages of the hub: neighbours that one turn of the model made become one message.

import type { AssistantPart, ChatMessage, ContentPart, TextPart, ToolMessage } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { AssistantTurn } from "./assistant-turn.ts";
import { decodePart } from "./decode-content.ts";
import type { DecodedPart } from "./decode-content.ts";
import { decodeReasoning } from "./decode-reasoning.ts";
import { recordMark, speakerOf } from "./item-types.ts";
import { isToolError, readThoughtState } from "./vendor-state.ts";

type Role = "system" | "developer" | "user" | "assistant";

/** Members of every kind of item that say nothing to another dialect. The last one is sent by codex to OpenAI (recordings, codex-openai). */
const itemMarks = ["id", "status", "phase", "created_by", "internal_chat_message_metadata_passthrough"];

/** `input` of a request. Throws a 400 with the texts of behaviour 4.4. */
export function decodeInput(input: unknown): readonly ChatMessage[] {
  if (typeof input === "string") return [{ role: "user", parts: [{ kind: "text", text: input }] }];
  if (!Array.isArray(input)) throw invalidRequest("invalid responses input: unsupported type", { param: "input" });
  const messages: ChatMessage[] = [];
  const turn = new AssistantTurn(messages);
  input.forEach((item: unknown, index) => decodeItem(item, index, messages, turn));
  turn.end();
  return messages;
}

function decodeItem(entry: unknown, index: number, messages: ChatMessage[], turn: AssistantTurn): void {
  if (!isJsonObject(entry)) throw invalidItem(index, "expected object");
  const item = new Members(entry, `input[${index}]`, (path, expected) =>
    invalidRequest(`invalid responses input item at index ${index}: ${path} must be ${expected}`, { param: path }),
  );
  const type = item.text("type") ?? "message";
  if (type !== "reasoning") for (const key of itemMarks) item.value(key);
  switch (type) {
    case "message":
      return decodeMessage(item, index, messages, turn);
    case "function_call":
    case "custom_tool_call":
      return decodeCall(item, type === "function_call" ? "function" : "custom", index, turn);
    case "function_call_output":
    case "custom_tool_call_output":
      turn.end();
      messages.push(decodeOutput(item, type, index));
      return;
    case "reasoning": {
      item.value("internal_chat_message_metadata_passthrough");
      const decoded = decodeReasoning(item, "openai");
      if (decoded.kind === "thought") turn.addThought(decoded.state, decoded.callId);
      else turn.add(decoded.parts);
      return;
    }
    case "additional_tools":
      return;
    case "item_reference":
      return checkReference(item, index);
    default:
      return decodeOther(item, type, index, messages, turn);
  }
}

function decodeMessage(item: Members, index: number, messages: ChatMessage[], turn: AssistantTurn): void {
  const role = item.text("role");
  if (role === undefined || role === "") throw invalidItem(index, "role is required");
  if (!isRole(role))
    throw invalidItem(index, `role must be user, assistant, system or developer, not ${JSON.stringify(role)}`);
  const content = item.value("content");
  const thought = readThoughtState(item.value("extra_content"));
  const unknown = item.unknown();
  if (role === "assistant") {
    turn.addMessage(decodeContent(content, index, assistantPart), unknown);
    if (thought !== undefined) turn.addThought(thought, undefined);
    return;
  }
  turn.end();
  const parts = decodeContent(content, index, contentPart);
  messages.push({ role, parts, ...(unknown === undefined ? {} : { unknown }) });
}

/** `check` gives the part as its speaker may say it; undefined: never. */
function decodeContent<Part extends ContentPart | AssistantPart>(
  content: unknown,
  index: number,
  check: (part: DecodedPart, value: unknown) => Part | TextPart | undefined,
): readonly (Part | TextPart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) throw invalidItem(index, "unsupported content");
  const parts = content.map((entry: unknown, at) => {
    const decoded = isJsonObject(entry) ? decodePart(partMembers(entry, index, at)) : undefined;
    const part = decoded === undefined ? undefined : check(decoded, entry);
    if (part === undefined) throw invalidItem(index, "unsupported content");
    return part;
  });
  const joined = joinPlainText(parts);
  return joined === undefined ? parts : [joined];
}

function contentPart(part: DecodedPart): ContentPart | undefined {
  return part.kind === "refusal" ? undefined : part;
}

function assistantPart(part: DecodedPart, value: unknown): AssistantPart {
  if (part.kind !== "image" && part.kind !== "file") return part;
  return { kind: "opaque", dialect: "responses", type: `input_${part.kind}`, value };
}

/** Behaviour 4.4: texts alone become one, with a space between them. */
function joinPlainText(parts: readonly (ContentPart | AssistantPart)[]): TextPart | undefined {
  if (parts.length < 2) return undefined;
  const texts: string[] = [];
  for (const part of parts) {
    if (part.kind !== "text" || Object.keys(part).length > 2) return undefined;
    texts.push(part.text);
  }
  return { kind: "text", text: texts.join(" ") };
}

function decodeCall(item: Members, toolKind: "function" | "custom", index: number, turn: AssistantTurn): void {
  const name = item.value("name");
  if (typeof name !== "string" || name === "")
    throw invalidItem(index, `${toolKind === "function" ? "function_call" : "custom_tool_call"} name is required`);
  const input = item.value(toolKind === "function" ? "arguments" : "input");
  const id = item.text("call_id") ?? "";
  const state = readThoughtState(item.value("extra_content"));
  item.value("namespace");
  item.value("caller");
  item.value("async");
  // An addition of OpenAI's SDK: the same arguments once more.
  item.value("parsed_arguments");
  const unknown = item.unknown();
  turn.add([
    {
      kind: "tool-call",
      // The same at every reading of the request, for each target is given its own.
      id: id === "" ? `call_input_${index}` : id,
      name,
      arguments: typeof input === "string" ? input : input === undefined ? "" : JSON.stringify(input),
      toolKind,
      ...(state === undefined ? {} : { state }),
      ...(unknown === undefined ? {} : { unknown }),
    },
  ]);
}

function decodeOutput(item: Members, type: string, index: number): ToolMessage {
  const callId = item.value("call_id");
  if (typeof callId !== "string" || callId === "") throw invalidItem(index, `${type} call_id is required`);
  const isError = isToolError(item.value("extra_content"));
  if (!("output" in item.whole())) throw invalidItem(index, `${type}.output must be JSON-serializable`);
  const parts = decodeOutputParts(item.whole().output, index);
  item.value("output");
  item.value("caller");
  item.value("name");
  const unknown = item.unknown();
  return {
    role: "tool",
    callId,
    toolKind: type === "function_call_output" ? "function" : "custom",
    parts,
    isError,
    ...(unknown === undefined ? {} : { unknown }),
  };
}

function decodeOutputParts(output: unknown, index: number): readonly ContentPart[] {
  if (typeof output === "string") return output === "" ? [] : [{ kind: "text", text: output }];
  const parts: ContentPart[] = [];
  for (const [at, entry] of (Array.isArray(output) ? output : [undefined]).entries()) {
    // A tool that says nothing in one of its parts has a result all the same.
    if (isJsonObject(entry) && entry.text === "" && String(entry.type).endsWith("text")) continue;
    const part = isJsonObject(entry) ? decodePart(partMembers(entry, index, at)) : undefined;
    // A value of the tool's own and no list of parts.
    if (part === undefined || part.kind === "refusal") return [{ kind: "text", text: JSON.stringify(output) }];
    parts.push(part);
  }
  return parts;
}

/** Reasoning can be left out, as all state of another provider is; an answer or a call cannot. */
function checkReference(item: Members, index: number): void {
  const id = item.text("id") ?? "";
  if (id.startsWith("rs_")) return;
  throw invalidItem(
    index,
    `item_reference ${JSON.stringify(id)} points to an item that only the provider that made it has; send the item itself, with \`store\` false where a client library decides`,
  );
}

function decodeOther(item: Members, type: string, index: number, messages: ChatMessage[], turn: AssistantTurn): void {
  const speaker = speakerOf(type);
  if (speaker === undefined) throw invalidItem(index, `the type ${JSON.stringify(type)} is not known; remove the item`);
  const part = { kind: "opaque", dialect: "responses", type, value: item.whole(), ...recordMark(type) } as const;
  if (speaker === "assistant") return turn.add([part]);
  turn.end();
  messages.push({ role: "user", parts: [part] });
}

function partMembers(entry: Readonly<Record<string, unknown>>, index: number, at: number): Members {
  return new Members(entry, `input[${index}].content[${at}]`, (path, expected) =>
    invalidRequest(`invalid responses input item at index ${index}: ${path} must be ${expected}`, { param: path }),
  );
}

function isRole(role: string): role is Role {
  return role === "user" || role === "assistant" || role === "system" || role === "developer";
}

function invalidItem(index: number, what: string): Error {
  return invalidRequest(`invalid responses input item at index ${index}: ${what}`, { param: `input[${index}]` });
}
