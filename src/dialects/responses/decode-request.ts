// A Responses request, to the hub.

import type { ChatMessage, ChatRequest, OutputFormat, OwnField, ReasoningSettings } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { decodeAdditionalTools } from "./additional-tools.ts";
import { decodeInput } from "./decode-input.ts";
import { decodeTools, decodeToolChoice } from "./decode-tools.ts";
import { readNumber } from "./exact-numbers.ts";
import { readOwnFields } from "./own-fields.ts";

const decoder = new TextDecoder();

/** Asks for logprobs of the answer's text. */
export const includeLogprobs = "message.output_text.logprobs";

/** Throws a 400 naming the field for what is no valid request of the dialect; texts of behaviour 4.4. */
export function decodeRequest(request: ModelRequest): ChatRequest {
  const parsed = parseExactly(decoder.decode(request.body));
  if (!isJsonObject(parsed)) throw invalidRequest("the request must be a JSON object");
  const members = new Members(parsed, "", wrongType);
  for (const key of ["model", "stream", "provider"]) members.value(key);
  const include = members.list("include") ?? [];
  const topLogprobs = readNumber(members, "top_logprobs");
  const text = members.object("text");
  const reasoning = members.object("reasoning");
  const own: OwnField[] = [];
  const optional = {
    toolChoice: decodeToolChoice(members),
    parallelToolCalls: members.flag("parallel_tool_calls"),
    maxTokens: readNumber(members, "max_output_tokens"),
    temperature: readNumber(members, "temperature"),
    topP: readNumber(members, "top_p"),
    logprobs: include.includes(includeLogprobs) || (topLogprobs ?? 0) > 0 ? true : undefined,
    topLogprobs,
    reasoning: reasoning === undefined ? undefined : decodeReasoningSettings(reasoning, own),
    format: text === undefined ? undefined : decodeFormat(text),
    verbosity: text?.text("verbosity"),
    user: members.text("user"),
    metadata: members.object("metadata")?.whole(),
    serviceTier: members.text("service_tier"),
    store: members.flag("store"),
    promptCacheKey: members.text("prompt_cache_key"),
    previousResponseId: members.text("previous_response_id"),
  };
  const otherIncludes = include.filter((entry) => entry !== includeLogprobs);
  if (otherIncludes.length > 0) own.push({ name: "include", value: otherIncludes, weight: "harmless" });
  for (const [key, value] of Object.entries(text?.unknown() ?? {})) {
    own.push({ name: `text.${key}`, value, weight: "harmless" });
  }
  own.push(...readOwnFields(members));
  const messages = decodeMessages(members, own, optional.previousResponseId);
  return {
    dialect: "responses",
    model: request.model,
    stream: request.stream,
    wantsStreamUsage: true,
    messages,
    tools: [...decodeTools(members), ...decodeAdditionalTools(parsed.input)],
    ...present(optional),
    own,
    unknown: members.unknown() ?? {},
  };
}

function decodeMessages(members: Members, own: readonly OwnField[], previous: string | undefined): ChatMessage[] {
  const instructions = members.text("instructions");
  const input = members.value("input");
  const messages: ChatMessage[] = [];
  if (instructions !== undefined) messages.push({ role: "system", parts: [{ kind: "text", text: instructions }] });
  const elsewhere = previous !== undefined || own.some(({ name }) => name === "conversation" || name === "prompt");
  if (input !== undefined || !elsewhere) messages.push(...decodeInput(input));
  return messages;
}

function decodeReasoningSettings(settings: Members, own: OwnField[]): ReasoningSettings | undefined {
  const effort = settings.text("effort");
  const summary = settings.text("summary") ?? settings.text("generate_summary");
  settings.value("generate_summary");
  for (const [key, value] of Object.entries(settings.unknown() ?? {})) {
    // `mode: pro` asks for another model in all but name; the others say how much of earlier reasoning is read again.
    own.push({ name: `reasoning.${key}`, value, weight: "harmless" });
  }
  if (effort === undefined && summary === undefined) return undefined;
  return { ...(effort === undefined ? {} : { effort }), ...(summary === undefined ? {} : { summary }) };
}

function decodeFormat(text: Members): OutputFormat | undefined {
  const format = text.object("format");
  if (format === undefined) return undefined;
  const type = format.text("type");
  if (type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema") throw format.wrong("type", '"text", "json_object" or "json_schema"');
  const schema = format.value("schema");
  if (schema === undefined) throw format.wrong("schema", "a JSON schema");
  return {
    kind: "json-schema",
    schema,
    ...present({
      name: format.text("name"),
      description: format.text("description"),
      strict: format.flag("strict"),
    }),
  };
}

function wrongType(path: string, expected: string): Error {
  return invalidRequest(`${path} must be ${expected}`, { param: path });
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are undefined: absent and undefined are the same only here. */
function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}
