import { expect, test } from "bun:test";
import { textTable } from "./text-table.ts";

test("cells go on in the next line of their column, indented as they begin", () => {
  const rows = [["Fault", "Seen"], ["  one, two, three", "whole answer"], ["last"]];
  expect(textTable(rows, [10, 6])).toBe(
    ["Fault       Seen", "  one,      whole", "  two,      answer", "  three", "last", ""].join("\n"),
  );
});

test("a word that is longer than its column is broken", () => {
  expect(textTable([["abcdefgh", "x"]], [3, 1])).toBe("abc  x\ndef\ngh\n");
});
