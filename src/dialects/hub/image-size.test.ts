// Sizes of images as their files tell them: whole small files that are widely known, and headers written by hand from the formats.

import { Buffer } from "node:buffer";
import { describe, expect, test } from "bun:test";
import { imageSize, type ImageSize } from "./image-size.ts";

function base64(...pieces: readonly (string | readonly number[])[]): string {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, "latin1"))).toString("base64");
}

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];
/** A segment of a JPEG with `length` bytes that mean nothing here. */
const segment = (marker: number, length: number): number[] => [
  0xff,
  marker,
  (length + 2) >> 8,
  (length + 2) & 0xff,
  ...Array<number>(length).fill(0xff),
];
/** Precision 8, height 1080, width 1920, three components. */
const frame = (marker: number): number[] => [
  0xff,
  marker,
  0,
  17,
  8,
  0x04,
  0x38,
  0x07,
  0x80,
  3,
  1,
  0x22,
  0,
  2,
  0x11,
  1,
  3,
  0x11,
  1,
];
const webp = (kind: string, data: readonly number[]): string =>
  base64("RIFF", [0, 0, 0, 0], "WEBP", kind, [0, 0, 0, 0], data);

describe("the size of", () => {
  test.each<[string, string, ImageSize]>([
    [
      "the smallest PNG",
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      { width: 1, height: 1 },
    ],
    ["the smallest GIF", "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", { width: 1, height: 1 }],
    ["the smallest lossy WebP", "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", { width: 1, height: 1 }],
    ["a PNG", base64(png, "IHDR", [0, 0, 0x07, 0x80, 0, 0, 0x04, 0x38]), { width: 1920, height: 1080 }],
    ["a GIF", base64("GIF89a", [0x40, 0x01, 0xc8, 0x00]), { width: 320, height: 200 }],
    ["a lossless WebP", webp("VP8L", [0x2f, 0x7f, 0xc7, 0x0d, 0, 0, 0, 0, 0, 0]), { width: 1920, height: 56 }],
    ["an extended WebP", webp("VP8X", [0, 0, 0, 0, 0x7f, 0x07, 0, 0x37, 0x04, 0]), { width: 1920, height: 1080 }],
    ["a JPEG", base64([0xff, 0xd8], segment(0xe0, 14), frame(0xc0)), { width: 1920, height: 1080 }],
    [
      "a progressive JPEG behind tables",
      base64([0xff, 0xd8], segment(0xc4, 30), frame(0xc2)),
      { width: 1920, height: 1080 },
    ],
    [
      "a JPEG behind 120 kB of metadata and stuffing",
      base64([0xff, 0xd8], segment(0xe1, 60_000), segment(0xe2, 60_000), [0xff, 0xff], frame(0xc0)),
      { width: 1920, height: 1080 },
    ],
  ])("%s", (_, file, size) => {
    expect(imageSize(file)).toEqual(size);
  });
});

describe("unknown is the size of", () => {
  test.each([
    ["nothing", ""],
    ["what is no base64", "~~~~"],
    ["a PNG that is cut", base64(png, "IHDR", [0, 0])],
    ["a PNG of no width", base64(png, "IHDR", [0, 0, 0, 0, 0, 0, 0, 9])],
    ["a JPEG without a frame", base64([0xff, 0xd8], segment(0xe0, 14))],
    ["a JPEG whose segments are out of step", base64([0xff, 0xd8], segment(0xe0, 14), [0, 1], frame(0xc0))],
    ["a JPEG with 400 kB before its frame", base64([0xff, 0xd8], ...Array(7).fill(segment(0xe1, 60_000)), frame(0xc0))],
    ["a WebP of a kind to come", webp("VP9Z", Array<number>(20).fill(1))],
    ["a BMP", base64("BM", Array<number>(60).fill(1))],
  ])("%s", (_, file) => {
    expect(imageSize(file)).toBeUndefined();
  });
});
