// Reads a request body within its limit.

import type { Cancellation, CancelReason } from "../core/cancellation.ts";
import { cancelledRequest, invalidRequest } from "../core/failure.ts";
import { bodyTooLarge, trailersRefused } from "./listener/body-failures.ts";
import { maxThrownAwayBytes } from "./listener/client-connection.ts";
import type { IncomingRequest } from "./listener/incoming-request.ts";

/**
 * The whole body, at most `maxBytes`; at once when it is here. A declared length over the limit is refused before anything is read.
 * `413` too large, `415` for an encoded body, `400` for trailers, for a malformed body and when the client sends less than it said. A
 * cancelled request waits for no more of it. Throws what is known at once, rejects with what shows later: `Failure`s.
 */
export function readBody(
  request: IncomingRequest,
  maxBytes: number,
  cancellation: Cancellation,
): Uint8Array | Promise<Uint8Array> {
  const { headers, contentLength } = request;
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw invalidRequest(`request bodies with content-encoding ${encoding} are not supported: send it uncompressed`, {
      status: 415,
    });
  }
  if (contentLength !== undefined && contentLength > maxBytes) {
    throw bodyTooLarge(maxBytes, contentLength > maxBytes + maxThrownAwayBytes);
  }
  if (request.chunked && headers.has("trailer")) throw trailersRefused();
  const body = request.readBody(maxBytes);
  return body instanceof Promise ? unlessCancelled(body, cancellation) : body;
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
        reject(error);
      },
    );
  });
}
