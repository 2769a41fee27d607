// Chutes: open models behind OpenAI's chat API.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const chutes: ProviderType = {
  info: {
    type: "chutes",
    defaultBaseUrl: "https://llm.chutes.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => openAiCompatibleWire(config, { embeddings: false }),
};
