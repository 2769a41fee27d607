// Fields of a chat request that only some providers know: what a request leaves behind when it goes on to a provider of another kind.

import type { Issuer } from "../core/chat-request.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { parseExactly } from "../dialects/json/exact-json.ts";
import { isJsonObject } from "../dialects/json/is-json-object.ts";
import { requestFields } from "./request-fields.ts";

const openAi = ["openai", "azure"];
const ofModelMakers = ["deepseek", "zai", "kimi", "kimicode", "xiaomi", "minimax", "bailian", "opencode_go"];
const hosts = ["together", "fireworks", "chutes", "hetzner", "openrouter", "kilo", "edenai"];
const ownServers = ["vllm", "sglang", "llamacpp", "llmd", "ollama"];
const samplers = [...ofModelMakers, ...hosts, ...ownServers, "perplexity"];

/**
 * Top-level members without which the answer is still the one that was asked for, or that only steer models of one family, with the types that know them. For
 * the others they are at best nothing and at worst the whole request: Mistral (https://github.com/mistralai/platform-docs-public/issues/7), Groq, Cerebras
 * (https://github.com/openclaw/openclaw/issues/51058) and OpenAI answer 400 or 422 to what they do not know.
 */
const ownersOf: Readonly<Record<string, readonly string[]>> = {
  // https://platform.openai.com/docs/api-reference/chat/create
  store: [...openAi, "openrouter"],
  metadata: [...openAi, "openrouter", "mistral", "together"],
  safety_identifier: openAi,
  prompt_cache_key: [...openAi, "openrouter", "kimi", "kimicode", "fireworks", "cerebras", "mistral", "xai"],
  prompt_cache_retention: openAi,
  prompt_cache_options: openAi,
  verbosity: [...openAi, "openrouter"],
  prediction: [...openAi, "mistral", "cerebras", "fireworks"],
  service_tier: [...openAi, "openrouter", "groq", "cerebras", "fireworks"],
  // https://openrouter.ai/docs/api-reference/chat-completion
  transforms: ["openrouter", "kilo"],
  models: ["openrouter", "kilo"],
  route: ["openrouter", "kilo"],
  usage: ["openrouter", "kilo"],
  include_reasoning: ["openrouter", "kilo", "groq", ...ownServers],
  // What switches the thinking of open models.
  thinking: [...ofModelMakers, "fireworks", "openrouter"],
  enable_thinking: ["bailian", "zai", "xiaomi", ...ownServers],
  thinking_budget: ["bailian"],
  preserve_thinking: ["bailian"],
  reasoning_split: ["minimax"],
  reasoning_format: ["groq"],
  chat_template_kwargs: ["together", "fireworks", "chutes", "bailian", ...ownServers],
  // Sampling beyond OpenAI's.
  top_k: samplers,
  min_p: samplers,
  top_a: ["openrouter", "kilo", ...ownServers],
  repetition_penalty: samplers,
  // https://docs.mistral.ai/api
  safe_prompt: ["mistral"],
  // https://docs.z.ai/api-reference/llm/chat-completion
  do_sample: ["zai"],
};

/** Members of messages, parts and tools. Thoughts go by `TargetFeatures.reasoningContent` besides. */
const innerOwnersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["cache_control", ["openrouter", "kilo", "bailian", "edenai"]],
  ["reasoning", ["openrouter", "kilo", "cerebras", ...ownServers]],
  ["reasoning_details", ["openrouter", "kilo", "minimax"]],
]);

export interface NewTarget {
  readonly type: string;
  readonly issuer: Issuer;
  /** It takes `reasoning_content` of earlier answers. */
  readonly reasoningContent: boolean;
}

/** The edits for a request whose first target read the state of `firstIssuer`; none when that is the same. */
export function leftBehind(request: ModelRequest, firstIssuer: Issuer, target: NewTarget): readonly JsonEdit[] {
  if (firstIssuer === target.issuer) return [];
  const fields = requestFields(request);
  const edits: JsonEdit[] = [];
  for (const [key, owners] of Object.entries(ownersOf)) {
    if (fields.has(key) && !owners.includes(target.type)) edits.push({ kind: "remove", key });
  }
  const unknown = new Set(target.reasoningContent ? [] : ["reasoning_content"]);
  for (const [key, owners] of innerOwnersOf) if (!owners.includes(target.type)) unknown.add(key);
  for (const key of ["messages", "tools"]) {
    const text = fields.json(key);
    if (text === undefined || ![...unknown].some((member) => text.includes(`"${member}"`))) continue;
    const json = JSON.stringify(withoutInner(parseExactly(text), unknown));
    if (json !== text) edits.push({ kind: "set", key, json });
  }
  return edits;
}

/** Of the entries and of what they hold in lists: arguments and schemas, in which any name may occur, stay as they are. */
function withoutInner(entries: unknown, members: ReadonlySet<string>): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map((entry: unknown) => {
    if (!isJsonObject(entry)) return entry;
    const rest = Object.entries(entry).filter(([member]) => !members.has(member));
    const cleaned = Object.fromEntries(rest);
    return "content" in cleaned ? { ...cleaned, content: withoutInner(cleaned["content"], members) } : cleaned;
  });
}
