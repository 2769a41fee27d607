// MiniMax: refuses a temperature of 0 and the developer role.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import type { RequestFields } from "./request-fields.ts";
import { changeMessages, developerAsSystem } from "./request-messages.ts";

export const minimax: ProviderType = {
  info: {
    type: "minimax",
    defaultBaseUrl: "https://api.minimax.io/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    shapeChat: (_model, fields) =>
      chatShape([...temperature(fields), ...changeMessages(fields, ["developer"], developerAsSystem)]),
  }),
};

function temperature(fields: RequestFields): readonly JsonEdit[] {
  const value = fields.has("temperature") ? fields.value("temperature") : undefined;
  return typeof value === "number" && value <= 0 ? [{ kind: "set", key: "temperature", json: "1.0" }] : [];
}
