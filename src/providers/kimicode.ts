// Kimi Code: the coding subscription to Moonshot's models; its answers cost nothing beyond it.

import { kimiNeedsThoughts, shapeKimiChat } from "./kimi-models.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { ProviderType } from "./provider-type.ts";
import type { RequestFields } from "./request-fields.ts";

export const kimicode: ProviderType = {
  info: {
    type: "kimicode",
    defaultBaseUrl: "https://api.kimi.com/coding/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
    // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
    accepts: { reasoningContent: true },
    needsThoughts: kimiNeedsThoughts,
    shapeChat: shapeKimiChat,
    shapeResponses: (_model, fields) => statelessResponses(fields),
  }),
};

/** It keeps no responses (behaviour 3.6). */
function statelessResponses(fields: RequestFields): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  if (fields.json("store") === "true") edits.push({ kind: "set", key: "store", json: "false" });
  if (fields.has("previous_response_id")) edits.push({ kind: "remove", key: "previous_response_id" });
  return edits;
}
