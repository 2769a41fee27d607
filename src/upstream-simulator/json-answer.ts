// The JSON documents an OpenAI-compatible upstream answers with.

import { errorTypeOf } from "../core/failure.ts";
import { answerUsage, defaultWords } from "./answer-text.ts";
import type { Asked } from "./asked.ts";
import { spokenPieces, spokenUsage, wordsOf } from "./spoken-answer.ts";

/** Seconds since the epoch; constant, so that equal requests get equal bytes. */
const created = 1_767_225_600;

/** Fields that a chat answer and each of its stream events begin with. */
export function chatEnvelope(asked: Asked, object: "chat.completion" | "chat.completion.chunk"): object {
  return { id: `chatcmpl-simulated-${asked.model}`, object, created, model: asked.model };
}

/** A chat answer with this message; the parts given in `change` replace the right ones. */
export function chatJson(asked: Asked, message: unknown, finishReason: string, change: object = {}): string {
  return JSON.stringify({
    ...chatEnvelope(asked, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: answerUsage(defaultWords),
    ...change,
  });
}

/** A chat answer of so many words. */
export function textJson(asked: Asked, words = wordsOf(asked), change: object = {}): string {
  const message = { role: "assistant", content: spokenPieces(asked, words).join(""), refusal: null };
  return chatJson(asked, message, "stop", { usage: spokenUsage(asked, words), ...change });
}

/** A vector that depends on nothing. */
function embeddingsJson(asked: Asked): string {
  return JSON.stringify({
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.25, -0.5, 0.125, 1] }],
    model: asked.model,
    usage: { prompt_tokens: 11, total_tokens: 11 },
  });
}

function listingJson(models: readonly string[]): string {
  const data = models.map((id) => ({ id, object: "model", created, owned_by: "upstream-simulator" }));
  return JSON.stringify({ object: "list", data });
}

/** The right document for what was asked. */
export function rightJson(asked: Asked, words = wordsOf(asked)): string {
  switch (asked.operation) {
    case "chat":
      return textJson(asked, words);
    case "embeddings":
      return embeddingsJson(asked);
    case "models":
      return listingJson(asked.models);
  }
}

/** An error document; `message`, `type` and `code` of the model name replace what is given. */
export function errorJson(asked: Asked, message: string, status: number, code: string | number | null): string {
  const error = {
    message: asked.options.get("message") ?? message,
    type: asked.options.get("type") ?? errorTypeOf(status),
    param: null,
    code: asked.options.get("code") ?? code,
  };
  return JSON.stringify({ error });
}
