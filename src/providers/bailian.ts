// Alibaba Bailian (Model Studio): its reasoning models count everything they write only under the newer name of the limit.

import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { asMaxCompletionTokens } from "./token-limit.ts";

export const bailian: ProviderType = {
  info: {
    type: "bailian",
    defaultBaseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    // https://www.alibabacloud.com/help/en/model-studio/deep-thinking: `preserve_thinking` says what becomes of it.
    accepts: { reasoningContent: true },
    prefill: { rule: "prefill", lastMessage: '"partial":true' },
    shapeChat: (_model, fields) => chatShape(asMaxCompletionTokens(fields)),
  }),
};
