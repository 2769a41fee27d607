// Bodies of neighbouring requests compressed together, for they repeat each other: instructions, tools, the conversation so far.

import type { Database } from "bun:sqlite";
import { latin1Text } from "./bytes-text.ts";
import { redactedBody } from "./redaction.ts";

/** Cheapest level: bodies are written far more often than read. What repeats costs it a tenth of what is new. */
const compressionLevel = 1;

/** A block takes no further body after so many bytes: the compressor looks no farther back, and whoever wants one body unpacks all. */
const blockBytes = 524_288;

/** The bodies of one row in a block: the row's position in its batch, and bytes; undefined for no body. */
interface BlockEntry {
  readonly index: number;
  readonly request: number | undefined;
  readonly response: number | undefined;
}

/** Compressed bodies of consecutive rows. */
export interface BodyBlock {
  readonly entries: readonly BlockEntry[];
  readonly packed: Uint8Array;
}

/** Row id and bytes of both bodies, -1 for none, in the order in which they lie in the block. */
type StoredEntry = readonly [id: number, request: number, response: number];

/** Takes the bodies of a batch row by row, with the values of credential fields replaced. */
export class BlockBuilder {
  readonly #blocks: BodyBlock[] = [];
  #entries: BlockEntry[] = [];
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** Bodies as `latin1Text`. */
  add(index: number, request: CheckedBody | undefined, response: CheckedBody | undefined): void {
    if (request === undefined && response === undefined) return;
    const entry = { index, request: this.#piece(request), response: this.#piece(response) };
    this.#entries.push(entry);
    if (this.#bytes >= blockBytes) this.#close();
  }

  blocks(): readonly BodyBlock[] {
    this.#close();
    return this.#blocks;
  }

  #piece(body: CheckedBody | undefined): number | undefined {
    if (body === undefined) return undefined;
    const redacted = redactedBody(body.text);
    // Nearly never: everything else is stored as it came.
    const piece = redacted === body.text ? body.bytes : Buffer.from(redacted, "latin1");
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    return piece.length;
  }

  #close(): void {
    if (this.#entries.length === 0) return;
    const packed = Bun.zstdCompressSync(joined(this.#pieces, this.#bytes), { level: compressionLevel });
    this.#blocks.push({ entries: this.#entries, packed });
    this.#entries = [];
    this.#pieces = [];
    this.#bytes = 0;
  }
}

/** Used again for every block: new memory for each costs more than what is copied into it. */
let joiningRoom = new Uint8Array();

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  if (joiningRoom.length < bytes) joiningRoom = new Uint8Array(Math.max(bytes, 2 * blockBytes));
  let at = 0;
  for (const piece of pieces) {
    joiningRoom.set(piece, at);
    at += piece.length;
  }
  return joiningRoom.subarray(0, bytes);
}

/** A body and the same as one character per byte, in which things are searched for. */
export interface CheckedBody {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export function checkedBody(bytes: Uint8Array | undefined): CheckedBody | undefined {
  return bytes === undefined ? undefined : { bytes, text: latin1Text(bytes) };
}

/** `ids`: of the rows of the batch by position; a row without one was not stored. Gives the bytes that the block takes. */
export function insertBlock(sqlite: Database, block: BodyBlock, ids: readonly (number | undefined)[]): number {
  const entries = block.entries.map(({ index, request, response }): StoredEntry => [
    ids[index] ?? 0,
    request ?? -1,
    response ?? -1,
  ]);
  const stored = entries.map(([id]) => id).filter((id) => id > 0);
  const first = stored[0];
  if (first === undefined) return 0;
  const text = JSON.stringify(entries);
  const size = block.packed.length + text.length;
  sqlite
    .query("INSERT INTO body_blocks (first_id, last_id, size, entries, packed) VALUES (?, ?, ?, ?, ?)")
    .run(first, stored.at(-1) ?? first, size, text, block.packed);
  return size;
}

/** The bodies of one row in a stored block; undefined when it has none there. */
export function bodiesIn(
  block: { readonly entries: string; readonly packed: Uint8Array },
  id: number,
): { readonly request: string | undefined; readonly response: string | undefined } | undefined {
  const entries: readonly StoredEntry[] = JSON.parse(block.entries);
  let start = 0;
  for (const [entryId, request, response] of entries) {
    const middle = start + Math.max(0, request);
    const end = middle + Math.max(0, response);
    if (entryId === id) {
      const bytes = Bun.zstdDecompressSync(Buffer.from(block.packed));
      const part = (length: number, from: number): string | undefined =>
        length < 0 ? undefined : new TextDecoder().decode(bytes.subarray(from, from + length));
      return { request: part(request, start), response: part(response, middle) };
    }
    start = end;
  }
  return undefined;
}

/** Removes the blocks of these rows of which no row is left any more; gives the bytes that they took. */
export function deleteLeftBlocks(sqlite: Database, ids: string): number {
  const removed = sqlite
    .query<{ size: number }, [string]>(
      `DELETE FROM body_blocks
       WHERE first_id IN (SELECT (SELECT max(first_id) FROM body_blocks WHERE first_id <= value) FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM requests WHERE id BETWEEN first_id AND last_id)
       RETURNING size`,
    )
    .all(ids);
  return removed.reduce((sum, { size }) => sum + size, 0);
}
