// Plays streams at a pace, spread evenly over time as independent models would be.

/** Sends the next piece; false after the last one. */
type Beat = () => boolean;

/** One wheel: as many slots as milliseconds between two events of a stream; every millisecond one slot is played. */
export class Pacer {
  readonly #slots: Set<Beat>[];
  #streams = 0;
  #joined = 0;
  #played = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(everyMs: number) {
    this.#slots = Array.from({ length: everyMs }, () => new Set<Beat>());
  }

  /** Returns how to leave. */
  join(beat: Beat): () => void {
    // A stride that is prime to most paces keeps streams that come together from staying together.
    const slot = this.#slots[(this.#joined++ * 7) % this.#slots.length];
    slot?.add(beat);
    this.#streams++;
    this.#start();
    return () => {
      if (slot?.delete(beat) === true) this.#left();
    };
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#played = Math.floor(performance.now());
    this.#timer = setInterval(() => this.#catchUp(), 1);
  }

  #catchUp(): void {
    const now = Math.floor(performance.now());
    while (this.#played < now && this.#timer !== undefined) {
      const slot = this.#slots[++this.#played % this.#slots.length];
      for (const beat of slot ?? []) {
        if (beat()) continue;
        slot?.delete(beat);
        this.#left();
      }
    }
  }

  #left(): void {
    this.#streams--;
    if (this.#streams > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
