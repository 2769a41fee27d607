// The Gemini dialect towards providers: `generateContent` and `streamGenerateContent?alt=sse`.

import { randomUUID } from "node:crypto";
import type { ProviderTranslator } from "../../core/translation.ts";
import { decodeGeminiAnswer } from "./decode-answer.ts";
import { encodeRequest } from "./encode-request.ts";
import { createGeminiDecoder } from "./stream-decoder.ts";

export const geminiTranslator: ProviderTranslator = {
  encodeRequest,
  decodeAnswer: (body, origin) => decodeGeminiAnswer(body, origin, randomCallId),
  createDecoder: (origin) => createGeminiDecoder(origin, randomCallId),
};

/** In the form of OpenAI's; unique beyond one answer, as the whole history matches results by it. */
function randomCallId(): string {
  return `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
