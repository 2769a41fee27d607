import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FoundPieces } from "../json/found-pieces.ts";
import { EventOutput, type PieceFrame } from "./event-output.ts";

const encoder = new TextEncoder();

function piecesOf(texts: readonly string[]): FoundPieces {
  const written = texts.map((text) => encoder.encode(JSON.stringify(text)));
  const pieces = new FoundPieces(new Uint8Array(written.flatMap((json) => [...json])));
  let at = 0;
  for (const { length } of written) {
    pieces.add(at + 1, at + length - 1);
    at += length;
  }
  return pieces;
}

function expected(texts: readonly string[], { before, number, behind }: PieceFrame): string {
  return texts
    .map((text, index) => {
      const counted = number === undefined ? "" : `${number.first + index}${number.behind}`;
      return `${before}${counted}${JSON.stringify(text).slice(1, -1)}${behind}`;
    })
    .join("");
}

const frames = fc.record(
  {
    before: fc.string({ unit: "grapheme", maxLength: 400 }),
    number: fc.record({ first: fc.integer({ min: 0, max: 1_000_000_000_000 }), behind: fc.string() }),
    behind: fc.string({ unit: "grapheme" }),
  },
  { requiredKeys: ["before", "behind"] },
);
const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 300 });

describe("what is written", () => {
  test("comes out in order, text and pieces alike", () => {
    const part = fc.oneof(
      fc.record({ texts, frame: frames }),
      fc.string({ unit: "grapheme" }).map((text) => ({ text })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const out = new EventOutput();
        let written = "";
        for (const one of parts) {
          if ("text" in one) out.write(one.text);
          else out.writePieces(piecesOf(one.texts), one.frame);
          written += "text" in one ? one.text : expected(one.texts, one.frame);
        }
        expect(new TextDecoder().decode(out.take())).toBe(written);
        expect(out.take()).toBeUndefined();
      }),
      { numRuns: 300, seed: 20_261_130 },
    );
  });

  test("is whole when there is more of it than a room holds", () => {
    const frame: PieceFrame = { before: "b".repeat(200), number: { first: 9, behind: "," }, behind: "e".repeat(100) };
    const many = Array.from({ length: 2000 }, (_, index) => `piece ${index}`);
    const out = new EventOutput();
    out.write("begun ");
    out.writePieces(piecesOf(many), frame);
    out.write(" ended");
    expect(new TextDecoder().decode(out.take())).toBe(`begun ${expected(many, frame)} ended`);
    out.write("next");
    expect(new TextDecoder().decode(out.take())).toBe("next");
  });

  test("stays what it is when others write later", () => {
    const frame: PieceFrame = { before: "<", behind: ">" };
    const [first, second] = [new EventOutput(), new EventOutput()];
    first.writePieces(piecesOf(["one"]), frame);
    const taken = first.take();
    second.writePieces(piecesOf(["another"]), frame);
    second.take();
    expect(new TextDecoder().decode(taken)).toBe("<one>");
  });

  test("of two at once is refused instead of mixed", () => {
    const frame: PieceFrame = { before: "<", behind: ">" };
    const [first, second] = [new EventOutput(), new EventOutput()];
    first.writePieces(piecesOf(["one"]), frame);
    second.writePieces(piecesOf(["two"]), frame);
    expect(() => first.writePieces(piecesOf(["three"]), frame)).toThrow("at once");
  });

  test("is nothing when there are no pieces", () => {
    const out = new EventOutput();
    out.writePieces(piecesOf([]), { before: "<", behind: ">" });
    expect(out.take()).toBeUndefined();
  });
});
