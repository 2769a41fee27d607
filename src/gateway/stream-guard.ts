// Did this answer really end? Relays it to its proper end, or says in one event that it broke.

import type { Cancellation, CancelListener, CancelReason } from "../core/cancellation.ts";
import type { CancelTimer, Clock } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import type { ClientDialect, ModelRequest } from "../core/model-request.ts";
import type { ReadStep, UpstreamAnswer, UpstreamBody } from "../core/provider.ts";

/** After the last finish reason only usage and the terminal may follow; they get this long between data events. */
const graceAfterFinishMs = 5000;
/** How long a whole answer's connection is given to come to its end, so that it can serve again. */
const drainLimitMs = 1000;
const maxDrainReads = 16;

type RelayEnd =
  | { readonly outcome: "succeeded" }
  | { readonly outcome: "truncated"; readonly failure: Failure }
  | { readonly outcome: "cancelled"; readonly failure: Failure };

/**
 * The committed part of an answer, pulled piece by piece. `onEnd` runs exactly once: at the terminal, at the break, or when the
 * caller leaves, whichever is first. After a break the caller gets one error event and then the end, never a byte more.
 */
export class StreamGuard implements CancelListener {
  readonly #answer: UpstreamAnswer;
  readonly #clientDialect: ClientDialect;
  readonly #clock: Clock;
  readonly #onEnd: (end: RelayEnd) => void;
  #ended = false;
  #finished = false;
  #cancelGrace: CancelTimer | undefined;
  readonly #cancellation: Cancellation;
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
    this.#cancellation = options.request.cancellation;
    this.first = this.#take(options.first, options.relay) ?? options.relay;
    if (!this.#ended) this.#cancellation.add(this);
  }

  /** A caller who left may never pull again; the other reasons are told through the pending or the next read. */
  cancelled(reason: CancelReason): void {
    if (reason !== "client-left") return;
    this.#answer.body.cancel();
    this.#end({ outcome: "cancelled", failure: cancelledRequest("client-left") });
  }

  /** True once everything there is has been handed out by `first` or `next`. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * The next piece, at once when it is here; undefined after the last one. Never rejects. One call at a time. Written without `async`:
   * this runs for every event of every stream, and each layer of promises costs as much as reading the event.
   */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const read = readOf(this.#answer.body);
      if (read instanceof Promise) return read.then(this.#afterRead, this.#afterTrouble);
      const relay = this.#take(this.#stepOf(read));
      if (relay !== undefined) return relay;
    }
    return undefined;
  }

  readonly #afterRead = (bytes: Uint8Array | undefined): ReturnType<StreamGuard["next"]> =>
    this.#take(this.#stepOf(bytes)) ?? this.next();

  readonly #afterTrouble = (error: unknown): ReturnType<StreamGuard["next"]> =>
    this.#take(this.#stepOfTrouble(error)) ?? this.next();

  #stepOf(bytes: Uint8Array | undefined): ReadStep {
    const { reader } = this.#answer;
    try {
      return bytes === undefined ? reader.end() : reader.push(bytes);
    } catch (error) {
      return brokenStep(unexpectedError(error));
    }
  }

  #stepOfTrouble(error: unknown): ReadStep {
    // Once every choice has finished, a connection that breaks takes nothing away from the answer.
    if (this.#finished) return this.#stepOf(undefined);
    return brokenStep(error instanceof Failure ? error : unexpectedError(error));
  }

  #take(step: ReadStep, relay: Uint8Array | undefined = step.relay): Uint8Array | undefined {
    if (this.#ended) return undefined;
    if (step.failure !== undefined) return this.#break(step.failure, step.inBand, relay);
    if (step.complete) {
      this.#end({ outcome: "succeeded" });
      drain(this.#answer.body, this.#clock);
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
    this.#cancellation.remove(this);
    this.#onEnd(end);
  }
}

function brokenStep(failure: Failure): ReadStep {
  return { relay: undefined, events: 0, finished: false, complete: false, failure, inBand: false };
}

/** A terminal event often comes a packet before the end of its body: closing at once would cost a connection per stream. */
export function drain(body: UpstreamBody, clock: Clock): void {
  const read = readOf(body);
  if (read === undefined) {
    body.cancel();
    return;
  }
  const cancelTimer = clock.schedule(drainLimitMs, () => body.cancel());
  void readToEnd(body, read).finally(() => {
    cancelTimer();
    body.cancel();
  });
}

/** What throws at once is treated like what rejects. */
function readOf(body: UpstreamBody): ReturnType<UpstreamBody["read"]> {
  try {
    return body.read();
  } catch (error) {
    return Promise.reject(error);
  }
}

async function readToEnd(body: UpstreamBody, first: ReturnType<UpstreamBody["read"]>): Promise<void> {
  let read = first;
  try {
    for (let reads = 1; (read instanceof Promise ? await read : read) !== undefined; reads++) {
      if (reads === maxDrainReads) return;
      read = body.read();
    }
  } catch {
    // The answer is whole; how its connection ends is nobody's concern.
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
