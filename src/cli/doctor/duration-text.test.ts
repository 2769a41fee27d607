import { expect, test } from "bun:test";
import { durationText, waitText } from "./duration-text.ts";

test.each([
  [0, "off"],
  [1.6667, "1.7 ms"],
  [16.67, "17 ms"],
  [1000, "1 s"],
  [1500, "1.5 s"],
  [119_000, "119 s"],
  [600_000, "10 min"],
  [7_200_000, "2 h"],
])("%d ms is %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, 499, "at once"],
  [6950, 7040, "7 s"],
  [6300, 7400, "6-7 s"],
  [10, 30_000, "at once to 30 s"],
  [600_010, 1_200_020, "10-20 min"],
  [500, 500, "1 s"],
])("from %d to %d ms callers wait %s", (shortest, longest, text) => {
  expect(waitText(shortest, longest)).toBe(text);
});
