import { expect, test } from "bun:test";
import { parseExactly } from "./exact-json.ts";
import { Members } from "./members.ts";

const wrongType = (path: string, expected: string): Error => new Error(`${path} must be ${expected}`);
const members = (object: Record<string, unknown>): Members => new Members(object, "", wrongType);

test("what nobody took is unknown, whatever its name", () => {
  const object = members(JSON.parse('{"a":1,"b":null,"__proto__":{"x":1},"c":"d"}'));
  object.number("a");
  object.text("b");
  expect(JSON.stringify(object.unknown())).toBe('{"__proto__":{"x":1},"c":"d"}');
});

test("with everything taken nothing is unknown", () => {
  const object = members({ a: 1 });
  object.value("a");
  expect(object.unknown()).toBeUndefined();
});

test("a wrong type names the way to the member", () => {
  expect(() =>
    members({ messages: [{ role: 7 }] })
      .objects("messages")?.[0]
      ?.text("role"),
  ).toThrow("messages[0].role must be a string");
  expect(() => members({ messages: [null] }).objects("messages")).toThrow("messages[0] must be an object");
  expect(() => members({ stream: "yes" }).flag("stream")).toThrow("stream must be true or false");
  expect(() => members({ tools: {} }).list("tools")).toThrow("tools must be a list");
});

test("null counts as absent", () => {
  const object = members({ a: null });
  expect([object.text("a"), object.number("a"), object.flag("a"), object.list("a"), object.object("a")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a number that was kept as it was written is a number and no object", () => {
  const object = members(parseExactly('{"temperature":1.0,"max_tokens":2e3,"thinking":1.0,"messages":[1.0]}') as never);
  expect([object.number("temperature"), object.number("max_tokens")]).toEqual([1, 2000]);
  expect(() => object.object("thinking")).toThrow("thinking must be an object");
  expect(() => object.objects("messages")).toThrow("messages[0] must be an object");
});
