// What is answered to requests that no model says anything to: listings, token counts, embeddings.
// Listings: https://platform.openai.com/docs/api-reference/models, https://docs.anthropic.com/en/api/models-list, https://ai.google.dev/api/models

import type { Asked } from "./asked.ts";
import { created } from "./forms/chat-events.ts";
import { spokenUsage } from "./spoken-answer.ts";

/** A vector that depends on nothing. */
export function embeddingsJson(asked: Asked): string {
  return JSON.stringify({
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.25, -0.5, 0.125, 1] }],
    model: asked.model,
    usage: { prompt_tokens: 11, total_tokens: 11 },
  });
}

/** What the same request would report as its tokens in. */
export function tokenCountJson(asked: Asked): string {
  const count = spokenUsage(asked, 0).prompt_tokens;
  return JSON.stringify(asked.dialect === "gemini" ? { totalTokens: count } : { input_tokens: count });
}

/** One page with all models. */
export function listingJson({ dialect, models }: Asked): string {
  switch (dialect) {
    case "chat-completions":
    case "responses":
      return JSON.stringify({
        object: "list",
        data: models.map((id) => ({ id, object: "model", created, owned_by: "upstream-simulator" })),
      });
    case "messages":
      return JSON.stringify({
        data: models.map((id) => ({
          type: "model",
          id,
          display_name: id,
          created_at: new Date(created * 1000).toISOString(),
        })),
        has_more: false,
        first_id: models[0] ?? null,
        last_id: models.at(-1) ?? null,
      });
    case "gemini":
      return JSON.stringify({ models: models.map(geminiModel) });
  }
}

function geminiModel(id: string): object {
  return {
    name: `models/${id}`,
    version: "001",
    displayName: id,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
}
