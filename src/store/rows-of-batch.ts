// The rows of a batch in the thread that stores them.

import type { CapturedBodies } from "./captured-bodies.ts";
import type { EncodedBatch } from "./encode-batch.ts";
import type { ColumnsOfRows } from "./insert-rows.ts";
import type { Place, RoomView } from "./shared-room.ts";
import type { RowBodies } from "./write-batch.ts";

/** The column `data` stays where it is: only the database looks at it. */
export function rowsOf({ texts, ends }: EncodedBatch, room: RoomView): ColumnsOfRows {
  const bytes = room.at(texts);
  let start = ends[0] ?? 0;
  const values: ColumnsOfRows["values"] = JSON.parse(bytes.toString("utf8", 0, start));
  const data: Uint8Array[] = [];
  for (let row = 0; row < values.length; row++) {
    const end = ends[row + 1] ?? start;
    data.push(bytes.subarray(start, end));
    start = end;
  }
  return { values, data };
}

export function bodiesOf(bodies: readonly CapturedBodies[], room: RoomView): readonly RowBodies[] {
  const at = (place: Place | undefined): Uint8Array | undefined => (place === undefined ? undefined : room.at(place));
  return bodies.map(({ index, request, response }) => ({ index, request: at(request), response: at(response) }));
}
