// Bodies are copied whole up to their limit and never cut inside a character.

import { describe, expect, test } from "bun:test";
import { copyBody, isCut, maxBodyBytes } from "./captured-bodies.ts";
import { SharedRoom } from "./shared-room.ts";

function copied(pieces: readonly Uint8Array[]): Uint8Array | undefined {
  const room = new SharedRoom();
  const place = copyBody(pieces, room);
  return place === undefined ? undefined : room.bytes(place).subarray(place.start, place.end);
}

const encoder = new TextEncoder();

test("pieces become one body of their own", () => {
  const source = encoder.encode("xhello");
  const copy = copied([source.subarray(1, 3), source.subarray(3)]);
  source.fill(0);
  expect(new TextDecoder().decode(copy)).toBe("hello");
});

test("no bytes are no body", () => {
  expect(copied([])).toBeUndefined();
  expect(copied([new Uint8Array()])).toBeUndefined();
});

describe("a body beyond one megabyte", () => {
  test("of exactly the limit is whole", () => {
    const body = new Uint8Array(maxBodyBytes).fill(65);
    expect(copied([body])?.length).toBe(maxBodyBytes);
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
      const copy = copied([encoder.encode(text)]);
      expect(copy?.length).toBe(maxBodyBytes - inside);
    }
    const whole = copied([encoder.encode("a".repeat(maxBodyBytes - width) + character + "a")]);
    expect(whole?.length).toBe(maxBodyBytes);
  });

  test("that is no text is cut at the limit", () => {
    expect(copied([new Uint8Array(maxBodyBytes + 10).fill(0x80)])?.length).toBe(maxBodyBytes);
  });
});
