// From records to what is posted to the database thread: one JSON text for the rows, copies of the bodies beside it.

import type { RequestRecord } from "../core/record.ts";
import type { BodyRoom } from "./body-room.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import { bodyBytes, copyBody, isCut } from "./captured-bodies.ts";
import type { LogRow, RowSources } from "./log-row.ts";
import { logRow } from "./log-row.ts";

/** A record that waits, with what was decided about it when it came. */
export interface LogEntry {
  readonly record: RequestRecord;
  /** Estimate of what it keeps in memory. */
  readonly bytes: number;
  readonly bodies: "stored" | "not-logged" | "dropped";
}

export interface EncodedBatch {
  /** JSON array of `LogRow | null`. */
  readonly rows: string;
  /** In the room that was given. */
  readonly bodies: readonly CapturedBodies[];
  /** One message per record that could not be turned into a row. */
  readonly unreadable: readonly string[];
}

/** Rough size of a record without headers, bodies and error texts. */
const recordBytes = 2_048;

/** When there is no room for a record with its bodies, the bodies go before the row does. */
export function logEntry(
  record: RequestRecord,
  settings: { readonly logBodies: boolean; readonly logHeaders: boolean },
  fits: (bytes: number) => boolean,
): LogEntry {
  const bytes = recordBytes + textBytes(record, settings.logHeaders);
  const extra = bodyBytes(record);
  if (extra === 0) return { record, bytes, bodies: "not-logged" };
  if (!settings.logBodies) return { record: withoutBodies(record), bytes, bodies: "not-logged" };
  if (fits(bytes + extra)) return { record, bytes: bytes + extra, bodies: "stored" };
  return { record: withoutBodies(record), bytes, bodies: "dropped" };
}

/** Made anew each time a batch is sent: `room` holds the bodies of one batch. */
export function encodeBatch(entries: readonly LogEntry[], sources: RowSources, room: BodyRoom): EncodedBatch {
  room.begin();
  const rows: (LogRow | null)[] = [];
  const bodies: CapturedBodies[] = [];
  const unreadable: string[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined) continue;
    try {
      const { row, captured } = encodeEntry(entry, index, sources, room);
      rows.push(row);
      if (captured !== undefined) bodies.push(captured);
    } catch (error) {
      rows.push(null);
      unreadable.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { rows: JSON.stringify(rows), bodies, unreadable };
}

function encodeEntry(
  entry: LogEntry,
  index: number,
  sources: RowSources,
  room: BodyRoom,
): { row: LogRow; captured: CapturedBodies | undefined } {
  const { record } = entry;
  if (entry.bodies !== "stored") {
    const dropped = entry.bodies === "dropped";
    return { row: logRow(record, { requestCut: false, responseCut: false, dropped }, sources), captured: undefined };
  }
  const requestPieces = record.requestBody === undefined ? [] : [record.requestBody];
  const facts = { requestCut: isCut(requestPieces), responseCut: isCut(record.responseBody), dropped: false };
  return {
    row: logRow(record, facts, sources),
    captured: { index, request: copyBody(requestPieces, room), response: copyBody(record.responseBody, room) },
  };
}

function withoutBodies(record: RequestRecord): RequestRecord {
  return { ...record, requestBody: undefined, responseBody: [] };
}

function textBytes(record: RequestRecord, logHeaders: boolean): number {
  let characters = (record.requestedModel?.length ?? 0) + (record.failure?.message.length ?? 0);
  for (const turn of record.turns) {
    for (const attempt of turn.attempts) characters += 256 + (attempt.failure?.message.length ?? 0);
  }
  if (logHeaders) characters += headerCharacters(record.requestHeaders) + headerCharacters(record.responseHeaders);
  return 2 * characters;
}

function headerCharacters(headers: Readonly<Record<string, string>> | undefined): number {
  let characters = 0;
  for (const name in headers) characters += name.length + (headers[name]?.length ?? 0);
  return characters;
}
