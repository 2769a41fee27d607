// A request of the hub as the body of `generateContent` and `streamGenerateContent`.

import type { ChatRequest } from "../../core/chat-request.ts";
import type { EncodeChatRequest, TranslationTarget } from "../../core/translation.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { fieldNames, unsupported } from "./caller-fields.ts";
import { generationConfigOf } from "./generation-config.ts";
import { encodeMessages } from "./request-contents.ts";
import { encodeTools } from "./request-tools.ts";
import { labelsOf } from "./vertex-labels.ts";

/** https://ai.google.dev/api/generate-content#request-body. Model and streaming are in the path. */
export const encodeRequest: EncodeChatRequest = (request, target) => {
  refuseUnsupported(request, target);
  noteDropped(request, target);
  const { systemInstruction, contents } = encodeMessages(request, target);
  const { tools, toolConfig } = encodeTools(request, target);
  const labels = target.providerType === "vertex" ? labelsOf(request.metadata, target.dropped) : undefined;
  const members: Readonly<Record<string, unknown>> = {
    systemInstruction,
    contents,
    tools,
    toolConfig,
    generationConfig: generationConfigOf(request, target),
    labels,
  };
  return JSON.stringify(withUnknown(members, request.unknown));
};

/** A caller may know members that we do not, also inside objects that we write; what we say ourselves wins. */
function withUnknown(members: JsonObject, unknown: JsonObject): JsonObject {
  const body: Record<string, unknown> = { ...unknown };
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const other = unknown[key];
    body[key] = isJsonObject(value) && isJsonObject(other) ? { ...other, ...value } : value;
  }
  return body;
}

function refuseUnsupported(request: ChatRequest, target: TranslationTarget): void {
  if (request.previousResponseId !== undefined) {
    throw unsupported(
      "previous_response_id",
      target,
      "it keeps no earlier responses, send the whole conversation in the request",
    );
  }
  if (hasMembers(request.logitBias)) throw unsupported("logit_bias", target, "leave it out");
  for (const field of request.own) {
    if (field.weight === "changes-result") throw unsupported(field.name, target, "leave it out");
  }
}

/** An empty bias changes nothing. */
function hasMembers(bias: unknown): boolean {
  return isJsonObject(bias) ? Object.keys(bias).length > 0 : bias !== undefined;
}

function noteDropped(request: ChatRequest, target: TranslationTarget): void {
  const names = fieldNames(request);
  const fields = {
    [names.verbosity]: request.verbosity,
    [names.user]: request.user,
    service_tier: request.serviceTier,
    store: request.store,
    prompt_cache_key: request.promptCacheKey,
    metadata: target.providerType === "vertex" ? undefined : request.metadata,
  };
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) target.dropped(field);
  for (const field of request.own) target.dropped(field.name);
}
