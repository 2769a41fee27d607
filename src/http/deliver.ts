// Brings a committed answer to the caller and ends the exchange when it is over.

import type { Answer } from "../gateway/answer.ts";
import type { OnBug } from "./error-response.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply, ReplyStream } from "./listener/reply.ts";

export interface DeliverySettings {
  /** `STREAM_STALL_TIMEOUT`, milliseconds; 0 = off. */
  readonly streamStallTimeoutMs: number;
  /** Bodies are logged: keep what was delivered, up to this many bytes. */
  readonly keepBodyBytes: number;
  readonly onBug: OnBug;
}

/**
 * An answer up to this size finds room in the kernel, whether its caller reads or not. A larger one is written in pieces of this size, so that
 * a caller who stops reading is told from one who reads slowly.
 */
const alwaysTakenBytes = 64 * 1024;

/** `headers` are the gateway's own; the answer's are added. */
export function deliver(
  exchange: Exchange,
  answer: Answer,
  headers: Record<string, string>,
  settings: DeliverySettings,
): Reply {
  headers["content-type"] = answer.contentType;
  for (const [name, value] of answer.headers) headers[name] = value;
  if (answer.whole && answer.first.length <= alwaysTakenBytes) {
    exchange.bytesOut = answer.first.length;
    if (settings.keepBodyBytes > 0) exchange.record.responseBody.push(answer.first);
    exchange.end(200);
    return { status: 200, headers, body: answer.first };
  }
  if (!answer.whole) {
    headers["cache-control"] = "no-cache";
    headers["x-accel-buffering"] = "no";
  }
  return { status: 200, headers, body: new Delivery(exchange, answer, settings) };
}

/** An answer on its way to its caller, piece by piece. */
class Delivery implements ReplyStream {
  readonly first: Uint8Array;
  readonly stallTimeoutMs: number;
  readonly #exchange: Exchange;
  readonly #answer: Answer;
  /** As it was at the start: an answer that is over later has been given by its pieces all the same. */
  readonly #isWhole: boolean;
  readonly #settings: DeliverySettings;
  #keptBytes = 0;
  #bytesOut = 0;
  /** Of a whole answer: where its next piece begins. */
  #from: number;

  constructor(exchange: Exchange, answer: Answer, settings: DeliverySettings) {
    this.#exchange = exchange;
    this.#answer = answer;
    this.#settings = settings;
    this.stallTimeoutMs = settings.streamStallTimeoutMs;
    this.#isWhole = answer.whole;
    this.#from = Math.min(answer.first.length, alwaysTakenBytes);
    this.first = this.#isWhole ? answer.first.subarray(0, this.#from) : answer.first;
  }

  next(): ReturnType<Answer["next"]> {
    if (!this.#isWhole) return this.#answer.next();
    const { first } = this.#answer;
    if (this.#from >= first.length) return undefined;
    const piece = first.subarray(this.#from, this.#from + alwaysTakenBytes);
    this.#from += piece.length;
    return piece;
  }

  onPiece(piece: Uint8Array): void {
    this.#bytesOut += piece.length;
    const left = this.#settings.keepBodyBytes - this.#keptBytes;
    if (left <= 0) return;
    // One byte more than the limit tells the log that something is missing.
    const part = piece.length <= left ? piece : piece.subarray(0, left);
    this.#keptBytes += part.length;
    this.#exchange.record.responseBody.push(part);
  }

  onEnd(): void {
    const { record } = this.#exchange;
    if (record.failure?.origin === "bug") this.#settings.onBug(record.failure.cause, record.requestId);
    this.#end();
  }

  /** Turns end at once when their caller leaves, those that are not being delivered yet a moment later. */
  onLeft(): void {
    this.#exchange.clientLeft();
    const { settled } = this.#answer;
    if (settled === undefined) this.#end();
    else void settled.then(() => this.#end());
  }

  onStall(): void {
    const { record, request, ended } = this.#exchange;
    if (!ended) record.streamError = "the client stopped reading";
    request.drop();
  }

  #end(): void {
    this.#exchange.bytesOut = this.#bytesOut;
    this.#exchange.end(200);
  }
}
