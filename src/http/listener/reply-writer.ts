// Writes replies to one connection, as fast as its reader takes them.

import type { CancelTimer, Clock } from "../../core/clock.ts";
import { isComing, type Listener, whenHere } from "../../core/later.ts";
import { flushSoon, type Writer } from "../../http1/outbox.ts";
import type { ReplyHead, ReplyStream } from "./reply.ts";
import { ReplyBytes } from "./reply-bytes.ts";

/** A socket of the runtime, as far as it is written to. */
export interface OutgoingWire {
  /** Takes as many bytes as fit and says how many; below 0 when it is closed. */
  write(bytes: Uint8Array, offset: number, length: number): number;
}

/** The connection that is written to. */
export interface ReplyOwner {
  /** All of the reply is with the kernel. */
  replyWritten(): void;
  /** A mistake of ours: there is no more of it, and its reader must not take what came for the whole. */
  mistake(error: unknown): void;
}

/** Shared by all connections: what a write does not take is copied out before the next one. */
const scratch = Buffer.alloc(64 * 1024);

export class ReplyWriter implements Writer, Listener<Uint8Array | undefined> {
  readonly #wire: OutgoingWire;
  readonly #owner: ReplyOwner;
  readonly #clock: Clock;
  #active = false;
  #scheduled = false;
  readonly #bytes = new ReplyBytes();
  #source: ReplyStream | undefined;
  /** The same, until everything is written. */
  #stream: ReplyStream | undefined;
  #awaiting = false;
  /** What the kernel did not take of the last write; nothing moves until `flush` is called for a drained wire. */
  #rest: Uint8Array | undefined;
  #restAt = 0;
  /** When the kernel last took something while more was waiting, monotonic. */
  #movedAt = Infinity;
  #cancelStall: CancelTimer | undefined;

  constructor(wire: OutgoingWire, owner: ReplyOwner, clock: Clock) {
    this.#wire = wire;
    this.#owner = owner;
    this.#clock = clock;
  }

  /** Since when the reader has taken nothing although there is something, monotonic; Infinity when that is not so. */
  get blockedSince(): number {
    return this.#movedAt;
  }

  /** A reply whose body is here. */
  writeWhole(head: ReplyHead, body: Uint8Array | undefined): void {
    this.#active = true;
    this.#bytes.begin(head, false);
    if (body !== undefined) this.#bytes.add(body);
    this.#bytes.end();
    this.#schedule();
  }

  /** A reply whose body is pulled. */
  writeStream(head: ReplyHead, source: ReplyStream, chunked: boolean): void {
    this.#active = true;
    this.#bytes.begin(head, chunked);
    this.#source = source;
    this.#stream = source;
    this.#take(source.first);
    this.#schedule();
  }

  /** The connection is gone: who makes the body is told, once. */
  abandon(): void {
    const source = this.#source;
    this.#source = undefined;
    this.#stream = undefined;
    this.#active = false;
    this.#rest = undefined;
    this.#bytes.clear();
    this.#unblocked();
    source?.onLeft();
  }

  /** Writes what has come together, and what the kernel did not take before. */
  flush(): void {
    this.#scheduled = false;
    if (!this.#active || !this.#writeRest()) return;
    for (let length = this.#gather(); length > 0; length = this.#gather()) {
      if (!this.#write(length)) return;
    }
    this.#unblocked();
    if (!this.#bytes.ended) return;
    this.#active = false;
    this.#stream = undefined;
    this.#owner.replyWritten();
  }

  /**
   * Fills the buffer and says how far. A piece is asked for only when the one before it has been copied: whoever makes it may use
   * the memory of the last one again.
   */
  #gather(): number {
    const bytes = this.#bytes;
    let length = bytes.fill(scratch, 0);
    while (!bytes.waiting && this.#source !== undefined && !this.#awaiting) {
      try {
        const next = this.#source.next();
        if (isComing(next)) {
          this.#awaiting = true;
          whenHere(next, this);
          break;
        }
        this.#take(next);
      } catch (error) {
        this.failed(error);
        return 0;
      }
      length = bytes.fill(scratch, length);
    }
    return length;
  }

  /** False when some of it is left, or the wire is closed: then its owner will hear of it. */
  #write(length: number): boolean {
    const taken = this.#wire.write(scratch, 0, length);
    if (taken === length) return true;
    if (taken < 0) return false;
    this.#rest = scratch.slice(taken, length);
    this.#restAt = 0;
    this.#blocked();
    return false;
  }

  #writeRest(): boolean {
    const rest = this.#rest;
    if (rest === undefined) return true;
    const left = rest.length - this.#restAt;
    const taken = this.#wire.write(rest, this.#restAt, left);
    if (taken < 0) return false;
    if (taken === left) {
      this.#rest = undefined;
      return true;
    }
    this.#restAt += taken;
    if (taken > 0) this.#blocked();
    return false;
  }

  /** The piece that was waited for. */
  here(piece: Uint8Array | undefined): void {
    this.#awaiting = false;
    try {
      this.#take(piece);
      this.#schedule();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Whoever makes the pieces made a mistake. */
  failed(error: unknown): void {
    this.#owner.mistake(error);
  }

  #take(piece: Uint8Array | undefined): void {
    const source = this.#source;
    // The reader left meanwhile.
    if (source === undefined) return;
    if (piece === undefined) {
      this.#source = undefined;
      this.#bytes.end();
      source.onEnd();
    } else if (piece.length > 0) {
      this.#bytes.add(piece);
      source.onPiece(piece);
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    flushSoon(this);
  }

  /** Something was taken, and something is left. */
  #blocked(): void {
    this.#movedAt = this.#clock.now();
    this.#cancelStall?.();
    const stream = this.#stream;
    this.#cancelStall =
      stream === undefined || stream.stallTimeoutMs === 0
        ? undefined
        : this.#clock.schedule(stream.stallTimeoutMs, () => stream.onStall());
  }

  #unblocked(): void {
    this.#movedAt = Infinity;
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }
}
