// Holds a streamed answer back until its terminal event (behaviour 2.12, `stream_recovery: buffer`).

import { Failure } from "../core/failure.ts";
import { joinBytes } from "../core/byte-pieces.ts";
import type { ReadStep } from "../core/provider.ts";

/** As much as is held of an answer that is not streamed. */
const maxHeldBytes = 32 * 1024 * 1024;

export class HeldAnswer {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** Everything at the terminal, undefined before. A broken answer is never given. Throws a `Failure` for more than 32 MB. */
  take({ relay, complete, failure }: ReadStep): Uint8Array | undefined {
    if (failure !== undefined) return undefined;
    if (relay !== undefined) {
      this.#length += relay.length;
      if (this.#length > maxHeldBytes) throw tooLarge();
      // A copy: the runtime may use the memory of a piece again.
      this.#pieces.push(complete ? relay : relay.slice());
    }
    return complete ? joinBytes(this.#pieces) : undefined;
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
