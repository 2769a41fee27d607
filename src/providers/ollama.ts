// Ollama: a local server that needs no key; its OpenAI-compatible API lies below /v1.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const ollama: ProviderType = {
  info: {
    type: "ollama",
    defaultBaseUrl: "http://localhost:11434/v1",
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
  },
  // Ollama's own variable and pages give the bare origin, where none of OpenAI's paths exist.
  createWire: (config) => openAiCompatibleWire(config, { embeddings: true, atBareOrigin: "/v1" }),
};
