// Reads the head of a request in place: one pass over the bytes that checks them all and keeps what framing needs.

import { Failure } from "../../core/failure.ts";
import { headText, inName, isBlank, isName, skipText } from "../../http1/head-bytes.ts";
import type { HeadReader } from "../../http1/head-collector.ts";
import { IncomingHeaders } from "./incoming-headers.ts";
import { normalTarget } from "./normal-target.ts";

/** Bytes of a head, and of one line in it. */
const maxHeadBytes = 128 * 1024;
const maxLineBytes = 16 * 1024;
const maxHeaders = 200;
/** Empty lines before a request, which a client may leave behind a body (RFC 9112, 2.2). */
const maxEmptyLines = 4;
const maxLengthDigits = 15;
const longestMethod = 7;

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const colon = 58;

/** Whoever sends such a thing is out of step or means harm: the connection ends with the answer. */
const closing = [["connection", "close"]] as const;

const methods = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"];

/** What the head says about the request and the connection. */
export class RequestHead {
  method = "";
  /** Path and query as they are looked up: see `normalTarget`. */
  target = "";
  /** HTTP/1.0: the connection is used once. */
  oldVersion = false;
  /** Undefined: the request does not say. */
  contentLength: number | undefined = undefined;
  chunked = false;
  /** `connection: close`. */
  close = false;
  /** `expect: 100-continue`. */
  expectsContinue = false;
  /** One character for each byte. */
  text = "";
  headers: IncomingHeaders = noHeaders;
  /** Index of the first byte after the blank line. */
  end = 0;
  /** Where the digits of its only `content-length` are; both 0: it has none, or more than one. */
  lengthStart = 0;
  lengthEnd = 0;
}

const noHeaders = new IncomingHeaders("", []);

/**
 * The head that starts at `start`; undefined when its end has not arrived. Throws a `Failure` that closes the connection for everything RFC 9112 does
 * not allow, for framing that two readers could understand differently (request smuggling), and for what is too large.
 */
export function parseRequestHead(bytes: Uint8Array, start: number): RequestHead | undefined {
  const head = new RequestHead();
  let at = readRequestLine(bytes, skipEmptyLines(bytes, start), head);
  if (at === 0) return undefined;
  const length = bytes.length;
  const marks: number[] = [];
  for (let count = 0; ; count++) {
    if (at + 1 >= length) return undefined;
    if (bytes[at] === carriageReturn) {
      if (bytes[at + 1] !== lineFeed) throw refused(400, "the head of the request has a bare CR");
      break;
    }
    if (count === maxHeaders) throw refused(431, `the request has more than ${maxHeaders} headers`);
    const nameStart = at;
    while (at < length && inName[bytes[at] ?? 0] === 1) at++;
    if (at === length) return atMostALine(nameStart, at);
    if (bytes[at] !== colon || at === nameStart) {
      throw refused(400, "the request has a header name with illegal characters");
    }
    const nameEnd = at++;
    const valueStart = at;
    at = skipText(bytes, at);
    atMostALine(nameStart, at);
    if (at + 1 >= length) return undefined;
    if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) {
      throw refused(400, "the request has a header value with illegal characters");
    }
    if (noteHeader(head, bytes, nameStart, nameEnd, valueStart, at)) marks.push(nameStart, nameEnd, at);
    at += 2;
  }
  if (head.chunked && head.contentLength !== undefined) {
    throw refused(400, "the request has both content-length and transfer-encoding");
  }
  if (head.chunked && head.oldVersion) throw refused(400, "transfer-encoding is not for HTTP/1.0");
  head.end = at + 2;
  if (head.end - start > maxHeadBytes) throw requestHeadReader.tooLarge();
  head.text = headText(bytes, 0, head.end);
  head.headers = new IncomingHeaders(head.text, marks);
  return head;
}

/** The refusal of a request for its form. */
export function refused(status: number, message: string): Failure {
  return new Failure({ origin: "request", status, type: "invalid_request_error", message, headers: closing });
}

/** For a head that arrives in pieces. */
export const requestHeadReader: HeadReader<RequestHead> = {
  parse: parseRequestHead,
  maxBytes: maxHeadBytes,
  tooLarge: () => refused(431, `the head of the request is larger than ${maxHeadBytes / 1024} kB`),
  bareLineFeed: () => refused(400, "the head of the request has a line that does not end in CRLF"),
};

function atMostALine(start: number, end: number): undefined {
  if (end - start > maxLineBytes)
    throw refused(431, `a header of the request is larger than ${maxLineBytes / 1024} kB`);
}

function skipEmptyLines(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let count = 0; count < maxEmptyLines && bytes[at] === carriageReturn && bytes[at + 1] === lineFeed; count++) {
    at += 2;
  }
  return at;
}

/** Index after the line, 0 when it is not complete. */
function readRequestLine(bytes: Uint8Array, start: number, head: RequestHead): number {
  const length = bytes.length;
  let at = start;
  while (at < length && at - start <= longestMethod && inName[bytes[at] ?? 0] === 1) at++;
  if (at === length) return 0;
  // A lone CR may be half of an empty line.
  if (at === start && bytes[at] === carriageReturn && at + 1 === length) return 0;
  head.method = methodOf(bytes, start, at);
  const targetStart = at + 1;
  at = targetStart;
  while (at < length && (bytes[at] ?? 0) > space && bytes[at] !== 127) at++;
  if (at - targetStart > maxLineBytes) throw refused(431, `the target is longer than ${maxLineBytes / 1024} kB`);
  if (at === length) return 0;
  if (bytes[at] !== space) throw refused(400, "the request has no HTTP version behind its target");
  const targetEnd = at++;
  for (let index = 0; index < versionPrefix.length; index++) {
    if (at + index === length) return 0;
    if (bytes[at + index] !== versionPrefix.charCodeAt(index)) throw refused(400, "the request line is malformed");
  }
  at += versionPrefix.length;
  if (at + 4 >= length) return 0;
  const isKnown = bytes[at] === 49 && bytes[at + 1] === 46 && (bytes[at + 2] === 48 || bytes[at + 2] === 49);
  if (!isKnown) throw refused(505, "the HTTP version must be 1.1 or 1.0");
  head.oldVersion = bytes[at + 2] === 48;
  if (bytes[at + 3] !== carriageReturn || bytes[at + 4] !== lineFeed) {
    throw refused(400, "the request line does not end in CRLF");
  }
  if (head.method === "CONNECT" || head.method === "TRACE") {
    throw refused(501, `method ${head.method} is not supported`);
  }
  head.target = normalTarget(bytes, targetStart, targetEnd) ?? badTarget();
  return at + 5;
}

const versionPrefix = "HTTP/";

function badTarget(): never {
  throw refused(400, "the target of the request is neither a path in valid UTF-8 nor an http:// address");
}

function methodOf(bytes: Uint8Array, start: number, end: number): string {
  if (bytes[end] === space && end > start) {
    for (const method of methods) {
      if (method.length === end - start && isExactly(bytes, start, method)) return method;
    }
    throw refused(501, "the method of the request is not supported");
  }
  if (end - start > longestMethod) throw refused(501, "the method of the request is not supported");
  throw refused(400, "the request does not begin with a method");
}

function isExactly(bytes: Uint8Array, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (bytes[start + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** Whether it is told among the headers. The lengths tell nearly all other headers apart without looking at them. */
function noteHeader(
  head: RequestHead,
  bytes: Uint8Array,
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
): boolean {
  switch (nameEnd - nameStart) {
    case 6:
      if (isName(bytes, nameStart, "expect") && valueOf(bytes, valueStart, valueEnd) === "100-continue") {
        head.expectsContinue = true;
      }
      return true;
    case 10:
      if (isName(bytes, nameStart, "connection")) {
        const tokens = valueOf(bytes, valueStart, valueEnd).split(",");
        if (tokens.some((token) => token.trim() === "close")) head.close = true;
      }
      return true;
    case 14:
      if (!isName(bytes, nameStart, "content-length")) return true;
      noteContentLength(head, bytes, valueStart, valueEnd);
      return false;
    case 17:
      if (isName(bytes, nameStart, "transfer-encoding")) {
        if (head.chunked || valueOf(bytes, valueStart, valueEnd) !== "chunked") {
          throw refused(400, "the request has a transfer-encoding other than chunked");
        }
        head.chunked = true;
      }
      return true;
    default:
      return true;
  }
}

/** Digits and nothing else; given again, the same ones (RFC 9110, 8.6). */
function noteContentLength(head: RequestHead, bytes: Uint8Array, start: number, end: number): void {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from])) from++;
  while (to > from && isBlank(bytes[to - 1])) to--;
  const value = lengthIn(bytes, from, to);
  if (value === undefined) throw refused(400, "the request has a malformed content-length");
  const isFirst = head.contentLength === undefined;
  if (!isFirst && head.contentLength !== value) {
    throw refused(400, "the request has two different content-lengths");
  }
  head.contentLength = value;
  head.lengthStart = isFirst ? from : 0;
  head.lengthEnd = isFirst ? to : 0;
}

/** Undefined: something else than one to fifteen digits. */
export function lengthIn(bytes: Uint8Array, start: number, end: number): number | undefined {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return end === start || end - start > maxLengthDigits ? undefined : value;
}

function valueOf(bytes: Uint8Array, start: number, end: number): string {
  return headText(bytes, start, end).trim().toLowerCase();
}
