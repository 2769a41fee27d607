// Reads a request body within its limit.

import { Failure, invalidRequest } from "../core/failure.ts";

/**
 * The whole body, at most `maxBytes`. A declared length over the limit is refused before anything is read.
 * `413` too large, `415` for an encoded body, `400` when the client sends less than it said.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const { headers } = request;
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw invalidRequest(`request bodies with content-encoding ${encoding} are not supported: send it uncompressed`, {
      status: 415,
    });
  }
  const declared = headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
    try {
      return await request.bytes();
    } catch (cause) {
      throw incomplete(cause);
    }
  }
  return request.body === null ? new Uint8Array(0) : await readUnknownLength(request.body, maxBytes);
}

async function readUnknownLength(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof Failure ? error : incomplete(error);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

function tooLarge(maxBytes: number): Failure {
  return invalidRequest(
    `request body is larger than ${maxBytes} bytes: send less or raise server.body_size_limit (BODY_SIZE_LIMIT)`,
    { status: 413, code: "request_too_large" },
  );
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
