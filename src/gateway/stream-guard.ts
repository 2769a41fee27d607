// Did this answer really end? Relays it to its proper end, or says in one event that it broke.

import type { Cancellation, CancelListener, CancelReason } from "../core/cancellation.ts";
import type { CancelTimer, Clock } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import { joinBytes } from "../core/byte-pieces.ts";
import { isComing, Later, type Listener, whenHere } from "../core/later.ts";
import type { ClientDialect, ModelRequest } from "../core/model-request.ts";
import type { AnswerReader, ReadStep, UpstreamAnswer, UpstreamBody } from "../core/provider.ts";
import type { Target } from "../core/target.ts";
import type { Answer } from "./answer.ts";

/** After the last finish reason only usage and the terminal may follow; they get this long between data events. */
export const graceAfterFinishMs = 5000;
/** How long a whole answer's connection is given to come to its end, so that it can serve again. */
const drainLimitMs = 1000;
const maxDrainReads = 16;
const code = "stream_incomplete";
/** In place of a piece: nothing is here yet. */
const waiting = Symbol("waiting");

export type RelayEnd =
  | { readonly outcome: "succeeded" }
  | { readonly outcome: "truncated"; readonly failure: Failure }
  | { readonly outcome: "cancelled"; readonly failure: Failure };

/** Why a stream broke, and what would end it for the caller. */
export interface Break {
  readonly failure: Failure;
  /** The provider's own error event, or what is wrong and one of ours. */
  readonly event: Uint8Array;
}

/**
 * The committed part of an answer, pulled piece by piece. `onEnd` runs exactly once: at the terminal, at the break, or when the
 * caller leaves, whichever is first. After a break the caller gets one error event and then the end, never a byte more; with
 * `handsOverBreaks` the event is left to whoever asks for `broken`.
 */
export class StreamGuard implements Answer, CancelListener, Listener<Uint8Array | undefined> {
  readonly target: Target;
  readonly contentType: string;
  readonly headers: Answer["headers"];
  readonly #body: UpstreamBody;
  readonly #reader: AnswerReader;
  readonly #clientDialect: ClientDialect;
  readonly #clock: Clock;
  readonly #onEnd: (end: RelayEnd) => void;
  readonly #handsOverBreaks: boolean;
  #broken: Break | undefined;
  #ended = false;
  #finished = false;
  #cancelGrace: CancelTimer | undefined;
  /** Where the next piece is waited for. */
  #later: Later<Uint8Array | undefined> | undefined;
  readonly #cancellation: Cancellation;
  /** What the caller gets first. */
  readonly first: Uint8Array;

  constructor(options: {
    readonly target: Target;
    readonly answer: UpstreamAnswer;
    readonly first: ReadStep;
    readonly relay: Uint8Array;
    readonly request: ModelRequest;
    readonly clientDialect: ClientDialect;
    readonly clock: Clock;
    readonly onEnd: (end: RelayEnd) => void;
    /** Default: false. */
    readonly handsOverBreaks?: boolean;
  }) {
    const { reader, body, headers } = options.answer;
    this.target = options.target;
    this.contentType = reader.contentType;
    this.headers = headers;
    this.#body = body;
    this.#reader = reader;
    this.#clientDialect = options.clientDialect;
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
    this.#handsOverBreaks = options.handsOverBreaks ?? false;
    this.#cancellation = options.request.cancellation;
    const first = this.#take(options.first, options.relay);
    this.first = first ?? (this.#broken === undefined ? options.relay : new Uint8Array(0));
    if (!this.#ended) this.#cancellation.add(this);
  }

  /** A caller who left may never pull again; the other reasons are told through the pending or the next read. */
  cancelled(reason: CancelReason): void {
    if (reason !== "client-left") return;
    this.#body.cancel();
    this.#end({ outcome: "cancelled", failure: cancelledRequest("client-left") });
  }

  /** A break that was handed over, and with it the answer: everything good has been given by `first` and `next`. */
  get broken(): Break | undefined {
    return this.#broken;
  }

  /** Everything there is has been handed out by `first` or `next`. */
  get whole(): boolean {
    return this.#ended;
  }

  /**
   * The next piece, at once when it is here; undefined after the last one. Never rejects. One call at a time. Written without promises:
   * this runs for every event of every stream, and each layer of them costs as much as reading the event.
   */
  next(): Uint8Array | undefined | Later<Uint8Array | undefined> {
    const piece = this.#pull();
    if (piece !== waiting) return piece;
    this.#later = new Later();
    return this.#later;
  }

  #pull(): Uint8Array | undefined | typeof waiting {
    while (!this.#ended) {
      const read = readOf(this.#body);
      if (isComing(read)) {
        whenHere(read, this);
        return waiting;
      }
      const relay = this.#take(this.#stepOf(read));
      if (relay !== undefined) return relay;
    }
    return undefined;
  }

  /** The next bytes of the body that was waited for. */
  here(bytes: Uint8Array | undefined): void {
    this.#goOn(this.#stepOf(bytes));
  }

  /** There are none, and that is why. */
  failed(error: unknown): void {
    this.#goOn(this.#stepOfTrouble(error));
  }

  #goOn(step: ReadStep): void {
    const later = this.#later;
    let piece: Uint8Array | undefined | typeof waiting;
    try {
      piece = this.#take(step) ?? this.#pull();
      if (piece === waiting) return;
    } catch (error) {
      this.#later = undefined;
      return later?.fail(error);
    }
    this.#later = undefined;
    later?.settle(piece);
  }

  #stepOf(bytes: Uint8Array | undefined): ReadStep {
    const reader = this.#reader;
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
    if (step.failure !== undefined) return this.#break(step, step.failure, relay);
    if (step.complete) {
      this.#end({ outcome: "succeeded" });
      drain(this.#body, this.#clock);
      return relay;
    }
    if (step.finished && (!this.#finished || step.events > 0)) this.#startGrace();
    return relay;
  }

  #break(step: ReadStep, failure: Failure, relay: Uint8Array | undefined): Uint8Array | undefined {
    this.#body.cancel();
    if (failure.origin === "cancelled") {
      this.#end({ outcome: "cancelled", failure });
      return undefined;
    }
    if (this.#handsOverBreaks) {
      const goodBytes = (relay?.length ?? 0) - (step.brokenBytes ?? 0);
      // A copy: the runtime may use the memory of a piece again before it is known that nobody goes on.
      const brokenPart = relay?.slice(goodBytes) ?? new Uint8Array(0);
      const event = step.inBand ? brokenPart : joinBytes([brokenPart, this.breakOff(failure)]);
      this.#broken = { failure, event };
      this.#end({ outcome: "truncated", failure });
      return goodBytes > 0 ? relay?.subarray(0, goodBytes) : undefined;
    }
    this.#end({ outcome: "truncated", failure });
    if (step.inBand) return relay;
    const event = this.breakOff(failure);
    return relay === undefined ? event : joinBytes([relay, event]);
  }

  /** What tells the caller that the stream ends here, and why. */
  breakOff({ message }: Failure): Uint8Array {
    return this.#reader.breakOff?.(message, code) ?? this.#clientDialect.streamError(message, code);
  }

  #startGrace(): void {
    this.#finished = true;
    this.#cancelGrace?.();
    this.#cancelGrace = this.#clock.schedule(graceAfterFinishMs, () => this.#body.cancel());
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
    for (let reads = 1; (isComing(read) ? await read : read) !== undefined; reads++) {
      if (reads === maxDrainReads) return;
      read = body.read();
    }
  } catch {
    // The answer is whole; how its connection ends is nobody's concern.
  }
}
