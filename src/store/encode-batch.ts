// From records to what the database thread gets: the texts of the rows and copies of the bodies, in memory that it sees.

import type { RequestRecord } from "../core/record.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import { bodyBytes, copyBody, isCut } from "./captured-bodies.ts";
import type { LogRow, RowSources } from "./log-row.ts";
import { logRow } from "./log-row.ts";
import type { RowBytes, RowPages } from "./row-pages.ts";
import type { Place, SharedRoom } from "./shared-room.ts";

/** A row that waits, and the bodies that are stored with it. */
export interface LogEntry {
  readonly row: RowBytes;
  /** What it keeps in memory, at most. */
  readonly bytes: number;
  readonly requestBody: readonly Uint8Array[];
  readonly responseBody: readonly Uint8Array[];
}

export interface EncodedBatch {
  /** JSON array with the `values` of each row, then the `data` of each row. */
  readonly texts: Place;
  /** Bytes of `texts` up to the end of the array, and then of each `data`. */
  readonly ends: readonly number[];
  readonly bodies: readonly CapturedBodies[];
}

/** Of an entry without its texts. */
const entryBytes = 256;

const noBody: readonly Uint8Array[] = [];
const wholeBodies = { requestCut: false, responseCut: false, dropped: false };

const openBracket = 91;
const comma = 44;
const closeBracket = 93;

/** When there is no room for a record with its bodies, the bodies go before the row does. */
export function logEntry(
  record: RequestRecord,
  sources: RowSources & { readonly logBodies: boolean },
  pages: RowPages,
  fits: (bytes: number) => boolean,
): LogEntry {
  const extra = sources.logBodies ? bodyBytes(record) : 0;
  if (extra === 0) return entryOf(pages, logRow(record, wholeBodies, sources), noBody, noBody, 0);
  const requestBody = record.requestBody === undefined ? noBody : [record.requestBody];
  const { responseBody } = record;
  const facts = { requestCut: isCut(requestBody), responseCut: isCut(responseBody), dropped: false };
  const entry = entryOf(pages, logRow(record, facts, sources), requestBody, responseBody, extra);
  if (fits(entry.bytes)) return entry;
  return entryOf(pages, logRow(record, { ...wholeBodies, dropped: true }, sources), noBody, noBody, 0);
}

/** Made anew each time a batch is sent: the room holds one batch. */
export function encodeBatch(entries: readonly LogEntry[], room: SharedRoom): EncodedBatch {
  room.begin();
  const texts = takeTexts(entries, room);
  const ends = copyTexts(entries, room.bytes(texts), texts.start);
  const bodies: CapturedBodies[] = [];
  entries.forEach(({ requestBody, responseBody }, index) => {
    if (requestBody.length === 0 && responseBody.length === 0) return;
    bodies.push({ index, request: copyBody(requestBody, room), response: copyBody(responseBody, room) });
  });
  return { texts, ends, bodies };
}

function takeTexts(entries: readonly LogEntry[], room: SharedRoom): Place {
  const brackets = 2;
  let bytes = brackets + Math.max(0, entries.length - 1);
  for (const { row } of entries) bytes += row.end - row.start;
  return room.take(bytes);
}

function copyTexts(entries: readonly LogEntry[], memory: Buffer, start: number): readonly number[] {
  let at = start;
  memory[at++] = openBracket;
  for (const { row } of entries) {
    if (at > start + 1) memory[at++] = comma;
    at += row.page.copy(memory, at, row.start, row.middle);
  }
  memory[at++] = closeBracket;
  const ends = [at - start];
  for (const { row } of entries) {
    at += row.page.copy(memory, at, row.middle, row.end);
    ends.push(at - start);
  }
  return ends;
}

function entryOf(
  pages: RowPages,
  texts: LogRow,
  requestBody: readonly Uint8Array[],
  responseBody: readonly Uint8Array[],
  bodiesBytes: number,
): LogEntry {
  const row = pages.add(texts);
  return { row, bytes: entryBytes + row.end - row.start + bodiesBytes, requestBody, responseBody };
}
