// Perplexity: a few models that search, known by name because there is no listing; tells the exact cost of each answer.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort } from "./reasoning-effort.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";
import { asMaxTokens } from "./token-limit.ts";
import { unsupportedField } from "./unsupported-fields.ts";

/** Sources: https://docs.perplexity.ai/docs/sonar/openai-compatibility and the request types of Perplexity's own client. */
export const perplexity: ProviderType = {
  info: {
    type: "perplexity",
    defaultBaseUrl: "https://api.perplexity.ai",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    knownModels: ["sonar", "sonar-pro", "sonar-reasoning-pro", "sonar-deep-research"],
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: false }),
    usage: { reasoningIsExtra: false, reportedCost: "perplexity_cost" },
    streamUsage: "always",
    shapeChat(_model, fields) {
      refuseSchemalessJson(fields, config.name);
      return chatShape([
        ...asMaxTokens(fields),
        ...flatReasoningEffort(fields, perplexityEffort),
        ...(fields.has("stream_options") ? [noStreamOptions] : []),
      ]);
    },
  }),
};

const noStreamOptions: JsonEdit = { kind: "remove", key: "stream_options" };

/** It knows `minimal` to `high`. */
function perplexityEffort(effort: string): string {
  if (effort === "none") return "minimal";
  return effort === "xhigh" || effort === "max" ? "high" : effort;
}

/** It takes a schema or a regular expression, but not "any JSON". */
function refuseSchemalessJson(fields: RequestFields, providerName: string): void {
  const format = fields.has("response_format") ? fields.value("response_format") : undefined;
  if (isObject(format) && format["type"] === "json_object") {
    throw unsupportedField("response_format", "response_format json_object", providerName);
  }
}
