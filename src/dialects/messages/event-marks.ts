// Finds the events of a chunk that are worth parsing: by the name that each has before its data.

import { Buffer } from "node:buffer";
import { ByteMark } from "../json/byte-mark.ts";
import type { PlainJudge } from "../sse/event-scanner.ts";

/** Inside JSON strings a quote is escaped, so these bytes are that key, or a whole string of the same text, which costs a parse and decides nothing. */
const errorKey = new ByteMark('"error"');
/** What nearly every event of an answer begins with: blocks hold the content and nothing that is looked for. */
const blockName = Buffer.from("event: content_block_");

const none = Number.MAX_SAFE_INTEGER;
const nothing = new Uint8Array(0);

/** One per stream; `reset` for every chunk. */
export class EventMarks implements PlainJudge {
  #bytes: Uint8Array = nothing;
  #error = -1;

  reset(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#error = -1;
  }

  /**
   * Whether the event that starts at `start` and has its data between `from` and `to` is a piece of a block and no error. True is certain; only an event
   * whose name is its first line is recognised. Ranges must be asked for in order.
   */
  isPlainBlock(start: number, from: number, to: number): boolean {
    const bytes = this.#bytes;
    for (let index = blockName.length - 1; index >= 0; index--) {
      if (bytes[start + index] !== blockName[index]) return false;
    }
    return this.isPlain(from, to);
  }

  /** Of an event that is known to be a piece of a block. */
  isPlain(from: number, to: number): boolean {
    if (this.#error < from) {
      const at = errorKey.indexIn(this.#bytes, from);
      this.#error = at < 0 ? none : at;
    }
    return this.#error >= to;
  }
}
