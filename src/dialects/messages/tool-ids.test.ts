import { expect, test } from "bun:test";
import { createAnswerIds, createToolIds } from "./tool-ids.ts";

test("an id of other characters is cleaned, always in the same way", () => {
  const idOf = createToolIds();
  expect([idOf("call_1"), idOf("a.b"), idOf("a:b"), idOf("a.b"), idOf("toolu_a_b"), idOf("toolu_a_b_2")]).toEqual([
    "call_1",
    "toolu_a_b",
    "toolu_a_b_2",
    "toolu_a_b",
    "toolu_a_b_3",
    "toolu_a_b_2_2",
  ]);
});

test("twenty thousand ids that come to the same stay apart, in no time", () => {
  const idOf = createToolIds();
  const given = Array.from({ length: 20_000 }, (_id, index) => idOf(String.fromCharCode(0x4e00 + index)));
  expect(new Set(given).size).toBe(20_000);
  // Looking for each from the first number on would take longer than a test may.
  expect(given.at(-1)).toBe("toolu___20000");
});

test("a call of an answer without an id of its own gets a new one", () => {
  const idOf = createAnswerIds(() => "new");
  expect([idOf("a"), idOf("a"), idOf("")]).toEqual(["a", "toolu_new", "toolu_new"]);
});
