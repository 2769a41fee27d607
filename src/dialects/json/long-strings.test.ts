// Long strings end, and break, where the same strings do byte by byte.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLongStrings, type LongStrings } from "./long-strings.ts";
import { ValueScan } from "./value-scan.ts";

const longStrings = createLongStrings();
if (longStrings === undefined) throw new Error("this machine has no vectors of sixteen bytes");

/** What scanning the string at the start of `bytes` comes to. */
function scanned(bytes: Uint8Array, strings: LongStrings | null): unknown {
  const scan = new ValueScan(bytes, 4, strings);
  const end = scan.value(0);
  return end < 0 ? scan.problem : end;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("a string of any bytes", () => {
  const plain = fc.string({ unit: "binary-ascii", maxLength: 60 }).map((text) => text.replaceAll(/["\\\0-\x1f]/g, "-"));
  const escape = fc.constantFrom('\\"', "\\\\", "\\/", "\\n", "\\u00e9", "\\uABCD", "é", "日本語", "😀");
  const broken = fc.constantFrom("\\x", "\\u00g0", "\\u12", "\n", "\0", "\x1f", "\\", '"');
  const pieces = fc.array(fc.oneof({ weight: 6, arbitrary: plain }, { weight: 6, arbitrary: escape }, broken));

  test("3000 generated ones end as byte by byte, and are strings when JSON.parse says so", () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom('"', ""), (parts, close) => {
        const text = `"${parts.join("")}${close}`;
        const bytes = new TextEncoder().encode(text);
        const end = scanned(bytes, longStrings);
        expect(end).toEqual(scanned(bytes, null));
        // White space may follow a string in JSON, and is none of it.
        expect(end === bytes.length).toBe(isJson(text) && text.endsWith('"'));
      }),
      { numRuns: 3000 },
    );
  });

  test.each(["\\n", '\\"', "\\u00e9", "\\u00e9\\u00e9", "é", "\n", "\\x", "\\u00g0"])(
    "%j is what it is at every place around the end of what is looked at together",
    (special) => {
      // The window begins where a string counts as long, and again where it ended.
      for (const windows of [1, 2]) {
        for (let before = -10; before <= 50; before++) {
          const bytes = new TextEncoder().encode(`"${"a".repeat(windows * 130_736 + before)}${special}aaa"`);
          expect(scanned(bytes, longStrings)).toEqual(scanned(bytes, null));
        }
      }
    },
  );

  test("each byte value is told from the others at every place of sixteen", () => {
    for (let value = 0; value < 256; value++) {
      for (let place = 40; place < 57; place++) {
        const bytes = new Uint8Array(80).fill(0x61);
        bytes[0] = bytes[79] = 0x22;
        bytes[place] = value;
        expect(scanned(bytes, longStrings)).toEqual(scanned(bytes, null));
      }
    }
  });
});

describe("backslashes", () => {
  test("each byte value behind one is told from the others at every place of sixteen", () => {
    for (let value = 0; value < 256; value++) {
      for (let place = 40; place < 57; place++) {
        const bytes = new Uint8Array(80).fill(0x61);
        bytes[0] = bytes[79] = 0x22;
        bytes[place] = 0x5c;
        bytes[place + 1] = value;
        expect(scanned(bytes, longStrings)).toEqual(scanned(bytes, null));
      }
    }
  });

  test("in runs of every length, begun at every place of sixteen, escape a quote or do not", () => {
    for (let count = 0; count < 50; count++) {
      for (let before = 33; before < 49; before++) {
        for (const behind of ['"', 'n"', 'u00e9"', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"', ""]) {
          const bytes = new TextEncoder().encode(`"${"a".repeat(before)}${"\\".repeat(count)}${behind}`);
          expect(scanned(bytes, longStrings)).toEqual(scanned(bytes, null));
        }
      }
    }
  });
});

test("bytes that changed since the last scan, and scans at the same time, are seen as they are", () => {
  const one = new TextEncoder().encode(`"${"a".repeat(100)}"   `);
  const other = new TextEncoder().encode(`"${"b".repeat(120)}"`);
  const first = new ValueScan(one, 4, longStrings);
  expect(first.value(0)).toBe(102);
  const second = new ValueScan(other, 4, longStrings);
  expect(second.value(0)).toBe(122);
  expect(first.value(0)).toBe(102);
  one[101] = 0x61;
  one[104] = 0x22;
  expect(new ValueScan(one, 4, longStrings).value(0)).toBe(105);
});

test("without such instructions there is no such thing", () => {
  expect(createLongStrings(() => new Uint8Array([0x00, 0x61, 0x73, 0x6d, 9, 9, 9, 9]))).toBeUndefined();
});
