// Writes wait for the end of a round of events, and none for another's mistake.

import { expect, test } from "bun:test";
import { flushSoon } from "./outbox.ts";

function round(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("all who asked in one round are flushed at its end, once and in their order", async () => {
  const flushed: string[] = [];
  const writer = (name: string) => ({ flush: () => void flushed.push(name) });
  flushSoon(writer("a"));
  flushSoon(writer("b"));
  await Promise.resolve();
  flushSoon(writer("c"));
  expect(flushed).toEqual([]);
  await round();
  expect(flushed).toEqual(["a", "b", "c"]);
  await round();
  expect(flushed).toEqual(["a", "b", "c"]);
});

test("who asks again while it is flushed has its turn in the next round", async () => {
  let flushes = 0;
  const writer = {
    flush() {
      flushes++;
      if (flushes < 3) flushSoon(writer);
    },
  };
  flushSoon(writer);
  await round();
  expect(flushes).toBe(1);
  await round();
  expect(flushes).toBe(2);
  await round();
  expect(flushes).toBe(3);
});

test("a mistake in one is told, and the others are flushed all the same", async () => {
  const told: unknown[] = [];
  const listener = (error: unknown): void => void told.push(error);
  process.once("uncaughtException", listener);
  const mistake = new Error("a mistake");
  let flushed = false;
  flushSoon({
    flush() {
      throw mistake;
    },
  });
  flushSoon({ flush: () => void (flushed = true) });
  await round();
  await round();
  process.removeListener("uncaughtException", listener);
  expect([flushed, told]).toEqual([true, [mistake]]);
});
