import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RepeatedEvent } from "./repeated-event.ts";

const eventOf = (text: string): string => `{"type":"delta","index":0,"delta":{"text":${JSON.stringify(text)}},"n":1}`;

function learnt(): RepeatedEvent {
  const repeated = new RepeatedEvent();
  repeated.learn(eventOf("first"), "text", "first");
  return repeated;
}

describe("an event framed like the one learnt", () => {
  test.each(["", "word", " Grüße 🙂", 'a "quoted" one', "back\\slash", "line\nend", "\u0001", "\ud800"])(
    "gives its text %p",
    (text) => {
      expect(learnt().textOf(eventOf(text))).toBe(text);
    },
  );

  test("gives any text as a parser would", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(learnt().textOf(eventOf(text))).toBe(text);
      }),
      { seed: 20_261_130, numRuns: 2000 },
    );
  });
});

describe("what is left to the parser", () => {
  test.each([
    ["another frame", '{"type":"delta","index":1,"delta":{"text":"a"},"n":1}'],
    ["a second member with the same end", '{"type":"delta","index":0,"delta":{"text":"a","text":"b"},"n":1}'],
    ["another type", '{"type":"delta","index":0,"delta":{"text":7},"n":1}'],
    ["an object that ends in a string", '{"type":"delta","index":0,"delta":{"text":"a","b":{"c":"d"}},"n":1}'],
    ["a broken escape", '{"type":"delta","index":0,"delta":{"text":"\\x"},"n":1}'],
    ["an open string", '{"type":"delta","index":0,"delta":{"text":"},"n":1}'],
    ["a control character", '{"type":"delta","index":0,"delta":{"text":"a\u0001"},"n":1}'],
    ["an escaped last quote", '{"type":"delta","index":0,"delta":{"text":"a\\"},"n":1}'],
  ])("is %s", (_what, event) => {
    expect(learnt().textOf(event)).toBeUndefined();
  });

  test("is everything as long as nothing was learnt, or when the key stands there twice", () => {
    expect(new RepeatedEvent().textOf(eventOf("a"))).toBeUndefined();
    const repeated = new RepeatedEvent();
    repeated.learn('{"text":"a","delta":{"text":"a"}}', "text", "a");
    expect(repeated.textOf('{"text":"a","delta":{"text":"b"}}')).toBeUndefined();
  });
});

describe("members that nobody reads", () => {
  const numbered = (sequence: string, text: string, noise: string): string =>
    `{"type":"delta","sequence_number":${sequence},"delta":${JSON.stringify(text)},"obfuscation":${noise}}`;
  const learntNumbered = (): RepeatedEvent => {
    const repeated = new RepeatedEvent({ numbers: ["sequence_number", "created"], strings: ["obfuscation"] });
    repeated.learn(numbered("9", "first", '"x7"'), "delta", "first");
    return repeated;
  };

  test.each([
    ["10", '""'],
    ["0", '"a\\"b"'],
    ["123456", '"abcdef"'],
  ])("may differ: number %s, string %s", (sequence, noise) => {
    expect(learntNumbered().textOf(numbered(sequence, "next", noise))).toBe("next");
  });

  test.each([
    ["a number that no parser takes", numbered("07", "next", '"x"')],
    ["a number with a fraction", numbered("7.5", "next", '"x"')],
    ["no number", numbered("", "next", '"x"')],
    ["a string in the place of the number", numbered('"7"', "next", '"x"')],
    ["another type in the place of the string", numbered("7", "next", "null")],
    ["a string that no parser takes", numbered("7", "next", '"\\x"')],
    ["a control character in the string", numbered("7", "next", '"\u0001"')],
    ["more behind the event", `${numbered("7", "next", '"x"')} `],
  ])("leave the event to the parser: %s", (_what, event) => {
    expect(learntNumbered().textOf(event)).toBeUndefined();
  });

  test("are fixed where they stand twice", () => {
    const repeated = new RepeatedEvent({ numbers: ["n"] });
    const twice = (first: number, text: string): string => `{"n":${first},"delta":"${text}","in":{"n":1}}`;
    repeated.learn(twice(1, "a"), "delta", "a");
    expect(repeated.textOf(twice(1, "b"))).toBe("b");
    expect(repeated.textOf(twice(2, "b"))).toBeUndefined();
  });
});

test("a key whose name ends in an escaped quote is not taken for the one looked for", () => {
  const repeated = new RepeatedEvent();
  repeated.learn('{"my\\"text":"a"}', "text", "a");
  expect(repeated.textOf('{"my\\"text":"b"}')).toBeUndefined();
});

test("whatever is told without a parser is what a parser tells", () => {
  const pieces = fc.array(fc.constantFrom('"', "\\", "a", "}", "{", ",", ":", '"text":', "\n", "\\u0041"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const event = `{"type":"delta","index":0,"delta":{"text":${parts.join("")}},"n":1}`;
      const told = learnt().textOf(event);
      if (told !== undefined)
        expect(JSON.parse(event)).toEqual({ type: "delta", index: 0, delta: { text: told }, n: 1 });
    }),
    { seed: 1, numRuns: 20_000 },
  );
});
