// Meta: its own models behind OpenAI's chat API.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const meta: ProviderType = {
  info: {
    type: "meta",
    defaultBaseUrl: "https://api.meta.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => openAiCompatibleWire(config, { embeddings: false }),
};
