// Did this answer really end? Relays it to its proper end, or says in one event that it broke.

import type { CancelTimer, Clock } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import type { ClientDialect, ModelRequest } from "../core/model-request.ts";
import type { ReadStep, UpstreamAnswer, UpstreamBody } from "../core/provider.ts";

/** After the last finish reason only usage and the terminal may follow; they get this long between data events. */
const graceAfterFinishMs = 5000;
/** How long a whole answer's connection is given to come to its end, so that it can serve again. */
const drainLimitMs = 1000;

type RelayEnd =
  | { readonly outcome: "succeeded" }
  | { readonly outcome: "truncated"; readonly failure: Failure }
  | { readonly outcome: "cancelled"; readonly failure: Failure };

/**
 * The committed part of an answer, pulled piece by piece. `onEnd` runs exactly once: at the terminal, at the break, or when the
 * caller leaves, whichever is first. After a break the caller gets one error event and then the end, never a byte more.
 */
export class StreamGuard {
  readonly #answer: UpstreamAnswer;
  readonly #clientDialect: ClientDialect;
  readonly #clock: Clock;
  readonly #onEnd: (end: RelayEnd) => void;
  #ended = false;
  #finished = false;
  #cancelGrace: CancelTimer | undefined;
  #stopListening: (() => void) | undefined;
  /** What the caller gets first. */
  readonly first: Uint8Array;

  constructor(options: {
    readonly answer: UpstreamAnswer;
    readonly first: ReadStep;
    readonly relay: Uint8Array;
    readonly request: ModelRequest;
    readonly clientDialect: ClientDialect;
    readonly clock: Clock;
    readonly onEnd: (end: RelayEnd) => void;
  }) {
    this.#answer = options.answer;
    this.#clientDialect = options.clientDialect;
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
    this.first = this.#take(options.first, options.relay) ?? options.relay;
    if (this.#ended) return;
    const { cancellation } = options.request;
    this.#stopListening = cancellation.onCancel(() => {
      // A caller who left may never pull again; the other reasons are told through the pending or the next read.
      if (cancellation.reason !== "client-left") return;
      this.#answer.body.cancel();
      this.#end({ outcome: "cancelled", failure: cancelledRequest("client-left") });
    });
  }

  /** True once everything there is has been handed out by `first` or `next`. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next piece, undefined after the last one. Never rejects. One call at a time. */
  async next(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const relay = this.#take(await this.#step());
      if (relay !== undefined) return relay;
    }
    return undefined;
  }

  async #step(): Promise<ReadStep> {
    const { body, reader } = this.#answer;
    try {
      const read = body.read();
      const bytes = read instanceof Promise ? await read : read;
      return bytes === undefined ? reader.end() : reader.push(bytes);
    } catch (error) {
      // Once every choice has finished, a connection that breaks takes nothing away from the answer.
      if (this.#finished) return reader.end();
      const failure = error instanceof Failure ? error : unexpectedError(error);
      return { relay: undefined, events: 0, finished: false, complete: false, failure, inBand: false };
    }
  }

  #take(step: ReadStep, relay: Uint8Array | undefined = step.relay): Uint8Array | undefined {
    if (this.#ended) return undefined;
    if (step.failure !== undefined) return this.#break(step.failure, step.inBand, relay);
    if (step.complete) {
      this.#end({ outcome: "succeeded" });
      void drain(this.#answer.body, this.#clock);
      return relay;
    }
    if (step.finished && (!this.#finished || step.events > 0)) this.#startGrace();
    return relay;
  }

  #break(failure: Failure, inBand: boolean, relay: Uint8Array | undefined): Uint8Array | undefined {
    this.#answer.body.cancel();
    if (failure.origin === "cancelled") {
      this.#end({ outcome: "cancelled", failure });
      return undefined;
    }
    this.#end({ outcome: "truncated", failure });
    if (inBand) return relay;
    const event = this.#clientDialect.streamError(failure.message, "stream_incomplete");
    return relay === undefined ? event : concat(relay, event);
  }

  #startGrace(): void {
    this.#finished = true;
    this.#cancelGrace?.();
    this.#cancelGrace = this.#clock.schedule(graceAfterFinishMs, () => this.#answer.body.cancel());
  }

  #end(end: RelayEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelGrace?.();
    this.#stopListening?.();
    this.#onEnd(end);
  }
}

/** A terminal event often comes a packet before the end of its body: closing at once would cost a connection per stream. */
async function drain(body: UpstreamBody, clock: Clock): Promise<void> {
  const cancelTimer = clock.schedule(drainLimitMs, () => body.cancel());
  try {
    for (let reads = 0; reads < 16; reads++) {
      const read = body.read();
      if ((read instanceof Promise ? await read : read) === undefined) break;
    }
  } catch {
    // The answer is whole; how its connection ends is nobody's concern.
  } finally {
    cancelTimer();
    body.cancel();
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
