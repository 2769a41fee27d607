// Writes one request to a wire, as much at a time as the wire takes.

import type { OutgoingBytes } from "../../core/edited-bytes.ts";
import type { RenderedHead } from "./request-head.ts";
import type { Wire } from "./wire.ts";

// Shared by all connections: what a write does not take is copied out before the next one.
const scratch = Buffer.alloc(64 * 1024);
// Works on any Uint8Array and makes no view of it.
const { copy: copyBytes } = Buffer.prototype;
const lengthName = "content-length: ";
/** Name and digits of the length, its line end, the blank line. */
const roomForLength = lengthName.length + 24;

/**
 * Head and body leave in one write as far as 64 kB hold them, so that a small call costs one system call. Parts of a body are copied there only; what the wire
 * has no room for is copied again when it has.
 */
export class RequestWriter {
  /** Not begun. */
  #next: RenderedHead | undefined;
  /** What is left of it; undefined when it has been taken. */
  #head: Uint8Array | undefined;
  /** Undefined when it has been taken. */
  #body: OutgoingBytes | undefined;
  /** Bytes of the body that have been taken. */
  #bodyTaken = 0;
  /** Bytes of this request may have reached the other side. */
  sent = false;

  /** Whether the whole request has been taken by the wire. */
  get finished(): boolean {
    return this.#next === undefined && this.#head === undefined && this.#body === undefined;
  }

  /** The next request, in place of whatever was left of the last one. */
  take(head: RenderedHead, body: OutgoingBytes | undefined): void {
    this.sent = false;
    this.#next = head;
    this.#head = undefined;
    this.#body = body === undefined || body.length === 0 ? undefined : body;
    this.#bodyTaken = 0;
  }

  /** Writes what there is room for. False when the wire is closed. */
  write(wire: Wire): boolean {
    const head = this.#next;
    if (head === undefined) return this.#proceed(wire);
    this.#next = undefined;
    const body = this.#body;
    const bodyLength = body?.length ?? 0;
    const headRoom = head.bytes.length + head.callLines.length + roomForLength;
    const room = headRoom <= scratch.length ? scratch : Buffer.allocUnsafe(headRoom);
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
    const filled = body === undefined ? length : length + fill(room, length, body, 0);
    const taken = wire.write(room, 0, filled);
    if (taken < 0) return false;
    if (taken > 0) this.sent = true;
    if (taken < length) this.#head = room.slice(taken, length);
    else this.#took(taken - length);
    return taken < filled || this.#proceed(wire);
  }

  #proceed(wire: Wire): boolean {
    for (;;) {
      const head = this.#head;
      const body = this.#body;
      let length: number;
      let taken: number;
      if (head !== undefined) {
        length = head.length;
        taken = wire.write(head, 0, length);
        if (taken >= 0) this.#head = taken === length ? undefined : head.subarray(taken);
      } else if (body === undefined) {
        return true;
      } else if (body instanceof Uint8Array) {
        length = body.length - this.#bodyTaken;
        taken = wire.write(body, this.#bodyTaken, length);
        this.#took(taken);
      } else {
        length = fill(scratch, 0, body, this.#bodyTaken);
        taken = wire.write(scratch, 0, length);
        this.#took(taken);
      }
      if (taken < 0) return false;
      if (taken > 0) this.sent = true;
      if (taken < length) return true;
    }
  }

  /** So many more bytes of the body; below 0 when the wire is closed. */
  #took(bytes: number): void {
    if (bytes > 0) this.#bodyTaken += bytes;
    if (this.#bodyTaken === (this.#body?.length ?? 0)) this.#body = undefined;
  }
}

/** As much of `body` behind its first `skipped` bytes as fits; gives how many bytes that were. */
function fill(room: Uint8Array, at: number, body: OutgoingBytes, skipped: number): number {
  if (!(body instanceof Uint8Array)) return body.copyTo(room, at, skipped);
  const length = Math.min(body.length - skipped, room.length - at);
  copyBytes.call(body, room, at, skipped, skipped + length);
  return length;
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
