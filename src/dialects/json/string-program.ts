// The inner loop over the bytes of a JSON string as WebAssembly, for sixteen bytes at a time are what JavaScript cannot do.

/** Flag of a byte, of which the first 256 bytes of the memory are a table. */
export const hexDigit = 1;

const int32 = 0x7f;
const vector = 0x7b;

// Positions of the parameter and of the locals behind it.
const at = 0;
const bytes = 1;
/** One bit per byte, as in all that follow: what ends the walk through these sixteen. */
const stops = 2;
const backslashes = 3;
/** 1: the first byte belongs to a backslash of the sixteen before. */
const carry = 4;
const escaped = 5;
const sum = 6;
const byte = 7;

type Code = readonly number[];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
/** -64 to 63: one byte. */
const small = (value: number): Code => [0x41, value & 0x7f];
/** Up to 20 bits: three bytes. */
const constant = (value: number): Code => [0x41, (value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14];
/** The byte behind an address. */
const load = (offset: number): Code => [0x2d, 0, offset];
const loadVector = (offset: number): Code => [0xfd, 0x00, 0, offset];
const vectorOf = (values: readonly number[]): Code => [0xfd, 0x0c, ...values];
const sixteenTimes = (value: number): Code => vectorOf(Array<number>(16).fill(value));
/** For each byte the one of the vector below it that it is the number of. */
const lookUp: Code = [0xfd, 0x0e];
const equalBytes: Code = [0xfd, 0x23];
const differentBytes: Code = [0xfd, 0x24];
const smallerBytes: Code = [0xfd, 0x26];
const andVectors: Code = [0xfd, 0x4e];
const orVectors: Code = [0xfd, 0x50];
const shiftBytesRight: Code = [0xfd, 0x6d];
/** One bit per byte. */
const bitsOf: Code = [0xfd, 0x64];
/** 1: there is one. */
const anyBit: Code = [0xfd, 0x53];
const isZero: Code = [0x45];
const equal: Code = [0x46];
const trailingZeros: Code = [0x68];
const add: Code = [0x6a];
const and: Code = [0x71];
const or: Code = [0x72];
const exclusiveOr: Code = [0x73];
const shiftLeft: Code = [0x74];
const shiftRight: Code = [0x76];
const not: Code = [...small(-1), ...exclusiveOr];
const loop: Code = [0x03, 0x40];
const block: Code = [0x02, 0x40];
/** The innermost block. */
const leaveIf: Code = [0x0d, 0];
const when: Code = [0x04, 0x40];
const end: Code = [0x0b];
const giveBack: Code = [0x0f];
/** To the start of the loop so many blocks outside. */
const again = (depth: number): Code => [0x0c, depth];

const moveBy = (length: number): Code => [...get(at), ...constant(length), ...add, ...set(at)];
const flagsBehind = (offset: number): Code => [...get(at), ...load(offset), ...load(0)];

/** Which bytes may follow a backslash alone: those of which both halves, looked up, have a bit in common. */
const shortEscapes = '"\\/bfnrt';
const highHalves = [2, 5, 6, 7];
const byHighHalf = Array.from({ length: 16 }, (_, half) =>
  highHalves.includes(half) ? 1 << highHalves.indexOf(half) : 0,
);
const byLowHalf = Array.from({ length: 16 }, (_, half) =>
  Array.from(shortEscapes, (character) => character.charCodeAt(0))
    .filter((code) => (code & 15) === half)
    .reduce((bits, code) => bits | (byHighHalf[code >> 4] ?? 0), 0),
);

/**
 * Sets `escaped` and the next `carry`: the bytes behind a backslash that is not itself behind one. Runs of backslashes that begin at an odd place are
 * added to all of them, which carries a bit behind their ends (G. Langdale, D. Lemire, "Parsing Gigabytes of JSON per Second", 3.1.1).
 */
const findEscaped: Code = [
  ...[...get(backslashes), ...get(carry), ...not, ...and, ...tee(backslashes)],
  ...[...small(1), ...shiftLeft, ...get(carry), ...or, ...set(escaped)],
  ...[...get(backslashes), ...constant(0xaaaa), ...and, ...get(escaped), ...not, ...and],
  ...[...get(backslashes), ...add, ...tee(sum)],
  ...[...small(1), ...shiftLeft, ...constant(0x5555), ...exclusiveOr, ...get(escaped), ...and],
  ...[...constant(0xffff), ...and, ...set(escaped)],
  ...[...get(sum), ...small(16), ...shiftRight, ...set(carry)],
];

const shortEscapeBits: Code = [
  ...[...vectorOf(byLowHalf), ...get(bytes), ...sixteenTimes(15), ...andVectors, ...lookUp],
  ...[...vectorOf(byHighHalf), ...get(bytes), ...small(4), ...shiftBytesRight, ...lookUp],
  ...[...andVectors, ...sixteenTimes(0), ...differentBytes, ...bitsOf],
];

/** Which of sixteen bytes behind an address are a quote or a control character, and which a backslash. */
const stopsOf: Code = [
  ...[...get(bytes), ...sixteenTimes(0x22), ...equalBytes],
  ...[...get(bytes), ...sixteenTimes(0x20), ...smallerBytes, ...orVectors],
];
const backslashesOf: Code = [...get(bytes), ...sixteenTimes(0x5c), ...equalBytes];

/** Whether any of 64 bytes is one of them. */
const anyOf64: Code = [
  ...[0, 16, 32, 48].flatMap((offset) => [
    ...[...get(at), ...loadVector(offset), ...set(bytes)],
    ...[...stopsOf, ...backslashesOf, ...orVectors, ...(offset === 0 ? [] : orVectors)],
  ]),
  ...anyBit,
];

/** Sets `stops`: what is escaped ends nothing, but it has to be one of those that may be. Without a branch, for none could be foreseen. */
const findStops: Code = [
  ...[...get(at), ...loadVector(0), ...set(bytes)],
  ...[...stopsOf, ...bitsOf, ...set(stops)],
  ...[...backslashesOf, ...bitsOf, ...set(backslashes)],
  ...findEscaped,
  ...[...get(stops), ...get(escaped), ...not, ...and],
  ...[...get(escaped), ...shortEscapeBits, ...not, ...and, ...or],
  ...tee(stops),
];

/** `skip(at)`: the address behind the closing quote of the string that `at` is in, or the complement of that of the first byte that does not belong to it. */
const skip: Code = [
  ...loop,
  ...[...anyOf64, ...get(carry), ...or, ...isZero],
  ...[...when, ...moveBy(64), ...again(1), ...end],
  ...block,
  ...[0, 16, 32, 48].flatMap(() => [...findStops, ...leaveIf, ...moveBy(16)]),
  ...again(1),
  ...end,
  // To the first of them.
  ...[
    ...get(escaped),
    ...get(stops),
    ...trailingZeros,
    ...tee(sum),
    ...shiftRight,
    ...small(1),
    ...and,
    ...set(escaped),
  ],
  ...[...get(at), ...get(sum), ...add, ...tee(at), ...load(0), ...set(byte)],
  ...[...small(0), ...set(carry)],
  ...[...get(escaped), ...when],
  // A `u` and four hexadecimal digits, or no escape at all.
  ...[...get(byte), ...constant(0x75), ...equal],
  ...[...flagsBehind(1), ...flagsBehind(2), ...and, ...flagsBehind(3), ...and, ...flagsBehind(4), ...and],
  ...[...small(hexDigit), ...and, ...and],
  ...[...when, ...moveBy(5), ...again(2), ...end],
  ...[...get(at), ...small(-1), ...add, ...not, ...giveBack],
  ...end,
  ...[...get(byte), ...constant(0x22), ...equal],
  ...[...when, ...get(at), ...small(1), ...add, ...giveBack, ...end],
  ...end,
  ...[...get(at), ...not],
  ...end,
];

/** A module that imports the memory `own.memory` and exports `skip`. */
export function stringProgram(): Uint8Array<ArrayBuffer> {
  const own = named("own");
  const locals = [2, 1, vector, 6, int32];
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
