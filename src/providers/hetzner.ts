// Hetzner: open models behind OpenAI's chat API.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const hetzner: ProviderType = {
  info: {
    type: "hetzner",
    defaultBaseUrl: "https://inference.hetzner.com/api/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => openAiCompatibleWire(config, { embeddings: false }),
};
