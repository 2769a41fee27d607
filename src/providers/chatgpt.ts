// ChatGPT: a subscription instead of an API key, which speaks Responses as Codex does: streams only, and keeps nothing.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { parseExactly } from "../dialects/json/exact-json.ts";
import { plainUsage } from "../dialects/answers/usage.ts";
import type { Header } from "./answer-headers.ts";
import { callerSession } from "./caller-session.ts";
import { basePathOf } from "./openai-compatible.ts";
import { openAiCallHeaders } from "./openai.ts";
import type { CallFacts, ProviderType } from "./provider-type.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";

/** Behaviour 3.6; https://github.com/openai/codex, codex-rs/core/src/client.rs. */
export const chatgpt: ProviderType = {
  info: {
    type: "chatgpt",
    defaultBaseUrl: "https://chatgpt.com/backend-api/codex",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    knownModels: ["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5"],
  },
  createWire(config) {
    const basePath = basePathOf(config.baseUrl);
    return {
      paths: {
        // Never asked: its models are known by name.
        models: `${basePath}/models`,
        responses: () => `${basePath}/responses`,
        embeddings: undefined,
      },
      speaks: () => ["responses"],
      onlyStreams: true,
      unsupported: {
        "chat-completions": "ask it with /v1/responses or /v1/messages, or choose a model of another provider",
        embeddings: "choose a model of another provider",
      },
      issuer: "openai",
      keyHeader: headersOfToken,
      usage: plainUsage,
      defaultHeaders: [],
      callHeaders(call) {
        const session = callerSession(call);
        return [...openAiCallHeaders(call), ...(session === undefined ? [] : [["session-id", session] as const])];
      },
      shapeResponses: (_model, fields, _madeForAnother, call) => shape(fields, call),
    };
  },
};

/** https://github.com/openai/codex, codex-rs/login/src/token_data.rs: where the token tells the account. */
const authClaim = "https://api.openai.com/auth";

/** Whose subscription it is stands in the token, which is a JSON web token. */
function headersOfToken(token: string): readonly Header[] {
  const account = accountOf(token);
  const authorization: Header = ["Authorization", `Bearer ${token}`];
  return account === undefined ? [authorization] : [authorization, ["ChatGPT-Account-ID", account]];
}

/** Undefined for what is no such token, or tells no account. */
function accountOf(token: string): string | undefined {
  const claims = parsed(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const auth = isObject(claims) ? claims[authClaim] : undefined;
  const account = isObject(auth) ? auth["chatgpt_account_id"] : undefined;
  return typeof account === "string" && /^[\x21-\x7e]{1,256}$/.test(account) ? account : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** It refuses them; what they ask for is left to it. */
const refused = [
  "temperature",
  "top_p",
  "max_output_tokens",
  "previous_response_id",
  "truncation",
  "metadata",
  "user",
  "service_tier",
  "top_logprobs",
  "prompt_cache_retention",
  "prompt_cache_options",
];

/** Longest that OpenAI takes as a cache key. */
const longestCacheKey = 64;

function shape(fields: RequestFields, call: CallFacts): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  if (fields.json("stream") !== "true") edits.push({ kind: "set", key: "stream", json: "true" });
  if (fields.json("store") !== "false") edits.push({ kind: "set", key: "store", json: "false" });
  edits.push(...inputEdits(fields));
  for (const key of refused) if (fields.has(key)) edits.push({ kind: "remove", key });
  // Without it the answer is "Instructions are required": https://github.com/diegosouzapw/OmniRoute/issues/1711
  if ((fields.json("instructions") ?? "null") === "null") edits.push({ kind: "set", key: "instructions", json: '""' });
  const session = callerSession(call);
  if (!fields.has("prompt_cache_key") && session !== undefined && session.length <= longestCacheKey) {
    edits.push({ kind: "set", key: "prompt_cache_key", json: JSON.stringify(session) });
  }
  return edits;
}

/** A list always, and nobody in it is called `system`: https://github.com/router-for-me/CLIProxyAPI/issues/3510 */
function inputEdits(fields: RequestFields): readonly JsonEdit[] {
  const text = fields.json("input");
  if (text === undefined) return [];
  const input = text.startsWith('"') || text.includes('"system"') ? parseExactly(text) : undefined;
  if (typeof input === "string") {
    const message = { type: "message", role: "user", content: [{ type: "input_text", text: input }] };
    return [{ kind: "set", key: "input", json: JSON.stringify([message]) }];
  }
  if (!Array.isArray(input)) return [];
  const changed = input.map((item: unknown) =>
    isObject(item) && item["role"] === "system" ? { ...item, role: "developer" } : item,
  );
  if (changed.every((item, index) => item === input[index])) return [];
  return [{ kind: "set", key: "input", json: JSON.stringify(changed) }];
}
