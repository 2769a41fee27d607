// Eden AI: a gateway to other providers that tells the exact cost of each answer; its model ids hold a slash and go up as they are.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const edenai: ProviderType = {
  info: {
    type: "edenai",
    defaultBaseUrl: "https://api.edenai.run/v3",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    usage: { reasoningIsExtra: false, reportedCost: "edenai_cost" },
  }),
};
