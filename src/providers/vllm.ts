// vLLM: a server of one's own that takes everything as OpenAI spells it and needs no key.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const vllm: ProviderType = {
  info: {
    type: "vllm",
    defaultBaseUrl: "http://localhost:8000/v1",
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
    supportsPrefill: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
    // https://docs.vllm.ai/en/stable/features/interleaved_thinking/
    accepts: { reasoningContent: true },
    prefill: {
      rule: "prefill",
      edits: [
        { kind: "set", key: "continue_final_message", json: "true" },
        { kind: "set", key: "add_generation_prompt", json: "false" },
      ],
    },
  }),
};
