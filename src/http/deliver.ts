// Brings a committed answer to the caller and ends the exchange when it is over.

import type { Clock } from "../core/clock.ts";
import type { Answer } from "../gateway/answer.ts";
import type { OnBug } from "./error-response.ts";
import type { Exchange } from "./exchange.ts";
import { streamBody } from "./stream-body.ts";

export interface DeliverySettings {
  readonly clock: Clock;
  /** `STREAM_STALL_TIMEOUT`, milliseconds; 0 = off. */
  readonly streamStallTimeoutMs: number;
  /** Bodies are logged: keep what was delivered, up to this many bytes. */
  readonly keepBodyBytes: number;
  readonly onBug: OnBug;
  /** Closes the connection of a caller who stopped reading. */
  readonly dropConnection: (request: Request) => void;
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
): Response {
  headers["content-type"] = answer.contentType;
  for (const [name, value] of answer.headers) headers[name] = value;
  if (answer.whole && answer.first.length <= alwaysTakenBytes) {
    exchange.bytesOut = answer.first.length;
    if (settings.keepBodyBytes > 0) exchange.record.responseBody.push(answer.first);
    exchange.end(200);
    return new Response(answer.first, { headers });
  }
  return deliverInPieces(exchange, answer, headers, settings);
}

function deliverInPieces(
  exchange: Exchange,
  answer: Answer,
  headers: Record<string, string>,
  settings: DeliverySettings,
): Response {
  const { record, request } = exchange;
  let kept = 0;
  const keep = (piece: Uint8Array): void => {
    exchange.bytesOut += piece.length;
    if (kept >= settings.keepBodyBytes) return;
    // One byte more than the limit tells the log that something is missing.
    const part = piece.subarray(0, settings.keepBodyBytes - kept);
    kept += part.length;
    record.responseBody.push(part);
  };
  const body = streamBody(
    {
      ...(answer.whole ? slices(answer.first) : { first: answer.first, next: () => answer.next() }),
      onPiece: keep,
      onEnd() {
        if (record.failure?.origin === "bug") settings.onBug(record.failure.cause, record.requestId);
        exchange.end(200);
      },
      onLeft() {
        leave(exchange, answer);
      },
      onStall() {
        record.streamError = "the client stopped reading";
        leave(exchange, answer);
        settings.dropConnection(request);
      },
    },
    settings.streamStallTimeoutMs,
    settings.clock,
  );
  if (!answer.whole) {
    headers["cache-control"] = "no-cache";
    headers["x-accel-buffering"] = "no";
  }
  return new Response(body, { headers });
}

/** Turns end at once when their caller leaves, those that are not being delivered yet a moment later. */
function leave(exchange: Exchange, answer: Answer): void {
  exchange.clientLeft();
  const { settled } = answer;
  if (settled === undefined) exchange.end(200);
  else void settled.then(() => exchange.end(200));
}

function slices(whole: Uint8Array): { first: Uint8Array; next: () => Uint8Array | undefined } {
  let from = alwaysTakenBytes;
  return {
    first: whole.subarray(0, from),
    next() {
      if (from >= whole.length) return undefined;
      const piece = whole.subarray(from, from + alwaysTakenBytes);
      from += alwaysTakenBytes;
      return piece;
    },
  };
}
