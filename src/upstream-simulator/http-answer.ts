// Heads and bodies in the framings of HTTP/1.1, right ones; the wrong ones are made of the same parts.

import type { Asked } from "./asked.ts";
import { bytesOf, type Bytes } from "./step.ts";

export type HeaderLine = readonly [name: string, value: string];

export const jsonType: HeaderLine = ["content-type", "application/json"];
export const streamType: HeaderLine = ["content-type", "text/event-stream; charset=utf-8"];
export const chunkedBody: HeaderLine = ["transfer-encoding", "chunked"];
export const lastChunk = "0\r\n\r\n";

const reasons: Readonly<Record<number, string>> = {
  100: "Continue",
  101: "Switching Protocols",
  103: "Early Hints",
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** A whole head: these fields, then those of the model name. */
export function head(asked: Asked, status: number, headers: readonly HeaderLine[]): string {
  const lines = [...headers, ...asked.extraHeaders].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasons[status] ?? "Simulated"}\r\n${lines.join("")}\r\n`;
}

export function lengthOf(body: Bytes, by = 0): HeaderLine {
  return ["content-length", String(Buffer.byteLength(body) + by)];
}

/** A whole answer with a content-length. */
export function sized(asked: Asked, status: number, type: HeaderLine, body: Bytes): Uint8Array {
  return bytesOf(head(asked, status, [type, lengthOf(body)]), body);
}

/** One chunk of a chunked body. */
export function chunk(content: Bytes): Uint8Array {
  return bytesOf(Buffer.byteLength(content).toString(16), "\r\n", content, "\r\n");
}

/** A whole answer in chunks, one for each part. */
export function chunked(asked: Asked, type: HeaderLine, parts: readonly Bytes[]): Uint8Array {
  return bytesOf(head(asked, 200, [type, chunkedBody]), ...parts.map(chunk), lastChunk);
}
