// Groq: takes an effort for the models that can think, and refuses it for the others.

import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { dropEffort, flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";

const thinkingModel = /gpt-oss|qwen3/i;

export const groq: ProviderType = {
  info: {
    type: "groq",
    defaultBaseUrl: "https://api.groq.com/openai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    supportsPrefill: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    shapeChat: (model, fields) =>
      chatShape(flatReasoningEffort(fields, thinkingModel.test(model) ? keepEffort : dropEffort)),
  }),
};
