// Which schemas keep OpenAI's rules for strict output; the rules are those of its page on structured outputs.

import { expect, test } from "bun:test";
import { meetsStrictRules } from "./strict-schema.ts";

const closed = (properties: Record<string, unknown>, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

test.each([
  ["an empty object", closed({})],
  ["members of all kinds", closed({ a: { type: "string" }, b: { type: "array", items: { type: "number" } } })],
  [
    "objects inside, in lists, alternatives and definitions",
    closed(
      {
        a: { anyOf: [closed({ x: { type: "null" } }), { $ref: "#/$defs/d" }] },
        b: { type: "array", items: closed({ y: { enum: [1] } }) },
      },
      { $defs: { d: closed({}) } },
    ),
  ],
  ["an object that may be null", closed({ a: { ...closed({}), type: ["object", "null"] } })],
  ["a member that is called like a keyword", closed({ not: { type: "string" }, if: { type: "string" } })],
])("%s is strict", (_name, schema) => {
  expect(meetsStrictRules(schema)).toBe(true);
});

test.each([
  ["no schema", undefined],
  ["a root that is no object", { type: "string" }],
  ["a root of alternatives", closed({}, { anyOf: [closed({})] })],
  ["an open object", { type: "object", properties: {} }],
  ["an optional member", { ...closed({ a: {} }), required: [] }],
  ["an open object inside", closed({ a: { type: "object" } })],
  ["an open object in a list", closed({ a: { type: "array", items: { type: "object" } } })],
  ["an open object among alternatives", closed({ a: { anyOf: [{ type: "object" }] } })],
  ["an open definition", closed({}, { $defs: { d: { type: "object" } } })],
  ["an object without its type that is open", closed({ a: { properties: {} } })],
  ["an object that may be null and is open", closed({ a: { type: ["object", "null"] } })],
  ["a member that may be anything", closed({ a: true })],
  ...["allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"].map(
    (keyword) => [`${keyword} inside`, closed({ a: { [keyword]: {} } })] as const,
  ),
])("%s is not strict", (_name, schema) => {
  expect(meetsStrictRules(schema)).toBe(false);
});
