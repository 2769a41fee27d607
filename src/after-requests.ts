// What is left to do once a request is over, done for several of them together.

import type { CancelTimer, Clock } from "./core/clock.ts";
import type { RequestRecord } from "./core/record.ts";
import type { RequestOnTheWire } from "./telemetry/request-line.ts";

export interface EndedRequest {
  readonly record: RequestRecord;
  readonly wire: RequestOnTheWire;
}

/**
 * So many wait for each other: code and tables are in the cache then, which a request alone does not find there and which cost it twice as much. More
 * would keep their records alive through collections of garbage.
 */
const together = 25;
/** How long the first of them waits at most. */
const patienceMs = 20;

export class AfterRequests {
  readonly #clock: Clock;
  readonly #finish: (ended: EndedRequest) => void;
  readonly #onBug: (error: unknown, requestId: string) => void;
  #waiting: EndedRequest[] = [];
  #cancelTimer: CancelTimer | undefined;

  /** `onBug` is told what `finish` throws: the requests beside that one are finished all the same. */
  constructor(clock: Clock, finish: (ended: EndedRequest) => void, onBug: (error: unknown, requestId: string) => void) {
    this.#clock = clock;
    this.#finish = finish;
    this.#onBug = onBug;
  }

  add(ended: EndedRequest): void {
    const waiting = this.#waiting;
    waiting.push(ended);
    // Bodies do not wait here, where nobody counts what they keep in memory.
    if (waiting.length >= together || holdsBodies(ended.record)) this.finishAll();
    else this.#cancelTimer ??= this.#clock.schedule(patienceMs, () => this.finishAll());
  }

  /** At once: somebody wants to see what came of them. */
  finishAll(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const ended = this.#waiting;
    if (ended.length === 0) return;
    this.#waiting = [];
    for (const request of ended) {
      try {
        this.#finish(request);
      } catch (error) {
        this.#onBug(error, request.record.requestId);
      }
    }
  }
}

function holdsBodies({ requestBody, responseBody }: RequestRecord): boolean {
  return requestBody !== undefined || responseBody.length > 0;
}
