// Xiaomi MiMo: thinks by default; its `thinking` object and the `[1m]` ending of a model id go up as they are.

import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

export const xiaomi: ProviderType = {
  info: {
    type: "xiaomi",
    defaultBaseUrl: "https://api.xiaomimimo.com/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: false }),
    // Behaviour 3.6: its thoughts are wanted back.
    accepts: { reasoningContent: true },
  }),
};
