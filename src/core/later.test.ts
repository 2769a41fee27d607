// A value that comes later is told once, at once, and can be awaited.

import { expect, test } from "bun:test";
import { isComing, Later, whenHere } from "./later.ts";

function listening(later: Later<number>): readonly string[] {
  const told: string[] = [];
  later.listen({
    here: (value) => told.push(`value ${value}`),
    failed: (error) => told.push(`error ${String(error)}`),
  });
  return told;
}

test("a listener is told within the call that settles it", () => {
  const good = new Later<number>();
  const bad = new Later<number>();
  const told = [listening(good), listening(bad)];
  expect(told).toEqual([[], []]);
  good.settle(7);
  bad.fail("no");
  expect(told).toEqual([["value 7"], ["error no"]]);
});

test("a listener that comes too late is told soon, and never from within its own call", async () => {
  const good = new Later<number>();
  const bad = new Later<number>();
  good.settle(7);
  bad.fail("no");
  const told = [listening(good), listening(bad)];
  expect(told).toEqual([[], []]);
  await Promise.resolve();
  expect(told).toEqual([["value 7"], ["error no"]]);
});

test("it can be awaited before and after it is settled", async () => {
  const good = new Later<number>();
  const awaited = (async () => (await good) + 1)();
  await Promise.resolve();
  good.settle(1);
  expect(await awaited).toBe(2);
  expect(await good).toBe(1);
  const bad = new Later<number>();
  const caught = (async () => await bad)().catch((error: unknown) => `caught ${String(error)}`);
  bad.fail("no");
  expect(await caught).toBe("caught no");
});

test("what is here already is told from what is coming", () => {
  const bytes = new Uint8Array(1);
  expect([bytes, undefined, new Later(), Promise.resolve(1)].map((value) => isComing<unknown>(value))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("whoever waits need not know which kind is coming", async () => {
  const told: unknown[] = [];
  const later = new Later<number>();
  for (const coming of [later, Promise.resolve(2), Promise.reject(new Error("no"))]) {
    whenHere(coming, { here: (value) => told.push(value), failed: (error) => told.push(error) });
  }
  later.settle(1);
  await Promise.resolve();
  expect(told).toEqual([1, 2, new Error("no")]);
});
