// DeepSeek: two efforts, JSON without a schema, no embeddings.

import { chatShape } from "./chat-shape.ts";
import { jsonSchemaAsInstruction, schemaModeOption, schemaModeVariable } from "./json-schema-mode.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort } from "./reasoning-effort.ts";

export const deepseek: ProviderType = {
  info: {
    type: "deepseek",
    defaultBaseUrl: "https://api.deepseek.com",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    options: [schemaModeOption],
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: false }),
    // https://api-docs.deepseek.com/guides/thinking_mode: without it, a turn that called tools is a 400.
    accepts: { reasoningContent: true },
    needsThoughts: () => true,
    shapeChat: (_model, fields) =>
      chatShape([
        ...flatReasoningEffort(fields, deepseekEffort),
        ...jsonSchemaAsInstruction(fields, config.name, config.options?.[schemaModeVariable] === "error"),
      ]),
  }),
};

const efforts: Readonly<Record<string, string>> = {
  low: "high",
  medium: "high",
  high: "high",
  xhigh: "max",
  max: "max",
};

function deepseekEffort(effort: string): string {
  return Object.hasOwn(efforts, effort) ? (efforts[effort] ?? effort) : effort;
}
