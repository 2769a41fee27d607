// Kilo: a gateway to other providers; its model ids hold a slash and go up as they are.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const kilo: ProviderType = {
  info: {
    type: "kilo",
    defaultBaseUrl: "https://api.kilo.ai/api/gateway",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => openAiCompatibleWire(config, { embeddings: false }),
};
