// What the providers have in common that serve OpenAI's paths below their base URL.

import type { ProviderConfig } from "../core/provider-config.ts";
import { plainUsage } from "../dialects/answers/usage.ts";
import type { ProviderPaths, ProviderWire } from "./provider-type.ts";
import { parseUpstreamUrl } from "./upstream/upstream-url.ts";

/** What differs between them. */
interface Differences {
  readonly embeddings: boolean;
  /** It serves Responses, too. Default: false. */
  readonly responses?: boolean;
  /** Where the paths lie when the base URL is a bare origin, for servers whose own pages give only that. Default: at the origin. */
  readonly atBareOrigin?: string;
}

/** Bearer key, no headers of its own, nothing respelled, usage as OpenAI counts it. */
export function openAiCompatibleWire(config: ProviderConfig, differences: Differences): ProviderWire {
  return {
    paths: pathsBelow(basePathOf(config.baseUrl) || (differences.atBareOrigin ?? ""), differences),
    keyHeader: "authorization",
    defaultHeaders: [],
    usage: plainUsage,
    ...(differences.responses === true ? { speaks: () => chatAndResponses } : {}),
  };
}

const chatAndResponses = ["chat-completions", "responses"] as const;

/** OpenAI's paths below `basePath`. */
export function pathsBelow(basePath: string, options: { embeddings: boolean }): ProviderPaths {
  const responses = `${basePath}/responses`;
  const chatCompletions = `${basePath}/chat/completions`;
  const embeddings = `${basePath}/embeddings`;
  return {
    models: `${basePath}/models`,
    chatCompletions: () => chatCompletions,
    responses: () => responses,
    embeddings: options.embeddings ? () => embeddings : undefined,
  };
}

/** The path of a base URL without its trailing slashes; empty for a bare origin. */
export function basePathOf(baseUrl: string): string {
  return parseUpstreamUrl(baseUrl).pathPrefix;
}
