// Z.ai: the model alone decides about tools, one name for the token limit, no developer role.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import type { RequestFields } from "./request-fields.ts";
import { changeMessages, developerAsSystem } from "./request-messages.ts";
import { asMaxTokens } from "./token-limit.ts";
import { unsupportedField } from "./unsupported-fields.ts";

export const zai: ProviderType = {
  info: {
    type: "zai",
    defaultBaseUrl: "https://api.z.ai/api/paas/v4",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    // https://docs.z.ai/guides/capabilities/thinking-mode
    accepts: { reasoningContent: true },
    shapeChat: (_model, fields) =>
      chatShape([
        ...asMaxTokens(fields),
        ...flatReasoningEffort(fields, keepEffort),
        ...toolChoice(fields, config.name),
        ...changeMessages(fields, ["developer"], developerAsSystem),
      ]),
  }),
};

/** Anything but `auto` is a 400 there. Without tools none is called, which is what `none` asks for. */
function toolChoice(fields: RequestFields, providerName: string): readonly JsonEdit[] {
  const choice = fields.has("tool_choice") ? fields.value("tool_choice") : undefined;
  if (choice === undefined || choice === null || choice === "auto") return [];
  if (choice !== "none") throw unsupportedField("tool_choice", "tool_choice other than auto or none", providerName);
  return ["tool_choice", "tools", "parallel_tool_calls"].map((key) => ({ kind: "remove", key }));
}
