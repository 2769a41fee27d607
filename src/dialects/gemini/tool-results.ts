// The result of a tool call as a `functionResponse` part, and the media in it.

import type { ToolMessage } from "../../core/chat-request.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { isGemini3 } from "./model-family.ts";
import { contentPart } from "./request-parts.ts";
import type { MessageContext } from "./request-parts.ts";

/**
 * `response` has to be an object; the keys `output` and `error` have a meaning, an object without them is the output itself
 * (https://ai.google.dev/api/caching#FunctionResponse). Media: inside the response from Gemini 3 on
 * (https://ai.google.dev/gemini-api/docs/function-calling, multimodal function responses), beside it for earlier models.
 */
export function toolResultParts(message: ToolMessage, name: string, context: MessageContext): readonly JsonObject[] {
  const { target, sendsCallIds } = context;
  if (message.cacheControl !== undefined) target.dropped("cache_control");
  const texts: string[] = [];
  const media: JsonObject[] = [];
  for (const part of message.parts) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "opaque" || target.accepts.mediaInToolResults) {
      const encoded = contentPart(part, context);
      if (typeof encoded?.["text"] === "string") texts.push(encoded["text"]);
      else if (encoded !== undefined) media.push(encoded);
    } else target.dropped(`${part.kind} in a tool result`);
  }
  const isNested = media.length > 0 && isGemini3(target.model);
  const functionResponse = {
    ...message.unknown,
    ...(sendsCallIds && message.callId !== "" ? { id: message.callId } : {}),
    name,
    response: responseOf(texts.join("\n"), message.isError),
    ...(isNested ? { parts: media } : {}),
  };
  return [{ functionResponse }, ...(isNested ? [] : media)];
}

function responseOf(text: string, isError: boolean): JsonObject {
  const parsed = parse(text);
  const isObject = isJsonObject(parsed);
  if (isError) return { error: isObject ? parsed : text };
  return isObject ? parsed : { output: text };
}

/** Undefined for what is no object: a text that happens to be a number or a list stays a text. */
function parse(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
