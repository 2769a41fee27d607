import { expect, test } from "bun:test";
import { answerText } from "../../upstream-simulator/answer-text.ts";
import { saysRight } from "./right-words.ts";

const words = answerText("a").split(" ");

test("a target's own text is right, whole or cut anywhere", () => {
  expect(saysRight(answerText("a"), ["a"], true)).toBe(true);
  expect(saysRight(answerText("b"), ["a", "b"], true)).toBe(true);
  for (let end = 0; end <= answerText("a").length; end++) {
    expect(saysRight(answerText("a").slice(0, end), ["a"], false)).toBe(true);
  }
});

test("a text that one began and another went on with is right, with the other's mark where it took over", () => {
  const joined = [...words.slice(0, 4), "[b]", ...words.slice(5)].join(" ");
  expect(saysRight(joined, ["a", "b"], true)).toBe(true);
  expect(saysRight(joined.slice(0, 40), ["a", "b"], false)).toBe(true);
  expect(saysRight(joined, ["a", "c"], true)).toBe(false);
});

test("three may follow each other, and nobody comes back", () => {
  const joined = [...words.slice(0, 3), "[b]", words[4], "[c]", ...words.slice(6)];
  expect(saysRight(joined.join(" "), ["a", "b", "c"], true)).toBe(true);
  expect(saysRight([...joined.slice(0, 8), "[b]", ...joined.slice(9)].join(" "), ["a", "b", "c"], true)).toBe(false);
});

test.each([
  ["a cut text that passes for whole", words.slice(0, 8).join(" "), true],
  ["a repeated word", [...words.slice(0, 4), ...words.slice(3)].join(" "), false],
  ["a lost word", [...words.slice(0, 4), ...words.slice(5)].join(" "), true],
  ["a beginning that is there twice", `${words.slice(0, 5).join(" ")}${answerText("a")}`, false],
  ["a mark of somebody who was not called", [...words.slice(0, 4), "[x]"].join(" "), false],
  ["other words", "hello", false],
])("%s is not right", (_, text, whole) => {
  expect(saysRight(text, ["a", "b"], whole)).toBe(false);
});
