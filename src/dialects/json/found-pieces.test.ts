import { describe, expect, test } from "bun:test";
import { FoundPieces } from "./found-pieces.ts";

/** The strings one after the other, as JSON, with what stands between them in a stream. */
function piecesOf(...texts: readonly string[]): FoundPieces {
  const encoder = new TextEncoder();
  const written = texts.map((text) => encoder.encode(JSON.stringify(text)));
  const between = encoder.encode("{}\n\n");
  const pieces = new FoundPieces(new Uint8Array(written.flatMap((json) => [...between, ...json])));
  let at = 0;
  for (const { length } of written) {
    at += between.length;
    pieces.add(at + 1, at + length - 1);
    at += length;
  }
  return pieces;
}

describe("pieces of JSON strings", () => {
  test.each([
    [["a"]],
    [["one", " two", " Grüße 🙂"]],
    [['"', "\\", "\n\u0001", "back\\"]],
    [["\ud83d", "\ude42"]],
    [["x".repeat(3000), "ü".repeat(3000), "z"]],
  ])("say what they said alone, and together: %j", (texts) => {
    const pieces = piecesOf(...texts);
    expect(texts.map((_text, index) => pieces.textOf(index))).toEqual(texts);
    expect(pieces.text()).toBe(texts.join(""));
    expect(pieces.text()).toBe(texts.join(""));
  });

  test("are counted, and copied as they are", () => {
    const pieces = piecesOf("ü\n", "y".repeat(300));
    const target = new Uint8Array(400);
    const end = pieces.copy(1, target, pieces.copy(0, target, 1));
    expect([pieces.count, pieces.length, end]).toEqual([2, 304, 305]);
    expect(new TextDecoder().decode(target.subarray(1, end))).toBe(`ü\\n${"y".repeat(300)}`);
  });
});
