// Reads a request body within its limit.

import type { Cancellation, CancelReason } from "../core/cancellation.ts";
import { cancelledRequest, Failure, invalidRequest } from "../core/failure.ts";
import { joinBytes } from "../core/byte-pieces.ts";

/**
 * What a client that sends too much may still send after its answer, thrown away as it comes: closing at once would break the
 * connection under it before it reads why. Whoever announced more than that is cut off.
 */
const maxThrownAwayBytes = 64 * 1024 * 1024;

/**
 * The whole body, at most `maxBytes`. A declared length over the limit is refused before anything is read.
 * `413` too large, `415` for an encoded body, `400` for announced trailers and when the client sends less than it said. A
 * cancelled request waits for no more of it. Throws what is known at once, rejects with what shows later: `Failure`s.
 */
export function readBody(request: Request, maxBytes: number, cancellation: Cancellation): Promise<Uint8Array> {
  const { headers } = request;
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw invalidRequest(`request bodies with content-encoding ${encoding} are not supported: send it uncompressed`, {
      status: 415,
    });
  }
  const declared = headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes, Number(declared) > maxBytes + maxThrownAwayBytes);
    return unlessCancelled(request.bytes(), cancellation);
  }
  if (headers.has("trailer")) throw trailersAnnounced();
  if (request.body === null) return Promise.resolve(new Uint8Array(0));
  return unlessCancelled(readUnknownLength(request.body, maxBytes), cancellation);
}

function unlessCancelled(reading: Promise<Uint8Array>, cancellation: Cancellation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const listener = { cancelled: (reason: CancelReason) => reject(cancelledRequest(reason)) };
    cancellation.add(listener);
    reading.then(
      (body) => {
        cancellation.remove(listener);
        resolve(body);
      },
      (error: unknown) => {
        cancellation.remove(listener);
        reject(error instanceof Failure ? error : incomplete(error));
      },
    );
  });
}

async function readUnknownLength(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxBytes) throw tooLarge(maxBytes, false);
    pieces.push(piece);
  }
  return joinBytes(pieces);
}

function tooLarge(maxBytes: number, cutOff: boolean): Failure {
  return new Failure({
    origin: "request",
    status: 413,
    type: "invalid_request_error",
    message: `request body is larger than ${maxBytes} bytes: send less or raise server.body_size_limit (BODY_SIZE_LIMIT)`,
    code: "request_too_large",
    headers: cutOff ? [["connection", "close"]] : [],
  });
}

/** The runtime refuses the trailers themselves, but only when the body has already been handed out. */
function trailersAnnounced(): Failure {
  return new Failure({
    origin: "request",
    status: 400,
    type: "invalid_request_error",
    message: "trailers are not supported: send these fields as headers",
    headers: [["connection", "close"]],
  });
}

function incomplete(cause: unknown): Failure {
  return new Failure({
    origin: "request",
    status: 400,
    type: "invalid_request_error",
    message: "the request body ended before its announced length",
    cause,
  });
}
