// The Messages dialect to and from the hub.

import type { ClientTranslator } from "../../core/translation.ts";
import { decodeAnswer } from "./decode-answer.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeAnswer } from "./encode-answer.ts";
import { encodeRequest } from "./encode-request.ts";
import { createDecoder } from "./stream-decoder.ts";
import { createEncoder } from "./stream-encoder.ts";

export const messagesTranslator: ClientTranslator = {
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  createDecoder,
  encodeAnswer,
  createEncoder,
};
