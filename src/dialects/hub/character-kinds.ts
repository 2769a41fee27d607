// What kind of character each UTF-16 unit is, as far as vocabularies of models treat them alike.

/** Digits and signs are ASCII's; `mark`: joiners, variation selectors and accents that stand alone. */
export const kinds = {
  space: 0,
  lineEnd: 1,
  lower: 2,
  upper: 3,
  digit: 4,
  sign: 5,
  accented: 6,
  alphabet: 7,
  semitic: 8,
  dense: 9,
  ideograph: 10,
  kana: 11,
  hangul: 12,
  pair: 13,
  secondOfPair: 14,
  mark: 15,
  symbol: 16,
} as const;

/** Everything else is a symbol. First and last unit of each range; later ones win (https://www.unicode.org/Public/UNIDATA/Blocks.txt). */
const ranges: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x00, 0x7f, kinds.sign],
  [0x61, 0x7a, kinds.lower],
  [0x41, 0x5a, kinds.upper],
  [0x30, 0x39, kinds.digit],
  [0x20, 0x20, kinds.space],
  [0x09, 0x09, kinds.space],
  [0xa0, 0xa0, kinds.space],
  [0x0a, 0x0a, kinds.lineEnd],
  [0x0d, 0x0d, kinds.lineEnd],
  [0xc0, 0x24f, kinds.accented],
  [0x1e00, 0x1eff, kinds.accented],
  [0x370, 0x58f, kinds.alphabet],
  [0x10a0, 0x10ff, kinds.alphabet],
  [0x1f00, 0x1fff, kinds.alphabet],
  [0x590, 0x8ff, kinds.semitic],
  [0xfb1d, 0xfdff, kinds.semitic],
  [0xfe70, 0xfefc, kinds.semitic],
  [0x900, 0x109f, kinds.dense],
  [0x1200, 0x1dff, kinds.dense],
  [0x3040, 0x30ff, kinds.kana],
  [0x31f0, 0x31ff, kinds.kana],
  [0xff66, 0xff9f, kinds.kana],
  [0x3400, 0x4dbf, kinds.ideograph],
  [0x4e00, 0x9fff, kinds.ideograph],
  [0xf900, 0xfaff, kinds.ideograph],
  [0xac00, 0xd7ff, kinds.hangul],
  [0x1100, 0x11ff, kinds.hangul],
  [0x3130, 0x318f, kinds.hangul],
  [0xd800, 0xdbff, kinds.pair],
  [0xdc00, 0xdfff, kinds.secondOfPair],
  [0x300, 0x36f, kinds.mark],
  [0x200b, 0x200f, kinds.mark],
  [0xfe00, 0xfe0f, kinds.mark],
  [0xfeff, 0xfeff, kinds.mark],
];

/** By UTF-16 unit. */
export const kindOfUnit: Uint8Array = new Uint8Array(0x10000).fill(kinds.symbol);
for (const [first, last, kind] of ranges) kindOfUnit.fill(kind, first, last + 1);
