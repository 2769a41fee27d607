// What a response says about itself beside its candidates.

import type { UnknownMembers } from "../../core/chat-request.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { unknownIn } from "./answer-parts.ts";

interface AnswerHead {
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  readonly unknown?: UnknownMembers;
}

/** https://ai.google.dev/api/generate-content#GenerateContentResponse; `createTime` is Vertex's. */
const knownMembers: ReadonlySet<string> = new Set([
  "candidates",
  "promptFeedback",
  "usageMetadata",
  "modelVersion",
  "responseId",
  "createTime",
  "modelStatus",
]);

export function headOf(response: JsonObject): AnswerHead {
  const { responseId, modelVersion, createTime } = response;
  const created = typeof createTime === "string" ? Math.floor(Date.parse(createTime) / 1000) : Number.NaN;
  const unknown = unknownIn(response, knownMembers);
  return {
    ...(typeof responseId === "string" && responseId !== "" ? { id: responseId } : {}),
    ...(typeof modelVersion === "string" && modelVersion !== "" ? { model: modelVersion } : {}),
    ...(Number.isFinite(created) ? { created } : {}),
    ...(unknown === undefined ? {} : { unknown }),
  };
}
