// OpenAI, and with a `base_url` whatever speaks its API.

import type { Header } from "./answer-headers.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import { shapeOpenAiChat, shapeOpenAiResponses } from "./openai-reasoning-models.ts";
import type { CallFacts, ProviderType } from "./provider-type.ts";

export const openai: ProviderType = {
  info: {
    type: "openai",
    defaultBaseUrl: "https://api.openai.com/v1",
    apiKey: "unless-base-url",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
    accepts: { files: true, customTools: true },
    shapeChat: shapeOpenAiChat,
    shapeResponses: shapeOpenAiResponses,
    callHeaders: openAiCallHeaders,
  }),
};

/** The request id under the name that OpenAI's support asks for, and the caller's choice of beta features. */
export function openAiCallHeaders(call: CallFacts): readonly Header[] {
  const headers: Header[] = [];
  if (call.requestId !== undefined) headers.push(["X-Client-Request-Id", call.requestId]);
  const beta = call.callerHeader("openai-beta");
  if (beta !== undefined) headers.push(["OpenAI-Beta", beta]);
  return headers;
}
