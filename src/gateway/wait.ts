// A wait that ends early when its request is cancelled.

import type { Cancellation } from "../core/cancellation.ts";
import type { Clock } from "../core/clock.ts";

/** Resolves after `ms`, or at once when `cancellation` fires; nothing stays scheduled. */
export function wait(ms: number, clock: Clock, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve) => {
    const listener = {
      cancelled() {
        cancelTimer();
        resolve();
      },
    };
    const cancelTimer = clock.schedule(ms, () => {
      cancellation.remove(listener);
      resolve();
    });
    cancellation.add(listener);
  });
}
