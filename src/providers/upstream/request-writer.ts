// Writes one request to a wire, as much at a time as the wire takes.

import type { RenderedHead } from "./request-head.ts";
import type { Wire } from "./wire.ts";

// Shared by all connections: what a write does not take is copied out before the next one.
const scratch = Buffer.alloc(64 * 1024);
const lengthName = "content-length: ";
/** Name and digits of the length, its line end, the blank line. */
const roomForLength = lengthName.length + 24;

/** Head and body leave in one write when both fit into 64 kB, so that a small call costs one system call. */
export class RequestWriter {
  /** Not begun. */
  #next: RenderedHead | undefined;
  #head: Uint8Array | undefined;
  #body: Uint8Array | undefined;
  #offset = 0;
  /** Bytes of this request may have reached the other side. */
  sent = false;

  /** Whether the whole request has been taken by the wire. */
  get finished(): boolean {
    return this.#next === undefined && this.#head === undefined && this.#body === undefined;
  }

  /** The next request, in place of whatever was left of the last one. */
  take(head: RenderedHead, body: Uint8Array | undefined): void {
    this.sent = false;
    this.#next = head;
    this.#head = undefined;
    this.#body = body;
    this.#offset = 0;
  }

  /** Writes what there is room for. False when the wire is closed. */
  write(wire: Wire): boolean {
    const head = this.#next;
    if (head === undefined) return this.#proceed(wire);
    const body = this.#body;
    this.#next = undefined;
    this.#body = undefined;
    const bodyLength = body?.length ?? 0;
    const headRoom = head.bytes.length + head.callLines.length + roomForLength;
    const joined = headRoom + bodyLength <= scratch.length;
    const room = joined ? scratch : Buffer.allocUnsafe(headRoom);
    room.set(head.bytes);
    let length = head.bytes.length;
    length += room.write(head.callLines, length, "latin1");
    if (head.takesLength) {
      length += room.write(lengthName, length, "latin1");
      length = writeLength(room, length, bodyLength);
    } else {
      room[length++] = 13;
      room[length++] = 10;
    }
    if (!joined) {
      this.#head = room.subarray(0, length);
      this.#body = body;
      return this.#proceed(wire);
    }
    if (body !== undefined) {
      scratch.set(body, length);
      length += bodyLength;
    }
    const taken = wire.write(scratch, 0, length);
    if (taken > 0) this.sent = true;
    if (taken >= 0 && taken < length) this.#head = scratch.slice(taken, length);
    return taken >= 0;
  }

  #proceed(wire: Wire): boolean {
    for (;;) {
      const part = this.#head ?? this.#body;
      if (part === undefined) return true;
      const left = part.length - this.#offset;
      const taken = left === 0 ? 0 : wire.write(part, this.#offset, left);
      if (taken < 0) return false;
      if (taken > 0) this.sent = true;
      this.#offset += taken;
      if (taken < left) return true;
      this.#offset = 0;
      if (this.#head !== undefined) this.#head = undefined;
      else this.#body = undefined;
    }
  }
}

/** Decimal digits, line end, blank line; the index after them. */
function writeLength(target: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let rest = Math.floor(value / 10); rest > 0; rest = Math.floor(rest / 10)) end++;
  let rest = value;
  for (let index = end - 1; index >= at; index--) {
    target[index] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  target[end] = 13;
  target[end + 1] = 10;
  target[end + 2] = 13;
  target[end + 3] = 10;
  return end + 4;
}
