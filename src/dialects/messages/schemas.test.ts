// What schemas of structured output become on their way between OpenAI's rules and Anthropic's.

import { expect, test } from "bun:test";
import { closeObjects } from "./encode-format.ts";
import { isStrictSchema } from "./strict-schema.ts";

const closed = (properties: object, required: readonly string[], more: object = {}) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
  ...more,
});

const strict: readonly (readonly [name: string, schema: unknown, isStrict: boolean])[] = [
  ["closed, all required", closed({ a: { type: "string" } }, ["a"]), true],
  ["one property not required", closed({ a: {}, b: {} }, ["a"]), false],
  ["open", { ...closed({}, []), additionalProperties: true }, false],
  ["an open object inside", closed({ a: { type: "object", properties: {} } }, ["a"]), false],
  ["an open object in a list", closed({ a: { type: "array", items: { type: "object" } } }, ["a"]), false],
  ["an open object in a definition", closed({}, [], { $defs: { d: { type: "object" } } }), false],
  ["closed objects everywhere", closed({ a: { anyOf: [closed({}, []), { type: "null" }] } }, ["a"]), true],
  ["allOf", closed({ a: { allOf: [{ type: "string" }] } }, ["a"]), false],
  ["not", closed({ a: { not: {} } }, ["a"]), false],
  ["a condition", closed({}, [], { if: {}, else: {} }), false],
  ["no object", "text", false],
];

for (const [name, schema, isStrict] of strict) {
  test(`${name}: ${isStrict ? "strict" : "not strict"}`, () => {
    expect(isStrictSchema(schema)).toBe(isStrict);
  });
}

test("objects are closed at every depth, and what is said of them is left as it is", () => {
  const schema = JSON.parse(`{
    "type": "object",
    "properties": {
      "items": { "type": ["object", "null"], "properties": {} },
      "__proto__": { "type": "array", "items": { "type": "object" } },
      "open": { "type": "object", "additionalProperties": true }
    },
    "$defs": { "d": { "anyOf": [{ "type": "object" }, { "type": "string" }] } },
    "default": { "type": "object" }
  }`) as unknown;
  expect(JSON.stringify(closeObjects(schema))).toBe(
    JSON.stringify(
      JSON.parse(`{
        "type": "object",
        "properties": {
          "items": { "type": ["object", "null"], "properties": {}, "additionalProperties": false },
          "__proto__": { "type": "array", "items": { "type": "object", "additionalProperties": false } },
          "open": { "type": "object", "additionalProperties": true }
        },
        "$defs": { "d": { "anyOf": [{ "type": "object", "additionalProperties": false }, { "type": "string" }] } },
        "default": { "type": "object" },
        "additionalProperties": false
      }`),
    ),
  );
});
