// Readings of a heap that swings pass, and those of one that leaks fail.

import { expect, test } from "bun:test";
import { expectSettledMemory } from "./settled-memory.ts";

test("a heap that was collected after the second wave of six and not after the last is settled", () => {
  expectSettledMemory([99, 100, 135, 102, 150, 147]);
});

test("a heap that grows by 50 MB a wave has not settled", () => {
  expect(() => expectSettledMemory([100, 150, 200, 250, 300, 350])).toThrow();
});

test("three waves are not judged", () => {
  expectSettledMemory([100, 200, 300]);
});
