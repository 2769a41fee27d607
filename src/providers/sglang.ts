// SGLang: a server of one's own that takes everything as OpenAI spells it and needs no key.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const sglang: ProviderType = {
  info: {
    type: "sglang",
    defaultBaseUrl: "http://localhost:30000/v1",
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
    supportsPrefill: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true, atBareOrigin: "/v1" }),
    // ChatCompletionMessageGenericParam of https://github.com/sgl-project/sglang, entrypoints/openai/protocol.py
    accepts: { reasoningContent: true },
    prefill: { rule: "prefill", edits: [{ kind: "set", key: "continue_final_message", json: "true" }] },
  }),
};
