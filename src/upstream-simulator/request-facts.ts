// The members of a request body that decide about the answer.

import type { Dialect } from "../core/chat-request.ts";
import type { Route } from "./route.ts";

/** Undefined members were absent or of another type. */
export interface RequestFacts {
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** The text of a last message from the assistant. */
  readonly prefill: string | undefined;
  readonly hasToolResult: boolean;
  readonly tools: readonly string[];
}

type JsonRecord = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined when the body is not a JSON object. */
function readFacts(body: Uint8Array, dialect: Dialect): RequestFacts | undefined {
  let document: unknown;
  try {
    document = JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
  if (!isRecord(document)) return undefined;
  const { model, stream, stream_options: options } = document;
  const last = lastOf(document[turnsMember[dialect]]);
  return {
    model: typeof model === "string" ? model : undefined,
    stream: stream === true,
    includeUsage: isRecord(options) && options["include_usage"] === true,
    prefill: last === undefined ? undefined : prefillOf(last, dialect),
    hasToolResult: last !== undefined && isToolResult(last, dialect),
    tools: toolNames(document["tools"]),
  };
}

/** Where the conversation stands. */
const turnsMember: Readonly<Record<Dialect, string>> = {
  "chat-completions": "messages",
  responses: "input",
  messages: "messages",
  gemini: "contents",
};

function lastOf(turns: unknown): JsonRecord | undefined {
  const last: unknown = Array.isArray(turns) ? turns.at(-1) : undefined;
  return isRecord(last) ? last : undefined;
}

function prefillOf(last: JsonRecord, dialect: Dialect): string | undefined {
  if (last["role"] !== (dialect === "gemini" ? "model" : "assistant")) return undefined;
  const content = dialect === "gemini" ? last["parts"] : last["content"];
  if (typeof content === "string") return content;
  // Chat's form in parts is passed over, as it always was.
  if (dialect === "chat-completions" || !Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : []));
  return texts.length === 0 ? undefined : texts.join("");
}

function isToolResult(last: JsonRecord, dialect: Dialect): boolean {
  const has = (list: unknown, isOne: (part: JsonRecord) => boolean): boolean =>
    Array.isArray(list) && list.some((part) => isRecord(part) && isOne(part));
  switch (dialect) {
    case "chat-completions":
      return last["role"] === "tool" || last["role"] === "function";
    case "responses":
      return last["type"] === "function_call_output";
    case "messages":
      return has(last["content"], ({ type }) => type === "tool_result");
    case "gemini":
      return has(last["parts"], (part) => "functionResponse" in part);
  }
}

/** A function's name is in the tool, in its `function` (chat completions) or in one of its declarations (Gemini). */
function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isRecord).flatMap((tool) => {
    if (Array.isArray(tool["functionDeclarations"])) return toolNames(tool["functionDeclarations"]);
    const { name } = isRecord(tool["function"]) ? tool["function"] : tool;
    return typeof name === "string" ? [name] : [];
  });
}

/** Reads each body anew, unless it is the same bytes as the one before: load generators repeat theirs. */
export function createFactsReader(): (body: Uint8Array, route: Route | undefined) => RequestFacts | undefined {
  let lastBody: Uint8Array | undefined;
  let lastDialect: Dialect | undefined;
  let lastFacts: RequestFacts | undefined;
  return (body, route) => {
    const dialect = route?.dialect ?? "chat-completions";
    const isSame = lastBody?.length === body.length && dialect === lastDialect && Buffer.compare(lastBody, body) === 0;
    if (!isSame) {
      lastFacts = readFacts(body, dialect);
      lastBody = body;
      lastDialect = dialect;
    }
    return lastFacts === undefined || route?.inPath === undefined ? lastFacts : { ...lastFacts, ...route.inPath };
  };
}
