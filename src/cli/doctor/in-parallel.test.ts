import { expect, test } from "bun:test";
import { inParallel } from "./in-parallel.ts";

test("runs three jobs at a time and gives their results in order", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 4, 3, 2, 1], 3, async (turns) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    running -= 1;
    return turns * 10;
  });
  expect([most, results]).toEqual([3, [50, 40, 30, 20, 10]]);
});

test("a job that fails fails all, after those under way have ended", async () => {
  const ended: number[] = [];
  const run = async (job: number): Promise<void> => {
    if (job === 1) throw new Error("job 1");
    await Promise.resolve();
    ended.push(job);
  };
  const failure = await inParallel([1, 2], 2, run).catch((error: unknown) => error);
  expect(failure).toEqual(new Error("job 1"));
  expect(ended).toEqual([2]);
});
