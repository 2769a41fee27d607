// Rows that wait to be sent, as bytes outside the heap: what waits in it grows old there and makes collections dear.

import type { LogRow } from "./log-row.ts";

/** The two texts of a row, one behind the other in a page that it shares with its neighbours. */
export interface RowBytes {
  readonly page: Buffer;
  readonly start: number;
  /** Where `values` ends and `data` begins. */
  readonly middle: number;
  readonly end: number;
}

/** Room for about fifty usual rows; a longer row has a page of its own. */
const pageBytes = 65_536;
/** UTF-8 bytes that a UTF-16 unit becomes at most. */
const bytesPerUnit = 3;

/** Takes rows one after the other. A page is never written again: it goes when the last of its rows does. */
export class RowPages {
  #page = Buffer.allocUnsafeSlow(0);
  #used = 0;

  add({ values, data }: LogRow): RowBytes {
    const most = bytesPerUnit * (values.length + data.length);
    if (this.#page.length - this.#used < most) {
      this.#page = Buffer.allocUnsafeSlow(Math.max(pageBytes, most));
      this.#used = 0;
    }
    const page = this.#page;
    const start = this.#used;
    const middle = start + page.write(values, start);
    const end = middle + page.write(data, middle);
    this.#used = end;
    return { page, start, middle, end };
  }
}
