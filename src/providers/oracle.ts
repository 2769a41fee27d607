// Oracle Cloud's generative AI: one address per region, and no listing, so its models are the configured ones.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const oracle: ProviderType = {
  info: {
    type: "oracle",
    defaultBaseUrl: undefined,
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    knownModels: [],
  },
  createWire: (config) => openAiCompatibleWire(config, { embeddings: false, responses: true }),
};
