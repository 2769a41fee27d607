// Writes wait for the end of a round of events, and none for another's mistake.

import { join } from "node:path";
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

test("a mistake in one is told, and the others are flushed all the same", () => {
  // The test runner takes such errors for its own: another process has it.
  const program = `
    import { flushSoon } from ${JSON.stringify(join(import.meta.dir, "outbox.ts"))};
    process.on("uncaughtException", (error) => console.log("told of", error.message));
    flushSoon({ flush() { throw new Error("a mistake"); } });
    flushSoon({ flush: () => console.log("flushed") });
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "--no-env-file", "-e", program]);
  expect(stdout.toString()).toBe("flushed\ntold of a mistake\n");
});
