// Requests that are well-formed and refused all the same, before anybody asks what they are for.

import type { Failure } from "../core/failure.ts";
import type { IncomingRequest } from "./listener/incoming-request.ts";
import { refused } from "./listener/request-head.ts";
import { isValidHost } from "./request-target.ts";

/** One of the protocols that the caller would go over to. */
const websocketPattern = /(?:^|[\s,])websocket(?:$|[\s,/])/i;

/** Undefined: nothing against it. Its connection ends with such an answer. */
export function refusalOf({ method, headers }: IncomingRequest): Failure | undefined {
  if (!isValidHost(headers.get("host"))) return refused(400, "the Host header is not a host name");
  // Clients that try a websocket first go on without one when they are told so, and only then.
  if (method === "GET" && websocketPattern.test(headers.get("upgrade") ?? "")) {
    return refused(426, "websockets are not supported: send the request over HTTP");
  }
  const expect = headers.get("expect");
  if (expect !== null && expect.toLowerCase() !== "100-continue") {
    return refused(417, "the only expectation that can be met is 100-continue");
  }
  return undefined;
}
