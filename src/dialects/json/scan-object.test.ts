// The scanner against JSON.parse on good, damaged and hostile input.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { maxJsonDepth, scanObject } from "./scan-object.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function scan(text: string, maxDepth = maxJsonDepth): ReturnType<typeof scanObject> {
  return scanObject(bytesOf(text), maxDepth);
}

/** The members as JSON.parse would see them. */
function valuesOf(bytes: Uint8Array): (readonly [string, unknown])[] | "problem" {
  const members = scanObject(bytes, maxJsonDepth);
  if ("message" in members) return "problem";
  return members.map((member) => {
    expect(JSON.parse(decoder.decode(bytes.subarray(member.keyStart, member.keyEnd)))).toBe(member.key);
    return [member.key, JSON.parse(decoder.decode(bytes.subarray(member.valueStart, member.valueEnd)))];
  });
}

function isJsonObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe("members", () => {
  test("are given in order with their exact places", () => {
    const text = ' { "a" : 1 ,\n"é\\u0062":[{"a":"}"}],"a":null}\r\n';
    expect(scan(text)).toEqual([
      { key: "a", keyStart: 3, keyEnd: 6, valueStart: 9, valueEnd: 10 },
      { key: "éb", keyStart: 13, keyEnd: 23, valueStart: 24, valueEnd: 35 },
      { key: "a", keyStart: 36, keyEnd: 39, valueStart: 40, valueEnd: 44 },
    ]);
  });

  test("an empty object has none", () => {
    expect(scan("{}")).toEqual([]);
    expect(scan(" {\t} ")).toEqual([]);
  });

  test.each([
    ['{"__proto__":1,"constructor":2}', ["__proto__", "constructor"]],
    ['{"":1}', [""]],
    [`{"${"k".repeat(40)}":1}`, ["k".repeat(40)]],
    ['{"\\ud800":1}', ["\ud800"]],
  ])("%s is read as it is", (text, keys) => {
    const members = scan(text);
    expect("message" in members ? members : members.map((member) => member.key)).toEqual(keys);
  });
});

describe("problems", () => {
  test.each([
    ["", "syntax", 0],
    ["  ", "syntax", 2],
    ["[1]", "not-object", 0],
    [' "x"', "not-object", 1],
    ["12", "not-object", 0],
    ["{", "syntax", 1],
    ['{"a"', "syntax", 4],
    ['{"a":', "syntax", 5],
    ['{"a":1', "syntax", 6],
    ['{"a":1,', "syntax", 7],
    ['{"a":1,}', "syntax", 7],
    ['{"a":1 "b":2}', "syntax", 7],
    ["{a:1}", "syntax", 1],
    ["{'a':1}", "syntax", 1],
    ['{"a":01}', "syntax", 6],
    ['{"a":1.}', "syntax", 7],
    ['{"a":.5}', "syntax", 5],
    ['{"a":+1}', "syntax", 5],
    ['{"a":1e}', "syntax", 7],
    ['{"a":-}', "syntax", 6],
    ['{"a":NaN}', "syntax", 5],
    ['{"a":nul}', "syntax", 8],
    ['{"a":True}', "syntax", 5],
    ['{"a":"x', "syntax", 7],
    ['{"a":"\n"}', "syntax", 6],
    ['{"a":"\\x"}', "syntax", 7],
    ['{"a":"\\u12g4"}', "syntax", 10],
    ['{"a":[1,]}', "syntax", 8],
    ['{"a":[1}', "syntax", 7],
    ['{"a":{]}', "syntax", 6],
    ['{"a":1}x', "syntax", 7],
    ['{"a":1}{}', "syntax", 7],
    ['{"a":1 // no\n}', "syntax", 7],
    ['{"a"\u00a0:1}', "syntax", 4],
    ["\u{FEFF}{}", "syntax", 0],
  ] as const)("%p", (text, kind, offset) => {
    expect(scan(text)).toMatchObject({ kind, offset });
  });

  test.each([
    ["a stray continuation byte", [0x80]],
    ["an overlong form", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
    ["a cut sequence", [0xe2, 0x82]],
  ])("invalid UTF-8, %s, is refused with its place", (_name, bad) => {
    const bytes = new Uint8Array([...bytesOf('{"a":"é'), ...bad, ...bytesOf('"}')]);
    expect(scanObject(bytes, maxJsonDepth)).toMatchObject({ kind: "syntax", message: "invalid UTF-8" });
    const problem = scanObject(bytes, maxJsonDepth);
    expect("message" in problem && problem.offset >= 8 && problem.offset <= 9).toBe(true);
  });
});

describe("depth", () => {
  test("256 levels pass and 257 do not", () => {
    const nested = (levels: number): string => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(scan(nested(256))).toHaveLength(1);
    expect(scan(nested(257))).toMatchObject({ kind: "too-deep", offset: 5 + 255 });
  });

  test("a hundred thousand levels are answered at once", () => {
    for (const text of [`{"a":${"[".repeat(100_000)}`, '{"a":'.repeat(100_000)]) {
      const begun = performance.now();
      expect(scan(text)).toMatchObject({ kind: "too-deep" });
      expect(performance.now() - begun).toBeLessThan(100);
    }
  });

  test("ten megabytes of empty objects take well under a second", () => {
    const bytes = bytesOf(`{"a":[${"{},".repeat(3_300_000)}{}]}`);
    const begun = performance.now();
    expect(scanObject(bytes, maxJsonDepth)).toHaveLength(1);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});

describe("like JSON.parse", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.string({ minLength: 20, maxLength: 90 }),
  );
  const objects = fc.dictionary(texts, fc.jsonValue({ stringUnit: "grapheme" }), { maxKeys: 6 });

  test("2000 generated objects have the same members", () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(valuesOf(bytesOf(text))).toEqual(Object.entries(JSON.parse(text)));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  test("15000 damaged texts are accepted exactly when JSON.parse accepts them", () => {
    const samples = [
      '{"model":"gpt-4o","n":-1.5e+3,"a":[true,false,null,{}],"s":"\\u00e9\\n\\"x\\\\ and a longer text with é in it"}',
      '{"a":{"b":{"c":[1,2,[3,4,{"d":"e"}]]}}, "f" : 0.0 ,"g":"","h":1E5}',
    ].map(bytesOf);
    const pool = bytesOf('{}[]",:\\u0123456789eE+-.tfn \t\n\r\u0000\u001fé');
    const damage = fc.record({
      sample: fc.constantFrom(...samples),
      at: fc.nat(200),
      remove: fc.nat(3),
      insert: fc.array(fc.constantFrom(...pool), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(damage, ({ sample, at, remove, insert }) => {
        const start = at % sample.length;
        const bytes = new Uint8Array([...sample.subarray(0, start), ...insert, ...sample.subarray(start + remove)]);
        expect("message" in scanObject(bytes, maxJsonDepth)).toBe(!isJsonObject(bytes));
      }),
      { numRuns: 15_000, seed: 2 },
    );
  });

  test("strings of every length end where they end", () => {
    for (let length = 0; length < 80; length++) {
      for (const tail of ["", "\\n", "é", '\\"', "\\\\"]) {
        const text = `{"a":"${"x".repeat(length)}${tail}","b":"y"}`;
        expect(valuesOf(bytesOf(text))).toEqual(Object.entries(JSON.parse(text)));
        expect(scan(`{"a":"${"x".repeat(length)}\u0001${"x".repeat(20)}"}`)).toMatchObject({ offset: 6 + length });
      }
    }
  });
});
