// From records to what is posted to the database thread: texts of the rows, copies of the bodies beside them.

import type { RequestRecord } from "../core/record.ts";
import type { BodyRoom } from "./body-room.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import { bodyBytes, copyBody, isCut } from "./captured-bodies.ts";
import type { LogRow, RowSources } from "./log-row.ts";
import { logRow } from "./log-row.ts";

/** A row that waits, and the bodies that are stored with it. */
export interface LogEntry {
  readonly row: LogRow;
  /** What it keeps in memory, at most. */
  readonly bytes: number;
  readonly requestBody: readonly Uint8Array[];
  readonly responseBody: readonly Uint8Array[];
}

export interface EncodedBatch {
  /** JSON array with the `values` of each row. */
  readonly values: string;
  /** The `data` of each row. */
  readonly data: readonly string[];
  /** In the room that was given. */
  readonly bodies: readonly CapturedBodies[];
}

/** Of an entry without its texts. */
const entryBytes = 512;

const noBody: readonly Uint8Array[] = [];
const wholeBodies = { requestCut: false, responseCut: false, dropped: false };

/** When there is no room for a record with its bodies, the bodies go before the row does. */
export function logEntry(
  record: RequestRecord,
  sources: RowSources & { readonly logBodies: boolean },
  fits: (bytes: number) => boolean,
): LogEntry {
  const extra = sources.logBodies ? bodyBytes(record) : 0;
  if (extra === 0) return entryOf(logRow(record, wholeBodies, sources), noBody, noBody, 0);
  const requestBody = record.requestBody === undefined ? noBody : [record.requestBody];
  const { responseBody } = record;
  const facts = { requestCut: isCut(requestBody), responseCut: isCut(responseBody), dropped: false };
  const entry = entryOf(logRow(record, facts, sources), requestBody, responseBody, extra);
  if (fits(entry.bytes)) return entry;
  return entryOf(logRow(record, { ...wholeBodies, dropped: true }, sources), noBody, noBody, 0);
}

/** Made anew each time a batch is sent: `room` holds the bodies of one batch. */
export function encodeBatch(entries: readonly LogEntry[], room: BodyRoom): EncodedBatch {
  room.begin();
  let values = "";
  const data: string[] = [];
  const bodies: CapturedBodies[] = [];
  for (const { row, requestBody, responseBody } of entries) {
    const index = data.length;
    values = index === 0 ? row.values : `${values},${row.values}`;
    data.push(row.data);
    if (requestBody.length === 0 && responseBody.length === 0) continue;
    bodies.push({ index, request: copyBody(requestBody, room), response: copyBody(responseBody, room) });
  }
  return { values: `[${values}]`, data, bodies };
}

function entryOf(
  row: LogRow,
  requestBody: readonly Uint8Array[],
  responseBody: readonly Uint8Array[],
  bodiesBytes: number,
): LogEntry {
  // Two bytes per character, as soon as one of them needs it.
  const bytes = entryBytes + 2 * (row.values.length + row.data.length) + bodiesBytes;
  return { row, bytes, requestBody, responseBody };
}
