// Makes one connection do the steps of an answer, one after the other, as fast as the peer reads.

import type { CancelTimer, Clock } from "../core/clock.ts";
import type { Step } from "./step.ts";
import type { Ticker } from "./ticker.ts";

/** What is needed of a socket. */
export interface Wire {
  /** Bytes the kernel took; negative when the socket is closed. */
  write(bytes: Uint8Array): number;
  shutdown(): void;
  terminate(): void;
}

export interface PlayerEvents {
  wrote(bytes: number): void;
  /** No step is left. `over`: the connection takes no further request. */
  played(over: boolean): void;
  /** The next thing the peer sends must be answered by a reset. */
  expired(): void;
}

/** Writes of a flood between two turns of the event loop; a quick reader must not starve everyone else. */
const floodBurst = 8;

export class StepPlayer {
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #ticker: Ticker;
  readonly #events: PlayerEvents;
  #steps: readonly Step[] = [];
  #next = 0;
  /** Bytes the kernel did not take yet. */
  #unsent: Uint8Array | undefined;
  /** What to do when they are gone. */
  #resume: () => void = () => {};
  #cancelWait: CancelTimer = () => {};
  #closed = false;

  constructor(wire: Wire, clock: Clock, ticker: Ticker, events: PlayerEvents) {
    this.#wire = wire;
    this.#clock = clock;
    this.#ticker = ticker;
    this.#events = events;
  }

  play(steps: readonly Step[]): void {
    this.#steps = steps;
    this.#next = 0;
    this.#run();
  }

  /** The kernel takes bytes again. */
  drain(): void {
    const bytes = this.#unsent;
    if (bytes === undefined) return;
    this.#unsent = undefined;
    if (this.#send(bytes)) this.#resume();
  }

  /** The socket is gone: nothing goes on. */
  close(): void {
    this.#closed = true;
    this.#unsent = undefined;
    this.#cancelWait();
  }

  /** False: stopped, or waiting to be resumed. */
  #send(bytes: Uint8Array): boolean {
    const taken = this.#wire.write(bytes);
    if (taken < 0 || this.#closed) return false;
    this.#events.wrote(taken);
    if (taken === bytes.length) return true;
    this.#unsent = bytes.subarray(taken);
    return false;
  }

  readonly #run = (): void => {
    let goesOn = !this.#closed;
    while (goesOn) {
      const step = this.#steps[this.#next];
      if (step === undefined) return this.#events.played(false);
      this.#next += 1;
      goesOn = this.#do(step);
    }
  };

  /** True when the next step may follow at once. */
  #do(step: Step): boolean {
    switch (step.do) {
      case "write":
        this.#resume = this.#run;
        return this.#send(step.bytes);
      case "pieces":
        this.#sendPieces(step.pieces, 0);
        return false;
      case "paced":
        this.#sendPaced(step.pieces, step.everyMs, this.#run);
        return false;
      case "wait":
        this.#cancelWait = this.#clock.schedule(step.ms, this.#run);
        return false;
      case "repeat":
        this.#repeat(step.bytes, step.everyMs);
        return false;
      case "flood":
        this.#flood(step.bytes);
        return false;
      case "fin":
        this.#wire.shutdown();
        this.#events.played(true);
        return false;
      case "reset":
        this.#events.played(true);
        this.#wire.terminate();
        return false;
      case "hang":
        return false;
      case "expire":
        this.#events.expired();
        return true;
    }
  }

  #sendPieces(pieces: readonly Uint8Array[], index: number): void {
    const piece = pieces[index];
    if (this.#closed) return;
    if (piece === undefined) return this.#run();
    const more = (): void => {
      setImmediate(() => this.#sendPieces(pieces, index + 1));
    };
    this.#resume = more;
    if (this.#send(piece)) more();
  }

  /** A beat that finds bytes unsent passes: the peer reads more slowly than the pace. */
  #sendPaced(pieces: readonly Uint8Array[], everyMs: number, then: () => void): void {
    let index = 0;
    this.#resume = () => {
      if (index >= pieces.length) then();
    };
    this.#cancelWait = this.#ticker.join(everyMs, () => {
      if (this.#closed) return false;
      if (this.#unsent !== undefined) return true;
      const piece = pieces[index];
      index += 1;
      const sent = piece === undefined || this.#send(piece);
      if (index < pieces.length) return true;
      if (sent) then();
      return false;
    });
  }

  #repeat(bytes: Uint8Array, everyMs: number): void {
    if (this.#closed) return;
    const again = (): void => {
      this.#cancelWait = this.#clock.schedule(everyMs, () => this.#repeat(bytes, everyMs));
    };
    this.#resume = again;
    if (this.#send(bytes)) again();
  }

  #flood(bytes: Uint8Array): void {
    if (this.#closed) return;
    const again = (): void => {
      setImmediate(() => this.#flood(bytes));
    };
    this.#resume = again;
    for (let sent = 0; sent < floodBurst; sent++) if (!this.#send(bytes)) return;
    again();
  }
}
