// One HTTP request and its answer: who asked, what happened, and its one end.

import { Cancellation } from "../core/cancellation.ts";
import type { Clock } from "../core/clock.ts";
import type { ClientDialect } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import type { RosterMember } from "../core/roster.ts";
import type { ClientWatcher, IncomingRequest } from "./listener/incoming-request.ts";

/** Told once per exchange, at its end. */
export type ExchangeEnd = (exchange: Exchange) => void;

export class Exchange implements ClientWatcher, RosterMember {
  rosterPlace = -1;
  readonly request: IncomingRequest;
  readonly record: RequestRecord;
  /** What its errors are told in. */
  readonly dialect: ClientDialect;
  readonly cancellation = new Cancellation();
  /** Monotonic milliseconds. */
  readonly receivedAt: number;
  /** Bodies, as far as they were read and written. */
  bytesIn = 0;
  bytesOut = 0;
  readonly #clock: Clock;
  readonly #onEnd: ExchangeEnd;
  #ended = false;

  constructor(
    request: IncomingRequest,
    record: RequestRecord,
    dialect: ClientDialect,
    clock: Clock,
    onEnd: ExchangeEnd,
  ) {
    this.request = request;
    this.record = record;
    this.dialect = dialect;
    this.receivedAt = clock.now();
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** `end` was called. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The status that went out and, for a stream, its end. A caller who left before makes it 499. Counts once. */
  end(status: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.record.statusCode = this.cancellation.reason === "client-left" ? 499 : status;
    this.record.durationMs = this.#clock.now() - this.receivedAt;
    this.#onEnd(this);
  }

  /** The caller closed its connection; after the end this changes nothing. */
  clientLeft(): void {
    if (this.#ended) return;
    this.cancellation.cancel("client-left");
  }
}
