import { expect, test } from "bun:test";
import { joinBytes, partOf } from "./byte-pieces.ts";

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index % 251);

test.each([1, 1000, 1001, 70_000])("a part of %d bytes is those bytes", (length) => {
  const source = bytes(length + 10);
  expect(Buffer.from(partOf(source, 7, 7 + length)).equals(Buffer.from(source.subarray(7, 7 + length)))).toBe(true);
});

test("a part that is all is the source itself", () => {
  const source = bytes(5000);
  expect(partOf(source, 0, 5000)).toBe(source);
});

test("pieces are put together in their order, and a single one stays itself", () => {
  const piece = bytes(3);
  expect(joinBytes([piece])).toBe(piece);
  expect(joinBytes([bytes(2), bytes(0), bytes(3)])).toEqual(Uint8Array.from([0, 1, 0, 1, 2]));
  expect(joinBytes([])).toEqual(new Uint8Array(0));
});
