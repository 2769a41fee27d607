import { expect, test } from "bun:test";
import { createKeyRing } from "./key-ring.ts";

test("three keys come in order and then from the start again", () => {
  const ring = createKeyRing(["a", "b", "c"]);
  expect([ring.next(), ring.next(), ring.next(), ring.next()]).toEqual(["a", "b", "c", "a"]);
});

test("a single key comes every time", () => {
  const ring = createKeyRing(["a"]);
  expect([ring.next(), ring.next()]).toEqual(["a", "a"]);
});

test("a provider without keys gives undefined for ever", () => {
  const ring = createKeyRing([]);
  expect([ring.next(), ring.next()]).toEqual([undefined, undefined]);
});
