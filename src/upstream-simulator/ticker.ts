// One timer for all streams of the same pace.

import type { Clock } from "../core/clock.ts";

/** Called at every beat; false when it needs no more of them. */
type Beat = () => boolean;

export interface Ticker {
  /** Joins the beat of this pace, from its next tick on. Returns how to leave. */
  join(everyMs: number, beat: Beat): () => void;
}

/** Beats keep to the grid they began on, however late a timer fires; a beat that nobody listens to stops. */
export function createTicker(clock: Clock): Ticker {
  const listenersByPace = new Map<number, Set<Beat>>();

  function run(everyMs: number, listeners: Set<Beat>, due: number): void {
    clock.schedule(Math.max(0, due - clock.now()), () => {
      for (const beat of listeners) if (!beat()) listeners.delete(beat);
      if (listeners.size === 0) listenersByPace.delete(everyMs);
      else run(everyMs, listeners, Math.max(due + everyMs, clock.now()));
    });
  }

  return {
    join(everyMs, beat) {
      let listeners = listenersByPace.get(everyMs);
      if (listeners === undefined) {
        listeners = new Set();
        listenersByPace.set(everyMs, listeners);
        run(everyMs, listeners, clock.now() + everyMs);
      }
      const joined = listeners.add(beat);
      return () => joined.delete(beat);
    },
  };
}
