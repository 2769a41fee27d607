import { expect, test } from "bun:test";
import { readByteSize } from "./byte-size.ts";

const bounds = { min: 1024, max: 100 * 1024 ** 2, allowed: "1K to 100M are allowed" };

test.each([
  ["1024", 1024],
  ["2048B", 2048],
  ["1K", 1024],
  ["1KB", 1024],
  ["10M", 10_485_760],
  ["10mb", 10_485_760],
  ["100M", 104_857_600],
])("%s is %d bytes", (text, bytes) => {
  expect(readByteSize(text, bounds)).toEqual({ value: bytes });
});

test.each(["1023", "101M", "1G"])("%s is out of bounds", (text) => {
  expect(readByteSize(text, bounds)).toEqual({ complaint: "is out of bounds; 1K to 100M are allowed" });
});

test.each(["", "M", "1.5M", "-1", "10 M", "10MiB", "10T", "ten"])("%p is no size", (text) => {
  expect(readByteSize(text, bounds)).toEqual({
    complaint: "is not a size; write a number of bytes with K, M or G, for example 10M",
  });
});
