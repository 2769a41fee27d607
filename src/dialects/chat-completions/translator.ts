// Chat completions to and from the hub between dialects.

import type { ClientTranslator } from "../../core/translation.ts";
import { decodeChatAnswer } from "./decode-chat-answer.ts";
import { decodeChatRequest } from "./decode-chat-request.ts";
import { createChatStreamDecoder } from "./decode-chat-stream.ts";
import { encodeChatAnswer } from "./encode-chat-answer.ts";
import { encodeChatRequest } from "./encode-chat-request.ts";
import { createChatStreamEncoder } from "./encode-chat-stream.ts";

export const chatCompletionsTranslator: ClientTranslator = {
  decodeRequest: decodeChatRequest,
  encodeRequest: encodeChatRequest,
  decodeAnswer: decodeChatAnswer,
  createDecoder: createChatStreamDecoder,
  encodeAnswer: encodeChatAnswer,
  createEncoder: createChatStreamEncoder,
};
