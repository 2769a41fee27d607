// Holds a streamed answer back until its terminal event (behaviour 2.12, `stream_recovery: buffer`).

import type { CancelTimer, Clock } from "../core/clock.ts";
import { Failure } from "../core/failure.ts";
import { joinBytes } from "../core/byte-pieces.ts";
import type { ReadStep, UpstreamBody } from "../core/provider.ts";
import { graceAfterFinishMs } from "./stream-guard.ts";

/** As much as is held of an answer that is not streamed. */
const maxHeldBytes = 32 * 1024 * 1024;

/** Once every choice has its finish reason the rest gets the grace of a relayed stream, and a break takes nothing away. */
export class HeldAnswer {
  readonly #body: UpstreamBody;
  readonly #clock: Clock;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #finished = false;
  #cancelGrace: CancelTimer | undefined;

  constructor(body: UpstreamBody, clock: Clock) {
    this.#body = body;
    this.#clock = clock;
  }

  /** The next bytes; undefined when there are none, or none that matter. */
  async read(): Promise<Uint8Array | undefined> {
    try {
      return await this.#body.read();
    } catch (error) {
      if (!this.#finished || (error instanceof Failure && error.origin === "cancelled")) throw error;
      return undefined;
    }
  }

  /** Everything at the terminal, undefined before. A broken answer is never given. Throws a `Failure` for more than 32 MB. */
  take({ relay, events, finished, complete, failure }: ReadStep): Uint8Array | undefined {
    if (failure !== undefined) return undefined;
    if (relay !== undefined) {
      this.#length += relay.length;
      if (this.#length > maxHeldBytes) throw tooLarge();
      // A copy: the runtime may use the memory of a piece again.
      this.#pieces.push(complete ? relay : relay.slice());
    }
    if (complete) return joinBytes(this.#pieces);
    if (finished && (!this.#finished || events > 0)) this.#startGrace();
    return undefined;
  }

  /** Nothing more is read. */
  close(): void {
    this.#cancelGrace?.();
  }

  #startGrace(): void {
    this.#finished = true;
    this.#cancelGrace?.();
    this.#cancelGrace = this.#clock.schedule(graceAfterFinishMs, () => this.#body.cancel());
  }
}

function tooLarge(): Failure {
  return new Failure({
    origin: "answer",
    status: 502,
    type: "provider_error",
    message: "the provider sent a stream of more than 32 MB, which is more than stream_recovery: buffer holds",
  });
}
