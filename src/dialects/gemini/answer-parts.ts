// One part of an answer as a part of the hub.

import type { AssistantPart, ProviderState, ReasoningPart, TextPart, ToolCallPart } from "../../core/chat-request.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What the decoding of answers depends on. */
export interface AnswerDecoding {
  readonly origin: AnswerOrigin;
  /** An id for a call without one. Vertex and models before Gemini 3 give none. */
  readonly newCallId: () => string;
  /** Of the calls before: results are matched by id, so that one that comes again is another. */
  readonly callIds: Set<string>;
}

/** Members of a part that are read; others are kept. https://ai.google.dev/api/caching#Part */
const knownMembers: ReadonlySet<string> = new Set([
  "text",
  "thought",
  "thoughtSignature",
  "functionCall",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
]);

/** Undefined: the part says nothing. A part of a kind that nobody knows is opaque. */
export function readPart(part: JsonObject, decoding: AnswerDecoding): AssistantPart | undefined {
  const state = stateIn(part, decoding.origin);
  const withState = state === undefined ? {} : { state };
  const unknown = unknownIn(part, knownMembers);
  const kept = unknown === undefined ? withState : { ...withState, unknown };
  const { functionCall } = part;
  if (isJsonObject(functionCall)) return { ...readCall(functionCall, decoding), ...kept };
  const audio = part["thought"] === true ? undefined : audioIn(part["inlineData"]);
  if (audio !== undefined) return { kind: "audio", ...audio, ...(unknown === undefined ? {} : { unknown }) };
  const text = typeof part["text"] === "string" ? part["text"] : textOf(part);
  if (text === undefined) {
    if (state !== undefined) return { kind: "text", text: "", ...kept };
    const [type] = Object.keys(unknown ?? {});
    return type === undefined ? undefined : { kind: "opaque", dialect: "gemini", type, value: part };
  }
  if (part["thought"] === true) {
    const reasoning: ReasoningPart = { kind: "reasoning", text, isSummary: true, ...kept };
    return text === "" && state === undefined ? undefined : reasoning;
  }
  const said: TextPart = { kind: "text", text, ...kept };
  return text === "" && state === undefined && unknown === undefined ? undefined : said;
}

function readCall(
  call: JsonObject,
  decoding: AnswerDecoding,
): Pick<ToolCallPart, "kind" | "id" | "name" | "arguments" | "toolKind"> {
  const { name, args } = call;
  return {
    kind: "tool-call",
    id: idOf(call, decoding),
    name: typeof name === "string" ? name : "",
    arguments: isJsonObject(args) ? JSON.stringify(args) : "{}",
    toolKind: "function",
  };
}

function idOf({ id }: JsonObject, { callIds, newCallId }: AnswerDecoding): string {
  const own = typeof id === "string" && id.trim() !== "" && !callIds.has(id) ? id : newCallId();
  callIds.add(own);
  return own;
}

function stateIn(part: JsonObject, { issuer }: AnswerOrigin): ProviderState | undefined {
  const value = part["thoughtSignature"];
  return typeof value === "string" && value !== "" ? { issuer, kind: "thought", value } : undefined;
}

/** Speech: https://ai.google.dev/gemini-api/docs/speech-generation gives `audio/L16;codec=pcm;rate=24000`. */
function audioIn(inlineData: unknown): { readonly data: string; readonly format: string } | undefined {
  if (!isJsonObject(inlineData)) return undefined;
  const { mimeType, data } = inlineData;
  if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
  const [, subtype = ""] = /^audio\/([^;]+)/i.exec(mimeType) ?? [];
  if (subtype === "") return undefined;
  return { data, format: /^l16$/i.test(subtype) ? "pcm16" : subtype.toLowerCase() };
}

/** What no other dialect has in an answer, as the Markdown that shows it: images, files, code that was run and what came of it. */
function textOf(part: JsonObject): string | undefined {
  const { inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (isJsonObject(inlineData) && typeof inlineData["data"] === "string") {
    const type = wordIn(inlineData, "mimeType") || "application/octet-stream";
    return linkTo(type, `data:${type};base64,${inlineData["data"]}`);
  }
  if (isJsonObject(fileData)) return linkTo(wordIn(fileData, "mimeType"), wordIn(fileData, "fileUri"));
  if (isJsonObject(executableCode)) {
    return `\n\`\`\`${wordIn(executableCode, "language").toLowerCase()}\n${withoutLineEnd(wordIn(executableCode, "code"))}\n\`\`\`\n`;
  }
  if (isJsonObject(codeExecutionResult)) {
    const outcome = wordIn(codeExecutionResult, "outcome");
    const failed = outcome === "" || outcome === "OUTCOME_OK" ? "" : `${outcome}\n`;
    return `\n\`\`\`\n${failed}${withoutLineEnd(wordIn(codeExecutionResult, "output"))}\n\`\`\`\n`;
  }
  return undefined;
}

function linkTo(type: string, url: string): string {
  return type.startsWith("image/") ? `![image](${url})` : `[file](${url})`;
}

function wordIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

function withoutLineEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** Undefined: every member is known. */
export function unknownIn(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const unknown = Object.entries(object).filter(([key, value]) => !known.has(key) && value !== null);
  return unknown.length === 0 ? undefined : Object.fromEntries(unknown);
}
