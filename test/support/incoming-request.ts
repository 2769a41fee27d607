// A request as the listener hands it on, without a network.

import { IncomingRequest } from "../../src/http/listener/incoming-request.ts";
import { parseRequestHead } from "../../src/http/listener/request-head.ts";

/** A `POST` whose body is here. */
export function incomingRequest(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): IncomingRequest {
  const all = { host: "gateway", "content-length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = new Uint8Array(Buffer.from(`POST ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`));
  const head = parseRequestHead(bytes, 0);
  if (head === undefined) throw new Error("the head has no end");
  const request = new IncomingRequest(head, "127.0.0.1", { bodyWanted() {}, drop() {} });
  request.takeBytes(bytes, head.end);
  return request;
}
