// Parts of bytes are what the same parts joined at once are, wherever they are cut.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { EditedBytes, wholeBytes } from "./edited-bytes.ts";

const part = fc.oneof(fc.tuple(fc.nat(100), fc.nat(100)), fc.string({ unit: "binary", maxLength: 40 }));
const source = Uint8Array.from({ length: 100 }, (_, index) => index);

test("what is kept and added comes out in order, in pieces of any size", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), fc.nat(9), (parts, room, at) => {
      const edited = new EditedBytes(source);
      const expected: number[] = [];
      for (const each of parts) {
        if (typeof each === "string") {
          edited.add(each);
          expected.push(...new TextEncoder().encode(each));
        } else {
          edited.keep(Math.min(...each), Math.max(...each));
          expected.push(...source.subarray(Math.min(...each), Math.max(...each)));
        }
      }
      expect(edited.length).toBe(expected.length);
      expect([...wholeBytes(edited)]).toEqual(expected);

      const pieces: number[] = [];
      while (pieces.length < expected.length) {
        const target = new Uint8Array(at + room);
        const copied = edited.copyTo(target, at, pieces.length);
        expect(copied).toBe(Math.min(room, expected.length - pieces.length));
        pieces.push(...target.subarray(at, at + copied));
      }
      expect(pieces).toEqual(expected);
      expect(edited.copyTo(new Uint8Array(room), 0, expected.length)).toBe(0);
    }),
    { numRuns: 2000 },
  );
});

test("bytes without edits are themselves", () => {
  expect(wholeBytes(source)).toBe(source);
});
