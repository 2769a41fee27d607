// The Responses dialect to and from the hub.

import type { ClientTranslator } from "../../core/translation.ts";
import { decodeAnswer } from "./decode-answer.ts";
import { decodeRequest } from "./decode-request.ts";
import { createDecoder } from "./decode-stream.ts";
import { encodeAnswer } from "./encode-answer.ts";
import { encodeRequest } from "./encode-request.ts";
import { createEncoder } from "./encode-stream.ts";

export const responsesTranslator: ClientTranslator = {
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  createDecoder,
  encodeAnswer,
  createEncoder,
};
