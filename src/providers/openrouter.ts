// OpenRouter: tells it which application is calling.

import type { Header } from "./answer-headers.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

const siteVariable = "OPENROUTER_SITE_URL";
const applicationVariable = "OPENROUTER_APP_NAME";
const defaultSite = "https://gomodel.enterpilot.io";
const defaultApplication = "GoModel";

export const openrouter: ProviderType = {
  info: {
    type: "openrouter",
    defaultBaseUrl: "https://openrouter.ai/api/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    options: [
      {
        variable: siteVariable,
        meaning: "HTTP-Referer that OpenRouter shows as the calling site.",
        values: undefined,
        default: defaultSite,
      },
      {
        variable: applicationVariable,
        meaning: "X-OpenRouter-Title that OpenRouter shows as the calling application.",
        values: undefined,
        default: defaultApplication,
      },
    ],
  },
  createWire(config) {
    const title: Header = ["X-OpenRouter-Title", config.options?.[applicationVariable] ?? defaultApplication];
    const hasOwnTitle = config.customUpstreamHeaders.some(([name]) => name.toLowerCase() === "x-title");
    return {
      ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
      // https://openrouter.ai/docs/features/multimodal/pdfs; https://openrouter.ai/docs/use-cases/reasoning-tokens has it as another name of `reasoning`.
      accepts: { files: true, reasoningContent: true },
      usage: { reasoningIsExtra: false, reportedCost: "openrouter_credits" },
      defaultHeaders: [["HTTP-Referer", config.options?.[siteVariable] ?? defaultSite]],
      callHeaders(call) {
        if (hasOwnTitle) return [];
        const fromCaller = call.callerHeader("x-title");
        return [fromCaller === undefined ? title : ["X-Title", fromCaller]];
      },
    };
  },
};
