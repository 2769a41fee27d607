// Whether a body still comes, or only enough of it to look alive.

/** Bytes per millisecond. */
const slowest = 16;

/** Times are monotonic milliseconds. */
export class BodyPace {
  readonly #silenceMs: number;
  #begunAt = 0;
  #heardAt = 0;

  /** `silenceMs`: how long nothing may come, and how long the whole may take before it has to be fast. */
  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  begin(now: number): void {
    this.#begunAt = now;
    this.#heardAt = now;
  }

  /** Something of it came. */
  heard(now: number): void {
    this.#heardAt = now;
  }

  /** `receivedBytes`: of the body, so far. What came whole within `silenceMs` was never too slow. */
  isTooSlow(now: number, receivedBytes: number): boolean {
    return now - this.#heardAt >= this.#silenceMs || now - this.#begunAt >= this.#silenceMs + receivedBytes / slowest;
  }
}
