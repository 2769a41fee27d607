// One request of a caller: its head, and its body as it comes.

import { joinBytes, partOf } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import { BadMessage } from "../../http1/bad-message.ts";
import { ChunkDecoder } from "../../http1/chunk-decoder.ts";
import { bodyIncomplete, bodyTooLarge, trailersRefused } from "./body-failures.ts";
import type { IncomingHeaders } from "./incoming-headers.ts";
import { refused, type RequestHead } from "./request-head.ts";

/** The connection that a request came on. */
export interface RequestConnection {
  /** Somebody waits for the body: a caller who asked for leave to send it is given it. */
  bodyWanted(): void;
  /** Closes at once. */
  drop(): void;
}

interface BodyWaiter {
  resolve(body: Uint8Array): void;
  reject(failure: Failure): void;
}

/** Told at most once. */
export interface ClientWatcher {
  /** The caller closed the connection before its answer was written. */
  clientLeft(): void;
}

export class IncomingRequest {
  readonly method: string;
  /** Path and query, as `normalTarget` gives them. */
  readonly target: string;
  readonly headers: IncomingHeaders;
  readonly clientIp: string;
  /** Undefined: the caller does not say how long its body is. */
  readonly contentLength: number | undefined;
  /** Default: nobody. */
  watcher: ClientWatcher | undefined;
  readonly #connection: RequestConnection;
  readonly #chunks: ChunkDecoder | undefined;
  #left: number;
  #pieces: Uint8Array[] | undefined = [];
  /** Of the body, so far. */
  receivedBytes = 0;
  #maxBytes = Infinity;
  #complete: boolean;
  #failure: Failure | undefined;
  #waiter: BodyWaiter | undefined;

  constructor(head: RequestHead, clientIp: string, connection: RequestConnection) {
    this.method = head.method;
    this.target = head.target;
    this.headers = head.headers;
    this.clientIp = clientIp;
    this.contentLength = head.contentLength;
    this.#connection = connection;
    this.#chunks = head.chunked ? new ChunkDecoder() : undefined;
    this.#left = head.contentLength ?? 0;
    this.#complete = !head.chunked && this.#left === 0;
  }

  /** Its body has no announced length and may have trailers. */
  get chunked(): boolean {
    return this.#chunks !== undefined;
  }

  /** Nothing more of it comes. */
  get complete(): boolean {
    return this.#complete;
  }

  /** How its body breaks the rules: nobody knows where the next request would begin. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /**
   * The whole body, at once when it is here. Rejects with a `Failure`: 413 above `maxBytes`, 400 when it is malformed, has trailers or is cut off.
   * Called at most once, and before `ignoreBody`.
   */
  readBody(maxBytes: number): Uint8Array | Promise<Uint8Array> {
    this.#maxBytes = maxBytes;
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.receivedBytes > maxBytes) return Promise.reject(this.#tooLarge());
    if (this.#complete) return this.#takePieces();
    this.#connection.bodyWanted();
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  /** Unless somebody waits for it, what is left of the body is thrown away as it comes. */
  ignoreBody(): void {
    if (this.#waiter === undefined) this.#pieces = undefined;
  }

  /** Closes the connection of a caller who does not take the answer. */
  drop(): void {
    this.#connection.drop();
  }

  /** Takes what belongs to the body and gives the index after it. */
  takeBytes(bytes: Uint8Array, start: number): number {
    if (this.#complete || this.#failure !== undefined) return start;
    const chunks = this.#chunks;
    if (chunks === undefined) {
      const end = Math.min(bytes.length, start + this.#left);
      this.#left -= end - start;
      this.#keep(bytes, start, end);
      if (this.#left === 0) this.#end();
      return end;
    }
    let end = bytes.length;
    try {
      end = chunks.decode(bytes, start);
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.#fail(refused(400, error.message));
      return end;
    }
    this.#keep(bytes, chunks.payloadStart, chunks.payloadEnd);
    if (chunks.hasTrailers) this.#fail(trailersRefused());
    else if (chunks.done) this.#end();
    return end;
  }

  /** The connection ends before the body. */
  cutOff(): void {
    if (!this.#complete) this.#fail(bodyIncomplete());
  }

  #fail(failure: Failure): void {
    this.#failure ??= failure;
    this.#pieces = undefined;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.reject(failure);
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    this.receivedBytes += end - start;
    if (this.#pieces === undefined) return;
    if (this.receivedBytes <= this.#maxBytes) {
      this.#pieces.push(partOf(bytes, start, end));
      return;
    }
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#pieces = undefined;
    waiter?.reject(this.#tooLarge());
  }

  #end(): void {
    this.#complete = true;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.resolve(this.#takePieces());
  }

  #takePieces(): Uint8Array {
    const pieces = this.#pieces ?? [];
    this.#pieces = undefined;
    return joinBytes(pieces);
  }

  #tooLarge(): Failure {
    return bodyTooLarge(this.#maxBytes, false);
  }
}
