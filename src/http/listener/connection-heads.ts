// The heads of the requests on one connection. A client sends the same one again and again: recognized, it need not be read.

import { headText } from "../../http1/head-bytes.ts";
import { HeadCollector } from "../../http1/head-collector.ts";
import { lengthIn, parseRequestHead, type RequestHead, requestHeadReader } from "./request-head.ts";

/** What a connection keeps of its last head; clients that send more headers than that are few. */
const maxKnownBytes = 4_096;

const nothing = new Uint8Array(0);

export class ConnectionHeads {
  /** The last one that came at once, and its text before and behind the digits of its content-length. */
  #known: RequestHead | undefined;
  #before = "";
  #after = "";
  /** One that comes in pieces. */
  #collector: HeadCollector<RequestHead> | undefined;
  /** Where the head that was read last begins, and behind it what came along with it. */
  bytes: Uint8Array = nothing;

  /**
   * The next head, undefined until its end has arrived. One that differs from the last one in the value of its content-length at most is the same object
   * with another `contentLength`. Throws what `parseRequestHead` throws.
   */
  read(bytes: Uint8Array): RequestHead | undefined {
    if (this.#collector !== undefined) return this.#collect(this.#collector, bytes);
    this.bytes = bytes;
    const known = this.#known;
    if (known !== undefined && this.#comesAgain(known, bytes)) return known;
    const head = parseRequestHead(bytes, 0);
    if (head === undefined) this.#collector = new HeadCollector(requestHeadReader);
    else this.#remember(head);
    return this.#collector === undefined ? head : this.#collect(this.#collector, bytes);
  }

  /** Lets go of what has arrived. */
  forget(): void {
    this.#collector = undefined;
    this.bytes = nothing;
  }

  #collect(collector: HeadCollector<RequestHead>, bytes: Uint8Array): RequestHead | undefined {
    const head = collector.push(bytes);
    this.bytes = collector.bytes;
    return head;
  }

  #comesAgain(known: RequestHead, bytes: Uint8Array): boolean {
    const { lengthStart, lengthEnd, end } = known;
    if (bytes.length < end) return false;
    const text = headText(bytes, 0, end);
    if (!text.startsWith(this.#before) || !text.endsWith(this.#after)) return false;
    if (lengthEnd > 0) {
      const contentLength = lengthIn(bytes, lengthStart, lengthEnd);
      if (contentLength === undefined) return false;
      known.contentLength = contentLength;
    }
    known.headers.comeAgain();
    return true;
  }

  #remember(head: RequestHead): void {
    const { text, lengthStart, lengthEnd, end } = head;
    this.#known = end <= maxKnownBytes ? head : undefined;
    if (this.#known === undefined) return;
    // Without the one content-length that may differ, the whole head has to be the same.
    this.#before = lengthEnd === 0 ? text : text.slice(0, lengthStart);
    this.#after = lengthEnd === 0 ? "" : text.slice(lengthEnd);
  }
}
