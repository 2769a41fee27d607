// llama.cpp's server: takes everything as OpenAI spells it, needs no key, and has no usual address.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const llamacpp: ProviderType = {
  info: {
    type: "llamacpp",
    defaultBaseUrl: undefined,
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
    supportsPrefill: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true, atBareOrigin: "/v1" }),
    // common_chat_msgs_parse_oaicompat of https://github.com/ggml-org/llama.cpp, common/chat.cpp
    accepts: { reasoningContent: true },
  }),
};
