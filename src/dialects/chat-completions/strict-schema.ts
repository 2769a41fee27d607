// Tells whether a JSON schema keeps to the rules that OpenAI has for `strict: true`.

import { isJsonObject } from "../json/is-json-object.ts";

/** https://platform.openai.com/docs/guides/structured-outputs: what a strict schema must not have, with the conditionals (behaviour 4.2). */
const forbidden = ["allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/** Places of one schema, and of named and listed ones. */
const single = ["items"];
const named = ["properties", "$defs", "definitions"];
const listed = ["anyOf", "prefixItems"];

/** The root is an object with nothing but what it names, and so is every object inside; all of it is required. */
export function meetsStrictRules(schema: unknown): boolean {
  return isJsonObject(schema) && schema.type === "object" && schema.anyOf === undefined && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if (forbidden.some((key) => schema[key] !== undefined)) return false;
  const isObject = schema.type === "object" || (Array.isArray(schema.type) && schema.type.includes("object"));
  if (isObject || schema.properties !== undefined) {
    if (schema.additionalProperties !== false) return false;
    const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
    const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : []);
    if (!properties.every((key) => required.has(key))) return false;
  }
  return (
    single.every((key) => schema[key] === undefined || isStrict(schema[key])) &&
    named.every((key) => !isJsonObject(schema[key]) || Object.values(schema[key]).every(isStrict)) &&
    listed.every((key) => schema[key] === undefined || (Array.isArray(schema[key]) && schema[key].every(isStrict)))
  );
}
