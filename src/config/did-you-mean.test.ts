import { expect, test } from "bun:test";
import { nearest, suggestion } from "./did-you-mean.ts";

test.each([
  ["prot", "port"],
  ["PORT", "port"],
  ["hots", "host"],
  ["base-path", "base_path"],
  ["masterkey", "master_key"],
  ["mastrekey", "master_key"],
])("%s is taken for %s", (written, meant) => {
  expect(nearest(written, ["port", "host", "base_path", "master_key"])).toBe(meant);
});

test.each(["x", "pt", "banana", "", "portal_key"])("%p is near to nothing", (written) => {
  expect(nearest(written, ["port", "host", "base_path", "master_key"])).toBeUndefined();
});

test("a suggestion is a question, or nothing", () => {
  expect(suggestion("prot", ["port"])).toBe('; did you mean "port"?');
  expect(suggestion("banana", ["port"])).toBe("");
});
