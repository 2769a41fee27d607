// Bodies are copied whole up to their limit and never cut inside a character.

import { describe, expect, test } from "bun:test";
import { copyBody, isCut, maxBodyBytes } from "./captured-bodies.ts";

const encoder = new TextEncoder();

test("pieces become one body of their own", () => {
  const source = encoder.encode("xhello");
  const copy = copyBody([source.subarray(1, 3), source.subarray(3)]);
  source.fill(0);
  expect(new TextDecoder().decode(copy)).toBe("hello");
});

test("no bytes are no body", () => {
  expect(copyBody([])).toBeUndefined();
  expect(copyBody([new Uint8Array()])).toBeUndefined();
});

describe("a body beyond one megabyte", () => {
  test("of exactly the limit is whole", () => {
    const body = new Uint8Array(maxBodyBytes).fill(65);
    expect(copyBody([body])?.length).toBe(maxBodyBytes);
    expect(isCut([body])).toBe(false);
    expect(isCut([body, new Uint8Array(1)])).toBe(true);
  });

  test.each([
    ["ä", 2],
    ["€", 3],
    ["😀", 4],
  ])("ends before a %s that would be halved, at each of its bytes", (character, width) => {
    for (let inside = 1; inside < width; inside++) {
      const text = "a".repeat(maxBodyBytes - inside) + character;
      const copy = copyBody([encoder.encode(text)]);
      expect(copy?.length).toBe(maxBodyBytes - inside);
    }
    const whole = copyBody([encoder.encode("a".repeat(maxBodyBytes - width) + character + "a")]);
    expect(whole?.length).toBe(maxBodyBytes);
  });

  test("that is no text is cut at the limit", () => {
    expect(copyBody([new Uint8Array(maxBodyBytes + 10).fill(0x80)])?.length).toBe(maxBodyBytes);
  });
});
