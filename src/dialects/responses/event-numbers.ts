// Knows the number of the next event of a relayed stream, and keeps the numbers without a gap where an event was left out.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { RelayAssembly } from "../sse/relay-assembly.ts";
import { sequenceNumberIn } from "./sequence-number.ts";
import type { SequenceNumber } from "./sequence-number.ts";

const encoder = new TextEncoder();

/**
 * One per stream. Where no event has a number each counts as the next one; where others have, one without (`keepalive`) counts as none. Only the last
 * number of a chunk is looked for.
 */
export class EventNumbers {
  #next = 0;
  #isNumbered = false;
  /** The events that were not looked at yet, and where they lie. */
  #count = 0;
  #start = 0;
  #end = 0;
  /** How far the numbers of what comes are above those that the caller gets. */
  #shift = 0;
  #leftOut = 0;

  /** Of what was looked at so far. */
  get next(): number {
    return this.#next;
  }

  /** Adds the event, with the number that follows the last one's. */
  relay(bytes: Uint8Array, start: number, end: number, relay: RelayAssembly): void {
    if (this.#leftOut > 0) this.#closeGap(sequenceNumberIn(bytes, start, end));
    if (this.#shift > 0) return this.#relayShifted(bytes, start, end, relay);
    relay.include(start, end);
    if (this.#count === 0) this.#start = start;
    this.#count++;
    this.#end = end;
  }

  /** The same for bytes that are one event; it is not counted. */
  renumbered(event: Uint8Array): Uint8Array {
    const number = sequenceNumberIn(event, 0, event.length);
    if (this.#leftOut > 0) this.#closeGap(number);
    return number === undefined ? event : withNumber(event, number, number.value - this.#shift);
  }

  /** An event was not relayed. It may have had a number or not: the next one tells. */
  leftOut(bytes: Uint8Array): void {
    this.chunkEnds(bytes);
    this.#leftOut++;
  }

  /** Positions in `bytes` end to mean anything, so the last number is looked for. */
  chunkEnds(bytes: Uint8Array): void {
    if (this.#count === 0) return;
    const last = sequenceNumberIn(bytes, this.#start, this.#end);
    if (last !== undefined) {
      this.#next = last.value - this.#shift + 1;
      this.#isNumbered = true;
    } else if (!this.#isNumbered) this.#next += this.#count;
    this.#count = 0;
  }

  /** Its number is noted here: where it stood is written over. */
  #relayShifted(bytes: Uint8Array, start: number, end: number, relay: RelayAssembly): void {
    const number = sequenceNumberIn(bytes, start, end);
    if (number === undefined) return relay.include(start, end);
    const value = number.value - this.#shift;
    relay.include(start, number.start);
    relay.append(encoder.encode(String(value)));
    relay.include(number.end, end);
    this.#next = value + 1;
    this.#isNumbered = true;
    this.#count = 0;
  }

  #closeGap(number: SequenceNumber | undefined): void {
    if (number === undefined) return;
    const gap = number.value - this.#shift - this.#next;
    this.#shift += Math.max(0, Math.min(gap, this.#leftOut));
    this.#leftOut = 0;
  }
}

/** A whole event with that number where it had another one; without any it stays as it is. */
export function numbered(event: Uint8Array, value: number): Uint8Array {
  const number = sequenceNumberIn(event, 0, event.length);
  return number === undefined ? event : withNumber(event, number, value);
}

function withNumber(event: Uint8Array, number: SequenceNumber, value: number): Uint8Array {
  if (number.value === value) return event;
  return joinBytes([event.subarray(0, number.start), encoder.encode(String(value)), event.subarray(number.end)]);
}
