// The matcher against a plain search in the whole text, in any pieces.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { StopMatcher } from "./stop-matcher.ts";

function passed(sequences: readonly string[], pieces: readonly string[]): { text: string; stopped: boolean } {
  const matcher = new StopMatcher(sequences);
  const text = pieces.map((piece) => matcher.take(piece)).join("") + matcher.release();
  return { text, stopped: matcher.stopped };
}

test.each([
  [["STOP"], ["one STOP two"], "one ", true],
  [["STOP"], ["one S", "T", "OP two"], "one ", true],
  [["STOP"], ["one S", "T", "AR"], "one STAR", false],
  [["\n\n"], ["a\n", "b\n", "\nc"], "a\nb", true],
  [["aab"], ["aaa", "ab"], "aa", true],
  [["b", "abc"], ["abc"], "a", true],
  [["c", "bc"], ["abc"], "a", true],
  [["x", "y"], ["no"], "no", false],
  [["STOP"], ["ST"], "ST", false],
  [["", "x"], ["axb"], "a", true],
  [["x"], ["xy"], "", true],
  [["🙂"], ["a\ud83d", "\ude42b"], "a", true],
] as const)("%j in %j", (sequences, pieces, text, stopped) => {
  expect(passed(sequences, pieces)).toEqual({ text, stopped });
});

test("20000 generated texts are cut at the same place whatever pieces they come in", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 });
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 4 }), pieces, (sequences, parts) => {
      const whole = parts.join("");
      let expected = whole;
      const real = sequences.filter((sequence) => sequence !== "");
      // The shortest beginning of the text that ends in a sequence is where the text would have stopped.
      for (let length = 0; length <= whole.length; length++) {
        const hits = real.filter((sequence) => whole.slice(0, length).endsWith(sequence));
        if (hits.length === 0) continue;
        expected = whole.slice(0, length - Math.max(...hits.map((sequence) => sequence.length)));
        break;
      }
      expect(passed(sequences, parts).text).toBe(expected);
    }),
    { numRuns: 20_000, seed: 4 },
  );
});
