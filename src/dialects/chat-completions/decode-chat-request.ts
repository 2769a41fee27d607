// A caller's chat request as one of the hub; every documented member is known here (https://platform.openai.com/docs/api-reference/chat/create).

import { Buffer } from "node:buffer";
import type { ChatRequest, OutputFormat, OwnField, ReasoningSettings } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { decodeMessages } from "./decode-chat-messages.ts";
import { decodeToolChoice, decodeTools } from "./decode-chat-tools.ts";

const { utf8Slice } = Buffer.prototype;

/** Throws a 400 `Failure` naming the member that is missing or of the wrong type. */
export function decodeChatRequest(request: ModelRequest): ChatRequest {
  const body = parseExactly(utf8Slice.call(request.body, 0, request.body.length));
  const members = new Members(isJsonObject(body) ? body : {}, "", (path, expected) =>
    invalidRequest(`\`${path}\` must be ${expected}`, { param: path }),
  );
  const messages = members.objects("messages");
  if (messages === undefined || messages.length === 0) {
    throw invalidRequest("`messages` is missing or empty: add at least one message", { param: "messages" });
  }
  // Read already, or the gateway's own.
  for (const key of ["model", "stream", "provider"]) members.value(key);
  const tools = decodeTools(members);
  const isLegacy = members.value("functions") !== undefined && members.value("tools") === undefined;
  // All of them, absent or not: an object of one shape is made and read in a tenth of the time.
  return {
    dialect: "chat-completions",
    model: request.model,
    stream: request.stream,
    wantsStreamUsage: request.wantsStreamUsage,
    tools,
    toolChoice: decodeToolChoice(members),
    // One `function_call` is all that such a caller can be told of.
    parallelToolCalls: members.flag("parallel_tool_calls") ?? (isLegacy ? false : undefined),
    maxTokens: firstOf(members.number("max_completion_tokens"), members.number("max_tokens")),
    temperature: members.number("temperature"),
    topP: members.number("top_p"),
    topK: members.number("top_k"),
    stop: decodeStop(members),
    seed: members.number("seed"),
    choices: members.number("n"),
    frequencyPenalty: members.number("frequency_penalty"),
    presencePenalty: members.number("presence_penalty"),
    logitBias: members.value("logit_bias"),
    logprobs: members.flag("logprobs"),
    topLogprobs: members.number("top_logprobs"),
    reasoning: decodeReasoning(members),
    format: decodeFormat(members),
    verbosity: members.text("verbosity"),
    user: members.text("user") ?? members.text("safety_identifier"),
    metadata: members.object("metadata")?.whole(),
    serviceTier: members.text("service_tier"),
    store: members.flag("store"),
    promptCacheKey: members.text("prompt_cache_key"),
    own: decodeOwn(members, isLegacy),
    messages: decodeMessages(messages),
    unknown: members.unknown() ?? {},
  };
}

function firstOf<Value>(first: Value | undefined, second: Value | undefined): Value | undefined {
  return first ?? second;
}

function decodeStop(members: Members): readonly string[] | undefined {
  const stop = members.value("stop");
  // An empty list is how some clients say nothing; OpenAI refuses it.
  if (stop === undefined || (Array.isArray(stop) && stop.length === 0)) return undefined;
  if (typeof stop === "string") return [stop];
  if (Array.isArray(stop) && stop.every((sequence) => typeof sequence === "string")) return stop;
  throw members.wrong("stop", "a string or a list of strings");
}

/** The object wins over the string (behaviour 4.7). `thinking` is Anthropic's object, which LiteLLM, DeepSeek and Z.ai take in chat requests. */
function decodeReasoning(members: Members): ReasoningSettings | undefined {
  const flat = members.text("reasoning_effort");
  const object = members.object("reasoning");
  const thinking = members.object("thinking");
  const effort = object?.text("effort") ?? flat;
  const budgetTokens =
    object?.number("max_tokens") ?? object?.number("budget_tokens") ?? thinking?.number("budget_tokens");
  const summary = object?.text("summary");
  const enabled = object?.flag("enabled");
  const mode = enabled === false ? "disabled" : modeOf(thinking?.value("type"));
  if (effort === undefined && budgetTokens === undefined && summary === undefined && mode === undefined) {
    return undefined;
  }
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(mode === undefined ? {} : { mode }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function modeOf(type: unknown): ReasoningSettings["mode"] {
  return type === "adaptive" || type === "enabled" || type === "disabled" ? type : undefined;
}

function decodeFormat(members: Members): OutputFormat | undefined {
  const format = members.object("response_format");
  const type = format?.text("type") ?? "";
  if (format === undefined) return undefined;
  switch (type) {
    case "text":
      return { kind: "text" };
    case "json_object":
      return { kind: "json" };
    case "json_schema": {
      const body = format.object("json_schema");
      const schema = body?.value("schema");
      if (body === undefined) throw format.wrong("json_schema", "an object with `name` and `schema`");
      const name = body.text("name");
      const description = body.text("description");
      const strict = body.flag("strict");
      return {
        kind: "json-schema",
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        schema: schema ?? {},
        ...(strict === undefined ? {} : { strict }),
      };
    }
  }
  throw format.wrong("type", "`text`, `json_object` or `json_schema`");
}

/** Known members that only this dialect has, and whether an answer without them is another answer. */
function decodeOwn(members: Members, isLegacy: boolean): readonly OwnField[] {
  const modalities = members.list("modalities");
  // Text alone is what everybody gives; `audio` says how the other modality sounds.
  const wantsMore = modalities?.some((modality) => modality !== "text") ?? false;
  const audio = members.value("audio");
  const safetyIdentifier = members.value("safety_identifier");
  const isSecond = members.value("user") !== undefined;
  const options = members.object("stream_options");
  options?.value("include_usage");
  const functions = members.value("functions");
  const own: OwnField[] = [];
  const add = (name: string, value: unknown, weight: OwnField["weight"]): void => {
    if (value !== undefined) own.push({ name, value, weight });
  };
  add("modalities", wantsMore ? modalities : undefined, "changes-result");
  add("audio", wantsMore ? audio : undefined, "changes-result");
  add("moderation", members.value("moderation"), "changes-result");
  add("web_search_options", members.value("web_search_options"), "changes-result");
  add("prediction", members.value("prediction"), "harmless");
  add("prompt_cache_options", members.value("prompt_cache_options"), "harmless");
  add("prompt_cache_retention", members.value("prompt_cache_retention"), "harmless");
  add("safety_identifier", isSecond ? safetyIdentifier : undefined, "harmless");
  add("stream_options", options?.unknown(), "harmless");
  add("functions", isLegacy ? functions : undefined, "harmless");
  return own;
}
