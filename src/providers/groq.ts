// Groq: takes an effort for the models that can think, and refuses it for the others.

import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { changeMessages, withoutMembers } from "./request-messages.ts";
import { dropEffort, flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";

const thinkingModel = /gpt-oss|qwen3/i;

/** A 400 in any message: https://github.com/janhq/jan/issues/8136 */
const refusedMembers = ["reasoning_content", "reasoning_details"];

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
      chatShape([
        ...flatReasoningEffort(fields, thinkingModel.test(model) ? keepEffort : dropEffort),
        ...changeMessages(fields, [...refusedMembers], (message) => withoutMembers(message, refusedMembers)),
      ]),
  }),
};
