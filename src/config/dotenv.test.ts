import { expect, test } from "bun:test";
import { readDotenv } from "./dotenv.ts";

test.each([
  ["A=1", "1"],
  ["A = 1 ", "1"],
  ["export A=1", "1"],
  ["A=", ""],
  ["A=a b # note", "a b"],
  ["A=a#b", "a#b"],
  ["A=#note", ""],
  ['A="a # b" # note', "a # b"],
  ['A="a\\nb\\"c"', 'a\nb"c'],
  ["A='a\\n$b'", "a\\n$b"],
  ["A=https://x?y=z", "https://x?y=z"],
  ['A=[{"source":"s"}]', '[{"source":"s"}]'],
  ["\uFEFFA=1\r", "1"],
])("%p gives %p", (text, value) => {
  expect(readDotenv(text, ".env")).toEqual({ variables: [{ name: "A", value, line: 1 }], problems: [] });
});

test("comments and blank lines are passed over, lines are counted", () => {
  expect(readDotenv("# x\n\n  # y\nA=1\nA=2\n", ".env").variables).toEqual([
    { name: "A", value: "1", line: 4 },
    { name: "A", value: "2", line: 5 },
  ]);
});

test("a line that is no assignment is a warning that does not repeat it", () => {
  expect(readDotenv("A=1\nsk-secret\n", ".env").problems).toEqual([
    { where: ".env:2", message: "is not NAME=value; the line is ignored", severity: "warning" },
  ]);
});
