// Requests that are refused for their form, before anybody asks what they are for.

import { Failure } from "../core/failure.ts";
import { isValidHost } from "./request-target.ts";

/** Whoever sends such a thing is out of step or means harm: the connection ends with the answer. */
const closing = [["connection", "close"]] as const;

/** One of the protocols that the caller would go over to. */
const websocketPattern = /(?:^|[\s,])websocket(?:$|[\s,/])/i;

/** Undefined: well-formed. What the HTTP parser refuses does not come this far. */
export function refusalOf({ method, url, headers }: Request): Failure | undefined {
  if (!isValidHost(headers.get("host"))) return refuse(400, "the Host header is not a host name");
  if (method === "CONNECT" || method === "TRACE") return refuse(501, `method ${method} is not supported`);
  // Clients that try a websocket first go on without one when they are told so, and only then.
  if (method === "GET" && websocketPattern.test(headers.get("upgrade") ?? "")) {
    return refuse(426, "websockets are not supported: send the request over HTTP");
  }
  const expect = headers.get("expect");
  if (expect !== null && expect.toLowerCase() !== "100-continue") {
    return refuse(417, "the only expectation that can be met is 100-continue");
  }
  // What the runtime makes of bytes that are no UTF-8: two different targets would look the same.
  if (url.includes("%EF%BF%BD")) return refuse(400, "the path is not valid UTF-8");
  return undefined;
}

function refuse(status: number, message: string): Failure {
  return new Failure({ origin: "request", status, type: "invalid_request_error", message, headers: closing });
}
