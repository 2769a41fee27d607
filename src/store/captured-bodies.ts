// The request and response bodies of a record, cut to size, where the database thread can read them.

import { Buffer } from "node:buffer";
import type { RequestRecord } from "../core/record.ts";
import type { Place, SharedRoom } from "./shared-room.ts";

/** Of each body so many bytes are stored (behaviour 1.18). */
export const maxBodyBytes = 1_048_576;

// Works on any Uint8Array and makes no view of it.
const { copy: copyBytes } = Buffer.prototype;

/** The bodies that belong to one row of a batch. */
export interface CapturedBodies {
  /** Position of the row in its batch. */
  readonly index: number;
  readonly request: Place | undefined;
  readonly response: Place | undefined;
}

/** Copies, because what the record holds may be a view into a buffer that is still in use. */
export function copyBody(pieces: readonly Uint8Array[], room: SharedRoom): Place | undefined {
  const length = lengthOf(pieces);
  if (length === 0) return undefined;
  const place = room.take(Math.min(length, maxBodyBytes));
  const copy = room.bytes(place);
  let at = place.start;
  for (const piece of pieces) {
    const end = Math.min(piece.length, place.end - at);
    copyBytes.call(piece, copy, at, 0, end);
    at += end;
  }
  if (length <= maxBodyBytes) return place;
  return { ...place, end: place.start + characterBoundary(copy.subarray(place.start, place.end)) };
}

/** Bytes of both bodies as the record holds them. */
export function bodyBytes(record: RequestRecord): number {
  return (record.requestBody?.length ?? 0) + lengthOf(record.responseBody);
}

/** Whether only the beginning will be stored. */
export function isCut(pieces: readonly Uint8Array[]): boolean {
  return lengthOf(pieces) > maxBodyBytes;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The end of the last whole UTF-8 character; the whole length when the tail is no UTF-8 anyway. */
function characterBoundary(bytes: Uint8Array): number {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const width = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return width > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
