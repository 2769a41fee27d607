// Cerebras: answers 400 to fields that it does not know, and has another name for the thoughts of earlier answers.

import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import { changeMessages, withoutMembers } from "./request-messages.ts";
import { withoutUnsupported } from "./unsupported-fields.ts";
import type { UnsupportedFields } from "./unsupported-fields.ts";

/** Sources: https://inference-docs.cerebras.ai/resources/openai and .../api-reference/chat-completions. */
export const cerebras: ProviderType = {
  info: {
    type: "cerebras",
    defaultBaseUrl: "https://api.cerebras.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: false }),
    // https://inference-docs.cerebras.ai/capabilities/reasoning, under the name that `respellReasoning` gives it.
    accepts: { reasoningContent: true },
    shapeChat: (_model, fields) =>
      chatShape([
        ...flatReasoningEffort(fields, keepEffort),
        ...withoutUnsupported(fields, config.name, unsupported),
        ...changeMessages(fields, ["reasoning_content"], respellReasoning),
      ]),
  }),
};

const unsupported: UnsupportedFields = {
  harmless: ["store", "metadata", "safety_identifier", "prompt_cache_retention", "verbosity"],
  decisive: {
    frequency_penalty: ["0"],
    presence_penalty: ["0"],
    logit_bias: ["{}"],
    modalities: ['["text"]'],
    audio: [],
    web_search_options: [],
    functions: ["[]"],
    function_call: ['"none"', '"auto"'],
  },
};

function respellReasoning(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { reasoning_content: thoughts } = message;
  if (thoughts === undefined) return message;
  const rest = withoutMembers(message, ["reasoning_content"]);
  return typeof thoughts !== "string" || "reasoning" in rest ? rest : { ...rest, reasoning: thoughts };
}
