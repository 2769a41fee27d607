// Fireworks: takes an effort in the flat spelling only.

import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";

export const fireworks: ProviderType = {
  info: {
    type: "fireworks",
    defaultBaseUrl: "https://api.fireworks.ai/inference/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    // https://docs.fireworks.ai/guides/reasoning
    accepts: { reasoningContent: true },
    shapeChat: (_model, fields) => chatShape(flatReasoningEffort(fields, keepEffort)),
  }),
};
