// Edits in the bytes against the same edits on parsed values, and everything else untouched.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editObject } from "./edit-object.ts";
import type { JsonEdit } from "./edit-object.ts";
import { maxJsonDepth, scanObject } from "./scan-object.ts";

function edited(text: string, ...edits: JsonEdit[]): string {
  const bytes = new TextEncoder().encode(text);
  const members = scanObject(bytes, maxJsonDepth);
  if ("message" in members) throw new Error(members.message);
  return new TextDecoder().decode(editObject(bytes, members, edits));
}

const set = (key: string, json: string): JsonEdit => ({ kind: "set", key, json });
const remove = (key: string): JsonEdit => ({ kind: "remove", key });
const rename = (key: string, to: string): JsonEdit => ({ kind: "rename", key, to });

describe("one edit", () => {
  test.each([
    ["set in place", '{ "a" : 1, "b":2 }', set("a", '"é"'), '{ "a" : "é", "b":2 }'],
    ["set the last", '{"a":1,"b":2 }', set("b", "{}"), '{"a":1,"b":{} }'],
    ["set a new one", '{"a":1 }\n', set("b", "2"), '{"a":1,"b":2 }\n'],
    ["set in an empty object", " { } ", set("b", "2"), ' {"b":2 } '],
    ["set both of two", '{"a":1,"b":0,"a":2}', set("a", "3"), '{"a":3,"b":0,"a":3}'],
    ["remove the first", '{ "a":1 , "b":2}', remove("a"), '{ "b":2}'],
    ["remove one between", '{"a":1, "b":2, "c":3}', remove("b"), '{"a":1, "c":3}'],
    ["remove the last", '{"a":1, "b":2 }', remove("b"), '{"a":1 }'],
    ["remove the only one", '{ "a":1 }', remove("a"), "{  }"],
    ["remove both of two", '{"a":1,"b":2,"a":3}', remove("a"), '{"b":2}'],
    ["remove none", '{"a":1}', remove("x"), '{"a":1}'],
    ["rename", '{"a" : [1],"b":2}', rename("a", "c"), '{"c" : [1],"b":2}'],
    ["rename to a name that is taken", '{"a":1,"b":2}', rename("a", "b"), '{"b":2}'],
    ["rename none", '{"a":1}', rename("x", "y"), '{"a":1}'],
    ["find a key that is spelled with escapes", '{"\\u0061":1,"b":2}', set("a", "3"), '{"\\u0061":3,"b":2}'],
  ] as const)("%s", (_name, before, edit, after) => {
    expect(edited(before, edit)).toBe(after);
  });
});

test("nothing to change gives the bytes themselves", () => {
  const bytes = new TextEncoder().encode('{"a":1}');
  const members = scanObject(bytes, maxJsonDepth);
  if ("message" in members) throw new Error(members.message);
  expect(editObject(bytes, members, [remove("b"), rename("c", "d"), rename("a", "a")])).toBe(bytes);
});

test("edits of one key are made in order", () => {
  expect(edited('{"a":1,"z":0}', rename("a", "b"), set("b", "2"), set("c", "3"), remove("z"), rename("c", "d"))).toBe(
    '{"b":2,"d":3}',
  );
  expect(edited('{"a":1}', remove("a"), set("a", "2"))).toBe('{"a":2}');
  expect(edited('{"a":1}', set("b", "2"), remove("b"), remove("a"))).toBe("{}");
});

test("4000 generated edits give what the same edits on the parsed object give", () => {
  const key = fc.constantFrom<string[]>("a", "b", "c", "model", "é");
  const edit: fc.Arbitrary<JsonEdit> = fc.oneof(
    fc.record({ kind: fc.constant("set" as const), key, json: fc.json({ maxDepth: 1 }) }),
    fc.record({ kind: fc.constant("remove" as const), key }),
    fc.record({ kind: fc.constant("rename" as const), key, to: key }),
  );
  const object = fc.uniqueArray(fc.tuple(key, fc.json({ maxDepth: 1 })), { selector: ([name]) => name, maxLength: 5 });
  const space = fc.constantFrom("", " ", "\n  ");
  fc.assert(
    fc.property(object, fc.array(edit, { maxLength: 4 }), space, (members, edits, gap) => {
      const text = `{${gap}${members.map(([name, json]) => `${JSON.stringify(name)}:${gap}${json}`).join(`,${gap}`)}${gap}}`;
      const expected = new Map(members);
      for (const one of edits) {
        if (one.kind === "set") expected.set(one.key, one.json);
        else if (one.kind === "remove") expected.delete(one.key);
        else if (one.key !== one.to) {
          const value = expected.get(one.key);
          expected.delete(one.key);
          if (value !== undefined && !expected.has(one.to)) expected.set(one.to, value);
        }
      }
      const result: unknown = JSON.parse(edited(text, ...edits));
      const wanted = Object.fromEntries([...expected].map(([name, json]) => [name, JSON.parse(json)]));
      expect(result).toEqual(wanted);
    }),
    { numRuns: 4000, seed: 3 },
  );
});
