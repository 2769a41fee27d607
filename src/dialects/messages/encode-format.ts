// The form of the answer: `output_config.format`. https://platform.claude.com/docs/en/build-with-claude/structured-outputs

import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { refuse } from "./refuse.ts";

export function encodeFormat(request: ChatRequest, target: TranslationTarget): JsonObject | undefined {
  const { format } = request;
  switch (format?.kind) {
    case undefined:
    case "text":
      return undefined;
    case "json": {
      const field = request.dialect === "responses" ? "text.format" : "response_format";
      throw refuse(field, target, "give a schema (`json_schema`) instead of `json_object`");
    }
    case "json-schema":
      return {
        type: "json_schema",
        schema: request.dialect === "messages" ? format.schema : closeObjects(format.schema),
      };
  }
}

/** Anthropic wants every object of a schema closed; OpenAI only in strict mode. What is said is left as it is. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (!isJsonObject(schema)) return schema;
  const closed: Record<string, unknown> = { ...schema };
  for (const key of ["items", "anyOf", "allOf", "oneOf", "prefixItems"]) {
    if (schema[key] !== undefined) closed[key] = closeObjects(schema[key]);
  }
  for (const key of ["properties", "$defs", "definitions"]) {
    if (isJsonObject(schema[key])) closed[key] = closeEach(schema[key]);
  }
  if (isOfObjects(schema.type) && schema.additionalProperties === undefined) closed.additionalProperties = false;
  return closed;
}

function isOfObjects(type: unknown): boolean {
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

/** Names are the schema's own, also `items` or `__proto__`. */
function closeEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closeObjects(schema)]));
}
