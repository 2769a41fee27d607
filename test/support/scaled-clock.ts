// A clock that runs faster than the machine's, so that a whole gateway can be seen to keep limits of minutes within seconds.

import { type Clock, systemClock } from "../../src/core/clock.ts";

/** `speed` times as fast; the wall clock begins at the right time and runs as fast. */
export function scaledClock(speed: number): Clock {
  const begun = systemClock.now();
  const wallBegun = systemClock.wallNow();
  const now = (): number => (systemClock.now() - begun) * speed;
  return {
    now,
    wallNow: () => wallBegun + now(),
    schedule: (delayMs, callback) => systemClock.schedule(delayMs / speed, callback),
  };
}
