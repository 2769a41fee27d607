// Mistral: answers 422 to every field that it does not know, so OpenAI's others are respelled, dropped or refused.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { dropEffort, flatReasoningEffort } from "./reasoning-effort.ts";
import { changeMessages, developerAsSystem, withoutMembers } from "./request-messages.ts";
import { asMaxTokens } from "./token-limit.ts";
import { withoutUnsupported } from "./unsupported-fields.ts";
import type { UnsupportedFields } from "./unsupported-fields.ts";

/** Sources: https://docs.mistral.ai/api and the request models of Mistral's own client. */
export const mistral: ProviderType = {
  info: {
    type: "mistral",
    defaultBaseUrl: "https://api.mistral.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    supportsPrefill: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    streamUsage: "always",
    // What their own client shows of an answer begins with the prefix.
    prefill: { rule: "fresh", lastMessage: '"prefix":true' },
    shapeChat: (model, fields) =>
      chatShape([
        ...asMaxTokens(fields),
        ...(fields.has("seed") ? [seed] : []),
        ...flatReasoningEffort(fields, thinkingModel.test(model) ? mistralEffort : dropEffort),
        ...withoutUnsupported(fields, config.name, unsupported),
        ...changeMessages(fields, [...refusedMembers, "name", "developer"], (message) =>
          withoutMembers(
            developerAsSystem(message),
            message["role"] === "tool" ? refusedMembers : [...refusedMembers, "name"],
          ),
        ),
      ]),
  }),
};

const seed: JsonEdit = { kind: "rename", key: "seed", to: "random_seed" };

/** The others refuse an effort. */
const thinkingModel = /^mistral-(?:small-(?:latest|26\d\d)|medium-(?:latest|26\d\d|3(?!\d)))/i;

/** These think or they do not. */
function mistralEffort(effort: string): string {
  return effort === "minimal" || effort === "none" ? "none" : "high";
}

const unsupported: UnsupportedFields = {
  harmless: [
    "stream_options",
    "user",
    "store",
    "service_tier",
    "safety_identifier",
    "prompt_cache_retention",
    "verbosity",
  ],
  decisive: {
    logit_bias: ["{}"],
    logprobs: ["false"],
    top_logprobs: ["0"],
    modalities: ['["text"]'],
    audio: [],
    web_search_options: [],
    functions: ["[]"],
    function_call: ['"none"', '"auto"'],
  },
};

/** What OpenAI and others put beside an answer, and clients send back with it. */
const refusedMembers = ["refusal", "annotations", "audio", "function_call", "reasoning_content", "reasoning"];
