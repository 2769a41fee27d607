// Anthropic: speaks Messages, counts tokens itself, and knows two kinds of keys.

import type { Header } from "./answer-headers.ts";
import { plainUsage } from "../dialects/answers/usage.ts";
import { basePathOf } from "./openai-compatible.ts";
import type { CallFacts, ProviderType } from "./provider-type.ts";

const maxTokensVariable = "ANTHROPIC_DEFAULT_MAX_TOKENS";
const defaultMaxTokens = 4096;
/** Where the caller names no other one (behaviour 3.1). */
const apiVersion = "2023-06-01";
/** Tokens of a subscription, which are sent as bearer tokens and want to be announced. */
const subscriptionToken = /^sk-ant-oat/;
const subscriptionBeta = "oauth-2025-04-20";

/** https://docs.claude.com/en/api/overview */
export const anthropic: ProviderType = {
  info: {
    type: "anthropic",
    defaultBaseUrl: "https://api.anthropic.com/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    options: [
      {
        variable: maxTokensVariable,
        meaning: "Output limit, in tokens, of a translated request that has none; the Messages API needs one.",
        values: undefined,
        default: String(defaultMaxTokens),
      },
    ],
  },
  createWire(config) {
    const basePath = basePathOf(config.baseUrl);
    const beta = config.apiKeys.some((key) => subscriptionToken.test(key)) ? subscriptionBeta : undefined;
    return {
      paths: {
        models: `${basePath}/models?limit=1000`,
        messages: () => `${basePath}/messages`,
        countTokens: () => `${basePath}/messages/count_tokens`,
        embeddings: undefined,
      },
      speaks: () => ["messages"],
      keyHeader: (key) => [subscriptionToken.test(key) ? ["Authorization", `Bearer ${key}`] : ["x-api-key", key]],
      usage: plainUsage,
      defaultMaxTokens: tokenLimit(config.options?.[maxTokensVariable]),
      defaultHeaders: [],
      listingHeaders: [["anthropic-version", apiVersion], ...(beta === undefined ? [] : [betaHeader(beta)])],
      callHeaders: (call) => messagesHeaders(call, beta),
    };
  },
};

/** The version as the caller sent it, and the caller's beta features, with `beta` among them. */
function messagesHeaders(call: CallFacts, beta: string | undefined): readonly Header[] {
  const named = call.isTranslated ? undefined : call.callerHeader("anthropic-version");
  const version: Header = ["anthropic-version", named ?? apiVersion];
  const asked = call.callerHeader("anthropic-beta");
  const betas = asked === undefined ? [] : asked.split(",").map((name) => name.trim());
  if (beta !== undefined && !betas.includes(beta)) betas.push(beta);
  return betas.length === 0 ? [version] : [version, betaHeader(betas.join(","))];
}

function betaHeader(names: string): Header {
  return ["anthropic-beta", names];
}

/** What is no number of tokens counts as not given (behaviour 3.6). */
function tokenLimit(text: string | undefined): number {
  const limit = Number(text ?? "");
  return Number.isInteger(limit) && limit > 0 ? limit : defaultMaxTokens;
}
