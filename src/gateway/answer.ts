// What the gateway gives back for a request that has an answer: pieces to pull, and what goes before them.

import type { Coming } from "../core/later.ts";
import type { UpstreamAnswer } from "../core/provider.ts";
import type { Target } from "../core/target.ts";

/** A committed answer: the status is 200 from here on. */
export interface Answer {
  /** Undefined as long as nobody knows who will answer. */
  readonly target: Target | undefined;
  readonly contentType: string;
  /** `retry-after*` and the rate limits of the provider. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly first: Uint8Array;
  /** `first` is all there is. */
  readonly whole: boolean;
  /** Pieces after `first`; undefined after the last. Never rejects; a break is an error event in the caller's dialect. One call at a time. */
  next(): Uint8Array | undefined | Coming<Uint8Array | undefined>;
  /** Present while turns are going on that end a moment after the caller left; resolves then. Never rejects. */
  readonly settled?: Promise<void> | undefined;
}

/** An answer that came in one piece. */
export class WholeAnswer implements Answer {
  readonly target: Target;
  readonly contentType: string;
  readonly headers: Answer["headers"];
  readonly first: Uint8Array;
  readonly whole = true;

  constructor(target: Target, { reader, headers }: UpstreamAnswer, first: Uint8Array) {
    this.target = target;
    this.contentType = reader.contentType;
    this.headers = headers;
    this.first = first;
  }

  next(): undefined {
    return undefined;
  }
}
