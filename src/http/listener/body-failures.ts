// Why a request has no body that could be read.

import { Failure } from "../../core/failure.ts";
import { refused } from "./request-head.ts";

/** `cutOff`: more would come than anybody wants to throw away, so that the connection ends with the answer. */
export function bodyTooLarge(maxBytes: number, cutOff: boolean): Failure {
  return new Failure({
    origin: "request",
    status: 413,
    type: "invalid_request_error",
    message: `request body is larger than ${maxBytes} bytes: send less or raise server.body_size_limit (BODY_SIZE_LIMIT)`,
    code: "request_too_large",
    headers: cutOff ? [["connection", "close"]] : [],
  });
}

/** Headers behind a chunked body: they could say something else than those before it. */
export function trailersRefused(): Failure {
  return refused(400, "trailers are not supported: send these fields as headers");
}

/** The caller closed its connection, or fell silent, in the middle. */
export function bodyIncomplete(): Failure {
  return refused(400, "the request body ended before its announced length");
}
