// Reads the head of an HTTP/1 answer in place: one pass over the bytes that checks them all and keeps what framing needs.

import { BadMessage } from "../../http1/bad-message.ts";
import { headText, inName, isBlank, isName, skipText } from "../../http1/head-bytes.ts";
import type { HeadReader } from "../../http1/head-collector.ts";

/** Bytes of a head, interim answers before it included. */
export const maxHeadBytes = 256 * 1024;
const maxHeaders = 1000;
const maxLengthDigits = 15;

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const comma = 44;
const colon = 58;

/** What the head says about the answer and the connection. */
export class AnswerHead {
  /** 100 to 599. */
  status = 0;
  /** HTTP/1.0: the connection is used once. */
  oldVersion = false;
  /** Undefined: the answer does not say. */
  contentLength: number | undefined = undefined;
  chunked = false;
  /** `connection: close`. */
  close = false;
  /** `keep-alive: timeout=`, seconds. */
  keepAliveSeconds: number | undefined = undefined;
  /** As sent, lower case; empty when absent. */
  contentEncoding = "";
  /** Where each header's name starts and where its colon is, in turn. */
  readonly marks: number[] = [];
  /** Index of the first byte after the blank line. */
  end = 0;
}

/**
 * The head that starts at `start`; undefined when its end has not arrived. Throws `BadMessage` for everything RFC 9112 does not allow and for
 * framing that two readers could understand differently. Limits on the size are the caller's, the one on the number of headers is ours.
 */
export function parseAnswerHead(bytes: Uint8Array, start: number): AnswerHead | undefined {
  const length = bytes.length;
  const head = new AnswerHead();
  let at = readStatusLine(bytes, start, head);
  if (at === 0) return undefined;
  for (let count = 0; ; count++) {
    if (at + 1 >= length) return undefined;
    if (bytes[at] === carriageReturn) {
      if (bytes[at + 1] !== lineFeed) throw new BadMessage("the head of the answer has a bare CR");
      break;
    }
    if (count === maxHeaders) throw new BadMessage(`the answer has more than ${maxHeaders} headers`, "head_too_large");
    const nameStart = at;
    while (at < length && inName[bytes[at] ?? 0] === 1) at++;
    if (at === length) return undefined;
    if (bytes[at] !== colon || at === nameStart)
      throw new BadMessage("the answer has a header name with illegal characters");
    const nameEnd = at++;
    const valueStart = at;
    at = skipText(bytes, at);
    if (at + 1 >= length) return undefined;
    if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) {
      throw new BadMessage("the answer has a header value with illegal characters");
    }
    head.marks.push(nameStart, nameEnd);
    noteHeader(head, bytes, nameStart, nameEnd, valueStart, at);
    at += 2;
  }
  if (head.chunked && head.contentLength !== undefined) {
    throw new BadMessage("the answer has both content-length and transfer-encoding");
  }
  head.end = at + 2;
  return head;
}

/** Index after the line, 0 when it is not complete. */
function readStatusLine(bytes: Uint8Array, start: number, head: AnswerHead): number {
  const length = bytes.length;
  for (let index = 0; index < versionPrefix.length; index++) {
    if (start + index === length) return 0;
    if (bytes[start + index] !== versionPrefix.charCodeAt(index)) throw new BadMessage("the answer is not HTTP/1.1");
  }
  if (start + 13 >= length) return 0;
  const minor = bytes[start + 7];
  if (minor !== 48 && minor !== 49) throw new BadMessage("the answer is not HTTP/1.1");
  head.oldVersion = minor === 48;
  const hundreds = (bytes[start + 9] ?? 0) - 48;
  const tens = (bytes[start + 10] ?? 0) - 48;
  const ones = (bytes[start + 11] ?? 0) - 48;
  const after = bytes[start + 12];
  if (
    bytes[start + 8] !== space ||
    !(hundreds >= 0 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9) ||
    (after !== space && after !== carriageReturn)
  ) {
    throw new BadMessage("the answer has a malformed status line");
  }
  head.status = hundreds * 100 + tens * 10 + ones;
  if (head.status < 100 || head.status > 599) throw new BadMessage("the answer has a status outside 100 to 599");
  const at = skipText(bytes, start + 12);
  if (at + 1 >= length) return 0;
  if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed)
    throw new BadMessage("the answer has a malformed status line");
  return at + 2;
}

const versionPrefix = "HTTP/1.";

/** The lengths tell nearly all other headers apart without looking at them. */
function noteHeader(
  head: AnswerHead,
  bytes: Uint8Array,
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
): void {
  switch (nameEnd - nameStart) {
    case 10:
      if (isName(bytes, nameStart, "connection")) {
        if (hasToken(text(bytes, valueStart, valueEnd), "close")) head.close = true;
      } else if (isName(bytes, nameStart, "keep-alive")) {
        const seconds = /(?:^|[\s,;])timeout\s*=\s*"?(\d{1,9})/.exec(text(bytes, valueStart, valueEnd))?.[1];
        if (seconds !== undefined) head.keepAliveSeconds = Number(seconds);
      }
      return;
    case 14:
      if (isName(bytes, nameStart, "content-length")) noteContentLength(head, bytes, valueStart, valueEnd);
      return;
    case 16:
      if (isName(bytes, nameStart, "content-encoding")) {
        const encoding = text(bytes, valueStart, valueEnd).trim();
        if (encoding !== "")
          head.contentEncoding = head.contentEncoding === "" ? encoding : `${head.contentEncoding}, ${encoding}`;
      }
      return;
    case 17:
      if (isName(bytes, nameStart, "transfer-encoding")) {
        if (head.chunked || text(bytes, valueStart, valueEnd).trim() !== "chunked") {
          throw new BadMessage("the answer has a transfer-encoding other than chunked");
        }
        head.chunked = true;
      }
      return;
  }
}

/** One number, or the same one several times (RFC 9110, 8.6). */
function noteContentLength(head: AnswerHead, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  for (;;) {
    while (at < end && isBlank(bytes[at])) at++;
    const digitsStart = at;
    let value = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === digitsStart || at - digitsStart > maxLengthDigits)
      throw new BadMessage("the answer has a malformed content-length");
    if (head.contentLength !== undefined && head.contentLength !== value) {
      throw new BadMessage("the answer has two different content-lengths");
    }
    head.contentLength = value;
    while (at < end && isBlank(bytes[at])) at++;
    if (at === end) return;
    if (bytes[at++] !== comma) throw new BadMessage("the answer has a malformed content-length");
  }
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return headText(bytes, start, end).toLowerCase();
}

function hasToken(list: string, token: string): boolean {
  return list.split(",").some((part) => part.trim() === token);
}

/** For a head that arrives in pieces. */
export const answerHeadReader: HeadReader<AnswerHead> = {
  parse: parseAnswerHead,
  maxBytes: maxHeadBytes,
  tooLarge,
  bareLineFeed: () => new BadMessage("the head of the answer has a line that does not end in CRLF"),
};

/** Above `maxHeadBytes`. */
export function tooLarge(): BadMessage {
  return new BadMessage(`the head of the answer is larger than ${maxHeadBytes / 1024} kB`, "head_too_large");
}
