// For providers that take JSON output but no schema: the schema as an instruction, or a refusal.

import type { ProviderOption } from "../core/provider-config.ts";
import { invalidRequest } from "../core/failure.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";

export const schemaModeVariable = "DEEPSEEK_JSON_SCHEMA_MODE";

export const schemaModeOption: ProviderOption = {
  variable: schemaModeVariable,
  meaning: "What becomes of response_format json_schema: json_object with the schema as a system message, or a 400.",
  values: ["downgrade", "error"],
  default: "downgrade",
};

/** Edits for `response_format`; `refuse`: a `Failure` instead. */
export function jsonSchemaAsInstruction(
  fields: RequestFields,
  providerName: string,
  refuse: boolean,
): readonly JsonEdit[] {
  const format = fields.has("response_format") ? fields.value("response_format") : undefined;
  if (!isObject(format) || format["type"] !== "json_schema") return [];
  if (refuse) {
    throw invalidRequest(
      `response_format json_schema is not supported by provider ${providerName} (${schemaModeVariable}=error)`,
      {
        param: "response_format",
      },
    );
  }
  const edits: JsonEdit[] = [{ kind: "set", key: "response_format", json: '{"type":"json_object"}' }];
  const messages = fields.json("messages")?.trimStart();
  if (messages?.startsWith("[")) {
    const rest = messages.slice(1);
    const separator = rest.trimStart().startsWith("]") ? "" : ",";
    const message = { role: "system", content: schemaInstruction(format["json_schema"]) };
    edits.push({ kind: "set", key: "messages", json: `[${JSON.stringify(message)}${separator}${rest}` });
  }
  return edits;
}

/** DeepSeek wants the word JSON in the prompt of every json_object call. */
function schemaInstruction(definition: unknown): string {
  const schema = isObject(definition) ? definition["schema"] : undefined;
  const instruction = "Answer with one JSON object and nothing else.";
  return isObject(schema)
    ? `${instruction} It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`
    : instruction;
}
