import { expect, test } from "bun:test";
import { parseExactly } from "./exact-json.ts";

test("numbers that no double holds are written again digit by digit", () => {
  const text = '{"id":12345678901234567890,"list":[0.12345678901234567891,1e400,-7],"text":"99999999999999999999"}';
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test("usual numbers are plain numbers", () => {
  expect(parseExactly('{"a":1.5,"b":[2,-30]}')).toEqual({ a: 1.5, b: [2, -30] });
});

test("what is no JSON is a SyntaxError", () => {
  expect(() => parseExactly("{")).toThrow(SyntaxError);
});
