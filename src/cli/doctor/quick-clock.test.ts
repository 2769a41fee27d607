import { expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { createQuickClock } from "./quick-clock.ts";

/** The machine's time moves only when told, the event loop turns only when told. */
function bench(speed: number) {
  const real = new FakeClock();
  const waiting: (() => void)[] = [];
  const clock = createQuickClock({ clock: real, speed, nextTurn: (callback) => waiting.push(callback) });
  const turn = (count: number): void => {
    for (let left = count; left > 0; left--) for (const callback of waiting.splice(0)) callback();
  };
  return { real, clock, turn };
}

test("a wait of 600 s takes 1 s at a speed of 600, and 600 s have passed then", () => {
  const { real, clock, turn } = bench(600);
  let firedAt: number | undefined;
  clock.schedule(600_000, () => (firedAt = clock.now()));
  real.tick(999);
  turn(100);
  expect(firedAt).toBeUndefined();
  real.tick(1);
  turn(100);
  expect(firedAt).toBe(600_000);
});

test("waits of 1, 2 and 4 s add up to 7 s exactly", () => {
  const { real, clock, turn } = bench(600);
  const times: number[] = [];
  clock.schedule(1000, () => {
    times.push(clock.now());
    clock.schedule(2000, () => {
      times.push(clock.now());
      clock.schedule(4000, () => times.push(clock.now()));
    });
  });
  for (let ms = 0; ms < 20; ms++) {
    real.tick(1);
    turn(30);
  }
  expect(times).toEqual([1000, 3000, 7000]);
});

test("work between two timers takes the time that it takes", () => {
  const { real, clock } = bench(600);
  real.tick(5);
  expect(clock.now()).toBe(5);
});

test("a limit that is due leaves an answer 24 turns of the event loop to come in", () => {
  const { real, clock, turn } = bench(600);
  let expired = false;
  const cancel = clock.schedule(12_000, () => (expired = true));
  real.tick(5000);
  turn(23);
  expect(expired).toBe(false);
  cancel();
  turn(100);
  expect(expired).toBe(false);
});

test("the earliest timer fires first, whenever it was scheduled, and a cancelled one holds up nothing", () => {
  const { real, clock, turn } = bench(10);
  const fired: string[] = [];
  clock.schedule(5000, () => fired.push("5 s"));
  const cancel = clock.schedule(1000, () => fired.push("1 s"));
  clock.schedule(3000, () => fired.push("3 s"));
  cancel();
  for (let ms = 0; ms < 600; ms++) {
    real.tick(1);
    turn(30);
  }
  expect(fired).toEqual(["3 s", "5 s"]);
});

test("timers of the same moment fire in the order in which they were scheduled", () => {
  const { real, clock, turn } = bench(2);
  const fired: number[] = [];
  for (const number of [1, 2, 3]) clock.schedule(100, () => fired.push(number));
  real.tick(50);
  turn(100);
  expect(fired).toEqual([1, 2, 3]);
});

test("the wall clock skips what waits have skipped", () => {
  const { real, clock, turn } = bench(600);
  const begun = clock.wallNow();
  clock.schedule(60_000, () => {});
  real.tick(100);
  turn(100);
  expect(clock.wallNow() - begun).toBe(60_000);
});

test("at a speed of 1 it is an ordinary clock", () => {
  const { real, clock, turn } = bench(1);
  let firedAt: number | undefined;
  clock.schedule(200, () => (firedAt = clock.now()));
  real.tick(199);
  turn(100);
  expect(firedAt).toBeUndefined();
  real.tick(1);
  turn(100);
  expect(firedAt).toBe(200);
});
