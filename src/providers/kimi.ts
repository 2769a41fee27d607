// Kimi: Moonshot's models behind OpenAI's API.

import { kimiNeedsThoughts, shapeKimiChat } from "./kimi-models.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const kimi: ProviderType = {
  info: {
    type: "kimi",
    defaultBaseUrl: "https://api.kimi.com/coding/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
    accepts: { reasoningContent: true },
    needsThoughts: kimiNeedsThoughts,
    shapeChat: shapeKimiChat,
    prefill: { rule: "prefill", lastMessage: '"partial":true' },
  }),
};
