// Pieces of a streamed text as a provider's JSON has them, to go on into other JSON without being read.

/** Strings of JSON, without their quotes: valid, none of them empty. */
export interface JsonPieces {
  readonly count: number;
  /** Of all of them together, in bytes. */
  readonly length: number;
  /** What one of them says. */
  textOf(index: number): string;
  /** What they say one after the other. */
  text(): string;
  /** Puts the bytes of one into `target`, where there must be room; gives the end. */
  copy(index: number, target: Uint8Array, at: number): number;
}
