// The inner loop over the bytes of a JSON string as WebAssembly, for sixteen bytes at a time are what JavaScript cannot do.

/** Flags of a byte, of which the first 256 bytes of the memory are a table. */
export const hexDigit = 1;
/** What may follow a backslash alone. */
export const shortEscape = 2;

const int32 = 0x7f;
const vector = 0x7b;

// Positions of the parameter and of the locals behind it.
const at = 0;
const bytes = 1;
const marks = 2;
const byte = 3;

type Code = readonly number[];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
/** -64 to 63: one byte. */
const small = (value: number): Code => [0x41, value & 0x7f];
/** -8192 to 8191: two bytes. */
const constant = (value: number): Code => [0x41, (value & 0x7f) | 0x80, (value >> 7) & 0x7f];
/** The byte behind an address. */
const load = (offset: number): Code => [0x2d, 0, offset];
const loadVector: Code = [0xfd, 0x00, 0, 0];
const sixteenTimes = (value: number): Code => [0xfd, 0x0c, ...Array<number>(16).fill(value)];
const equalBytes: Code = [0xfd, 0x23];
const smallerBytes: Code = [0xfd, 0x26];
const orVectors: Code = [0xfd, 0x50];
/** One bit per byte. */
const bitsOf: Code = [0xfd, 0x64];
const isZero: Code = [0x45];
const equal: Code = [0x46];
const trailingZeros: Code = [0x68];
const add: Code = [0x6a];
const and: Code = [0x71];
const exclusiveOr: Code = [0x73];
const loop: Code = [0x03, 0x40];
const when: Code = [0x04, 0x40];
const end: Code = [0x0b];
const giveBack: Code = [0x0f];
/** To the start of the loop so many blocks outside. */
const again = (depth: number): Code => [0x0c, depth];

const moveBy = (length: number): Code => [...get(at), ...small(length), ...add, ...set(at)];
const flagsBehind = (offset: number): Code => [...get(at), ...load(offset), ...load(0)];

/** `skip(at)`: the address behind the closing quote of the string that `at` is in, or the complement of that of the first byte that does not belong to it. */
const skip: Code = [
  ...loop,
  // Sixteen bytes: which of them are a quote, a backslash or a control character?
  ...[...get(at), ...loadVector, ...tee(bytes), ...sixteenTimes(0x22), ...equalBytes],
  ...[...get(bytes), ...sixteenTimes(0x5c), ...equalBytes, ...orVectors],
  ...[...get(bytes), ...sixteenTimes(0x20), ...smallerBytes, ...orVectors],
  ...[...bitsOf, ...tee(marks), ...isZero],
  ...[...when, ...moveBy(16), ...again(1), ...end],
  // To the first of them.
  ...[...get(at), ...get(marks), ...trailingZeros, ...add, ...tee(at), ...load(0), ...tee(byte)],
  ...[...constant(0x22), ...equal],
  ...[...when, ...get(at), ...small(1), ...add, ...giveBack, ...end],
  ...[...get(byte), ...constant(0x5c), ...equal],
  ...when,
  ...[...get(at), ...load(1), ...tee(byte), ...load(0), ...small(shortEscape), ...and],
  ...[...when, ...moveBy(2), ...again(2), ...end],
  // A `u` and four hexadecimal digits.
  ...[...get(byte), ...constant(0x75), ...equal],
  ...[...flagsBehind(2), ...flagsBehind(3), ...and, ...flagsBehind(4), ...and, ...flagsBehind(5), ...and],
  ...[...small(hexDigit), ...and, ...and],
  ...[...when, ...moveBy(6), ...again(2), ...end],
  ...end,
  ...end,
  ...[...get(at), ...small(-1), ...exclusiveOr],
  ...end,
];

/** A module that imports the memory `own.memory` and exports `skip`. */
export function stringProgram(): Uint8Array<ArrayBuffer> {
  const own = named("own");
  const locals = [2, 1, vector, 2, int32];
  const body = [...locals, ...skip];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, int32, 1, int32]),
    ...section(2, [1, ...own, ...named("memory"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named("skip"), 0x00, 0]),
    ...section(10, [1, ...size(body.length), ...body]),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...size(content.length), ...content];
}

/** Two bytes, whatever it is. */
function size(length: number): Code {
  return [(length & 0x7f) | 0x80, length >> 7];
}

function named(name: string): Code {
  return [name.length, ...new TextEncoder().encode(name)];
}
