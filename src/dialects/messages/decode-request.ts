// A caller's Messages request as a request of the hub. https://platform.claude.com/docs/en/api/messages/create

import { Buffer } from "node:buffer";
import type { ChatRequest, OwnField } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { ModelRequest, Operation } from "../../core/model-request.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { decodeMessage, decodeSystem } from "./decode-messages.ts";
import { decodeOutput } from "./decode-output.ts";
import { decodeTool, decodeToolChoice } from "./decode-tools.ts";

const { utf8Slice } = Buffer.prototype;

/** What only Anthropic has, and what it comes to elsewhere. Conversations, machines, servers and promises of a place cannot be made up for. */
const ownFields: readonly (readonly [name: string, weight: OwnField["weight"]])[] = [
  ["cache_control", "harmless"],
  ["container", "changes-result"],
  ["context_management", "harmless"],
  ["mcp_servers", "changes-result"],
  ["inference_geo", "changes-result"],
  ["thread", "changes-result"],
  ["speed", "harmless"],
  ["betas", "harmless"],
  ["diagnostics", "harmless"],
  ["billing_policy", "harmless"],
  ["compaction", "harmless"],
  ["fallbacks", "harmless"],
  ["fallback_credit_token", "harmless"],
  ["user_profile_id", "harmless"],
  ["workspace_id", "harmless"],
];

/** The gateway's own members, and the one that an SDK of another dialect adds to streams: they go to no provider. */
const reserved = ["provider", "stream_options"];

/** Throws a 400 `Failure` naming the field for what is no valid request. */
export function decodeRequest(request: ModelRequest): ChatRequest {
  const parsed = parseExactly(utf8Slice.call(request.body, 0, request.body.length));
  if (!isJsonObject(parsed)) throw invalidRequest("the request body must be a JSON object: { ... }");
  const body = new Members(parsed, "", (path, expected) =>
    invalidRequest(`\`${path}\` must be ${expected}`, { param: path }),
  );
  for (const name of ["model", ...reserved]) body.value(name);
  const system = decodeSystem(body);
  const output = decodeOutput(body);
  const metadata = body.object("metadata");
  return {
    dialect: "messages",
    model: request.model,
    stream: body.flag("stream") ?? false,
    wantsStreamUsage: false,
    maxTokens: maxTokensOf(body, request.operation),
    messages: [...(system === undefined ? [] : [system]), ...messagesOf(body).flatMap(decodeMessage)],
    tools: body.objects("tools")?.map(decodeTool) ?? [],
    ...decodeToolChoice(body),
    temperature: body.number("temperature"),
    topP: body.number("top_p"),
    topK: body.number("top_k"),
    stop: stopOf(body),
    reasoning: output.reasoning,
    format: output.format,
    user: metadata?.text("user_id"),
    metadata: metadata?.unknown(),
    serviceTier: body.text("service_tier"),
    own: [...output.own, ...ownOf(body)],
    unknown: body.unknown() ?? {},
  };
}

/** Required by the dialect, but for counting. Zero is allowed: it fills the prompt cache without an answer. */
function maxTokensOf(body: Members, operation: Operation): number | undefined {
  const maxTokens = body.number("max_tokens");
  if (maxTokens === undefined && operation === "count-tokens") return undefined;
  if (maxTokens === undefined) {
    throw invalidRequest("`max_tokens` is missing: give the largest number of tokens that the answer may have", {
      param: "max_tokens",
    });
  }
  if (!Number.isInteger(maxTokens) || maxTokens < 0) throw body.wrong("max_tokens", "a whole number of tokens");
  return maxTokens;
}

function messagesOf(body: Members): readonly Members[] {
  const messages = body.objects("messages");
  if (messages === undefined || messages.length === 0) throw body.wrong("messages", "a list of at least one message");
  return messages;
}

function stopOf(body: Members): readonly string[] | undefined {
  return body.list("stop_sequences")?.map((entry, index) => {
    if (typeof entry === "string") return entry;
    throw body.wrong(`stop_sequences[${index}]`, "a string");
  });
}

function ownOf(body: Members): OwnField[] {
  return ownFields.flatMap(([name, weight]) => {
    const value = body.value(name);
    if (value === undefined) return [];
    return [{ name, value, weight: name === "thread" && startsThread(value) ? "harmless" : weight }];
  });
}

/** The request has the whole conversation: the answer needs no server that keeps it, and a later turn that relies on one is told that there is none. */
function startsThread(value: unknown): boolean {
  return isJsonObject(value) && value.type === "create";
}
