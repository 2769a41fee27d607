// A mark is found where the runtime's own search finds it.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { ByteMark } from "./byte-mark.ts";

test("in any bytes and from any place, found where the whole text is", () => {
  const marks = ['"extra_content"', '"thinking"', '"id"', "__", "a_a", '""', "aab"];
  const part = fc.oneof(
    fc.constantFrom(...marks),
    fc.constantFrom("_", '_content"', "a", '"', "thinking", "é"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...marks), fc.array(part, { maxLength: 8 }), fc.nat(40), (text, parts, from) => {
      const bytes = Buffer.from(parts.join(""));
      const start = Math.min(from, bytes.length);
      const mark = new ByteMark(text);
      expect(mark.indexIn(bytes, start)).toBe(bytes.indexOf(text, start));
      expect(mark.isIn(bytes)).toBe(bytes.includes(text));
    }),
    { numRuns: 3000 },
  );
});
