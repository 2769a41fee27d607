// Together: the older name of the token limit, log probabilities as a number, and no name for plain text.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";
import { asMaxTokens } from "./token-limit.ts";

/** Sources: https://docs.together.ai/docs/inference/openai-compatibility and the request types of Together's own client. */
export const together: ProviderType = {
  info: {
    type: "together",
    defaultBaseUrl: "https://api.together.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    shapeChat: (_model, fields) =>
      chatShape([
        ...asMaxTokens(fields),
        ...flatReasoningEffort(fields, keepEffort),
        ...logProbabilities(fields),
        ...plainText(fields),
      ]),
  }),
};

/** OpenAI: whether, and beside it how many. Together: how many. */
function logProbabilities(fields: RequestFields): readonly JsonEdit[] {
  const asked = fields.has("logprobs") ? fields.value("logprobs") : undefined;
  if (typeof asked !== "boolean") return [];
  const top = fields.has("top_logprobs") ? fields.value("top_logprobs") : undefined;
  const json = typeof top === "number" && top >= 1 ? String(top) : "1";
  return [
    asked ? { kind: "set", key: "logprobs", json } : { kind: "remove", key: "logprobs" },
    { kind: "remove", key: "top_logprobs" },
  ];
}

function plainText(fields: RequestFields): readonly JsonEdit[] {
  const format = fields.has("response_format") ? fields.value("response_format") : undefined;
  return isObject(format) && format["type"] === "text" ? [{ kind: "remove", key: "response_format" }] : [];
}
