// Kimi Code: the coding subscription to Moonshot's models; its answers cost nothing beyond it.

import { shapeKimiChat } from "./kimi-models.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const kimicode: ProviderType = {
  info: {
    type: "kimicode",
    defaultBaseUrl: "https://api.kimi.com/coding/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({ ...openAiCompatibleWire(config, { embeddings: true }), shapeChat: shapeKimiChat }),
};
