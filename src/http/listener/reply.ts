// The answer to a request, as its handler gives it, and its head as bytes.

import type { Coming } from "../../core/later.ts";

/** A body whose pieces are asked for one after the other, each when the last one has left. */
export interface ReplyStream {
  readonly first: Uint8Array;
  /** Pieces after `first`; undefined after the last. Never rejects. One call at a time. */
  next(): Uint8Array | undefined | Coming<Uint8Array | undefined>;
  /** Each piece as it is handed on. */
  onPiece(piece: Uint8Array): void;
  /** After the last piece. */
  onEnd(): void;
  /** The reader closed its connection; nothing more is asked for. */
  onLeft(): void;
  /** The reader took nothing for `stallTimeoutMs`, 0 = for ever; it may be the last piece that waits. */
  onStall(): void;
  readonly stallTimeoutMs: number;
}

export interface Reply {
  readonly status: number;
  /** `connection: close` ends the connection with the reply; length, coding and date are not the handler's to set. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: string | Uint8Array | ReplyStream | undefined;
}

/** How a body is told apart from what follows it. */
export type Framing = { readonly length: number } | "chunked" | "until-close" | "none";

/** These two have no body, and no length of one. */
export function lengthOf(status: number, bytes: Uint8Array | undefined): Framing {
  return status === 204 || status === 304 ? "none" : { length: bytes?.length ?? 0 };
}

const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  422: "Unprocessable Content",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

/** One character for each byte, none that could end a line. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const illegal = /[^\t\x20-\x7e\x80-\xff]/g;

const statusLines = new Map<number, string>();
let secondOfDate = -1;
let renderedDate = "";

/** The head of one reply; every part of it is one character for each byte. */
export class ReplyHead {
  readonly #status: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #date: string;
  /** What follows the headers, blank line included. */
  readonly #end: string;
  /** Bytes that `write` writes. */
  readonly length: number;

  /** `wallNow`: milliseconds since the epoch. */
  constructor({ status, headers }: Reply, framing: Framing, closes: boolean, wallNow: number) {
    this.#status = statusLineOf(status);
    this.#headers = headers;
    this.#date = dateLine(wallNow);
    this.#end = endOf(framing, closes && headers["connection"] === undefined);
    let length = this.#status.length + this.#date.length + this.#end.length;
    for (const name in headers) length += name.length + (headers[name] ?? "").length + 4;
    this.length = length;
  }

  /** Gives the index after it; there must be room. Byte by byte, for a string of all its parts costs four times as much as they do. */
  write(target: Uint8Array, start: number): number {
    const headers = this.#headers;
    let at = writeText(target, start, this.#status);
    for (const name in headers) {
      at = writeText(target, at, name);
      target[at] = 0x3a;
      target[at + 1] = 0x20;
      const value = headers[name] ?? "";
      // What comes from a provider or a model name has been checked before; a mistake there must not become a second header.
      at = writeText(target, at + 2, valuePattern.test(value) ? value : value.replace(illegal, "?"));
      target[at] = 0x0d;
      target[at + 1] = 0x0a;
      at += 2;
    }
    return writeText(target, writeText(target, at, this.#date), this.#end);
  }
}

function writeText(target: Uint8Array, start: number, text: string): number {
  for (let index = 0; index < text.length; index++) target[start + index] = text.charCodeAt(index);
  return start + text.length;
}

function endOf(framing: Framing, sayClose: boolean): string {
  const close = sayClose ? "connection: close\r\n" : "";
  if (framing === "chunked") return `${close}transfer-encoding: chunked\r\n\r\n`;
  return typeof framing === "string" ? `${close}\r\n` : `${close}content-length: ${framing.length}\r\n\r\n`;
}

function statusLineOf(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\n`;
    statusLines.set(status, line);
  }
  return line;
}

/** The header that tells the time, a new one each second. */
function dateLine(wallNow: number): string {
  const second = Math.floor(wallNow / 1000);
  if (second !== secondOfDate) {
    secondOfDate = second;
    renderedDate = `date: ${new Date(wallNow).toUTCString()}\r\n`;
  }
  return renderedDate;
}
