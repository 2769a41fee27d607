// Whether a JSON schema keeps the rules of OpenAI's strict structured output (https://developers.openai.com/api/docs/guides/structured-outputs).

import { isJsonObject } from "../json/is-json-object.ts";

/** Words that strict mode has no support for. */
const unsupported = [
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "oneOf",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];

/** Every object closed and all of its properties required, nothing conditional (behaviour 4.2). */
export function isStrictSchema(schema: unknown): boolean {
  if (!isJsonObject(schema) || unsupported.some((word) => Object.hasOwn(schema, word))) return false;
  const isObject = schema.type === "object" || schema.properties !== undefined;
  if (isObject && !isClosedObject(schema.properties ?? {}, schema.required, schema.additionalProperties)) return false;
  const inner = [schema.items, schema.anyOf, ...valuesOf(schema.properties), ...valuesOf(schema.$defs)];
  return (
    inner.flat().every((part) => part === undefined || isStrictSchema(part)) && keepsDefinitions(schema.definitions)
  );
}

function isClosedObject(properties: unknown, required: unknown, additional: unknown): boolean {
  if (additional !== false || !isJsonObject(properties)) return false;
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.keys(properties).every((name) => names.has(name));
}

function keepsDefinitions(definitions: unknown): boolean {
  return valuesOf(definitions).every(isStrictSchema);
}

function valuesOf(value: unknown): readonly unknown[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
