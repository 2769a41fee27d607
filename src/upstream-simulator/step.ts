// What a connection can be made to do, as data: an answer is a list of steps.

/** A plan that runs out of steps leaves the connection open for the next request. */
export type Step =
  /** One write. */
  | { readonly do: "write"; readonly bytes: Uint8Array }
  /** Each piece in its own write, with a turn of the event loop in between. */
  | { readonly do: "pieces"; readonly pieces: readonly Uint8Array[] }
  /** A piece at every beat of the ticker that all streams of this pace share. */
  | { readonly do: "paced"; readonly everyMs: number; readonly pieces: readonly Uint8Array[] }
  | { readonly do: "wait"; readonly ms: number }
  /** The same bytes again and again, for ever. */
  | { readonly do: "repeat"; readonly everyMs: number; readonly bytes: Uint8Array }
  /** The same bytes for ever, as fast as the reader takes them. */
  | { readonly do: "flood"; readonly bytes: Uint8Array }
  /** Closes the sending side (FIN); the socket itself closes when the peer does. */
  | { readonly do: "fin" }
  /** Aborts the connection (RST, through SO_LINGER 0). */
  | { readonly do: "reset" }
  /** Nothing more, for ever. */
  | { readonly do: "hang" }
  /** Stays open, and is reset as soon as the peer sends anything more: a pooled connection that is dead already. */
  | { readonly do: "expire" };

/** Text is encoded as UTF-8. */
export type Bytes = string | Uint8Array;

/** Joins the parts. */
export function bytesOf(...parts: readonly Bytes[]): Uint8Array {
  const encoded = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  return encoded.length === 1 && encoded[0] !== undefined ? encoded[0] : Buffer.concat(encoded);
}

export const write = (...parts: readonly Bytes[]): Step => ({ do: "write", bytes: bytesOf(...parts) });
export const pieces = (parts: readonly Bytes[]): Step => ({ do: "pieces", pieces: parts.map((part) => bytesOf(part)) });
export const paced = (everyMs: number, parts: readonly Bytes[]): Step => ({
  do: "paced",
  everyMs,
  pieces: parts.map((part) => bytesOf(part)),
});
export const wait = (ms: number): Step => ({ do: "wait", ms });
export const repeat = (everyMs: number, bytes: Bytes): Step => ({ do: "repeat", everyMs, bytes: bytesOf(bytes) });
export const flood = (bytes: Bytes): Step => ({ do: "flood", bytes: bytesOf(bytes) });
export const fin: Step = { do: "fin" };
export const hang: Step = { do: "hang" };
export const expire: Step = { do: "expire" };

/** A reset overtakes bytes that the peer has not read yet, so what was written before it is given this long. */
const resetDelayMs = 20;

/** RST after everything written so far had time to be read. */
export const resetAfterData: readonly Step[] = [wait(resetDelayMs), { do: "reset" }];
/** RST at once. */
export const reset: Step = { do: "reset" };
