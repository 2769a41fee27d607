import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FoundPieces } from "./found-pieces.ts";
import { RepeatedEvent } from "./repeated-event.ts";

const encoder = new TextEncoder();
const eventOf = (text: string): string => `{"type":"delta","index":0,"delta":{"text":${JSON.stringify(text)}},"n":1}`;
const bytesOf = (...events: readonly string[]): Uint8Array =>
  encoder.encode(events.map((event) => `event: delta\ndata: ${event}\n\n`).join(""));

function learnt(): RepeatedEvent {
  return learn(new RepeatedEvent(), eventOf("first"), "text", "first");
}

function learn(repeated: RepeatedEvent, event: string, key: string, text: string): RepeatedEvent {
  const before = bytesOf("{}");
  const bytes = new Uint8Array([...before, ...bytesOf(event)]);
  repeated.learn(bytes, { start: before.length, end: bytes.length }, key, text);
  return repeated;
}

/** Undefined: it is left to the parser. */
function textOf(repeated: RepeatedEvent, event: string): string | undefined {
  return textIn(repeated, bytesOf(event));
}

function textIn(repeated: RepeatedEvent, bytes: Uint8Array): string | undefined {
  const pieces = new FoundPieces(bytes);
  return repeated.take(pieces, 0) === bytes.length ? pieces.text() : undefined;
}

describe("an event framed like the one learnt", () => {
  test.each(["", "word", " Grüße 🙂", 'a "quoted" one', "back\\slash", "line\nend", "\u0001", "\ud800"])(
    "gives its text %p",
    (text) => {
      expect(textOf(learnt(), eventOf(text))).toBe(text);
    },
  );

  test("gives any text as a parser would", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(textOf(learnt(), eventOf(text))).toBe(text);
      }),
      { seed: 20_261_130, numRuns: 2000 },
    );
  });
});

describe("a run of events", () => {
  test("is taken up to the first one that is framed otherwise, empty texts left out", () => {
    const other = '{"type":"delta","index":1,"delta":{"text":"c"},"n":1}';
    const bytes = bytesOf(other, eventOf("a"), eventOf(""), eventOf('"ü"'), other, eventOf("d"));
    const pieces = new FoundPieces(bytes);
    const start = bytesOf(other).length;
    expect(learnt().take(pieces, 0)).toBe(0);
    expect(learnt().take(pieces, start)).toBe(bytesOf(other, eventOf("a"), eventOf(""), eventOf('"ü"')).length);
    expect([pieces.count, pieces.textOf(0), pieces.textOf(1), pieces.text()]).toEqual([2, "a", '"ü"', 'a"ü"']);
  });

  test("ends before an event whose end has not come yet", () => {
    const bytes = bytesOf(eventOf("a"), eventOf("b"));
    for (let cut = bytesOf(eventOf("a")).length; cut < bytes.length; cut++) {
      expect(learnt().take(new FoundPieces(bytes.subarray(0, cut)), 0)).toBe(bytesOf(eventOf("a")).length);
    }
  });

  test("is not taken from bytes that are no UTF-8", () => {
    const bytes = bytesOf(eventOf("a~b"));
    bytes[bytes.indexOf(0x7e)] = 0xff;
    expect(textIn(learnt(), bytes)).toBeUndefined();
  });

  test("is not learnt from lines that end in a CR alone", () => {
    const bytes = encoder.encode(`data: ${eventOf("a")}\r\r`);
    const repeated = new RepeatedEvent();
    repeated.learn(bytes, { start: 0, end: bytes.length }, "text", "a");
    expect(repeated.take(new FoundPieces(bytes), 0)).toBe(0);
  });
});

describe("what is left to the parser", () => {
  test.each([
    ["another frame", '{"type":"delta","index":1,"delta":{"text":"a"},"n":1}'],
    ["a second member with the same end", '{"type":"delta","index":0,"delta":{"text":"a","text":"b"},"n":1}'],
    ["another type", '{"type":"delta","index":0,"delta":{"text":7},"n":1}'],
    ["an object that ends in a string", '{"type":"delta","index":0,"delta":{"text":"a","b":{"c":"d"}},"n":1}'],
    ["an escape that is cut", '{"type":"delta","index":0,"delta":{"text":"\\u00"},"n":1}'],
    ["an escape without its digits", '{"type":"delta","index":0,"delta":{"text":"\\u00g0"},"n":1}'],
    ["a broken escape", '{"type":"delta","index":0,"delta":{"text":"\\x"},"n":1}'],
    ["an open string", '{"type":"delta","index":0,"delta":{"text":"},"n":1}'],
    ["a control character", '{"type":"delta","index":0,"delta":{"text":"a\u0001"},"n":1}'],
    ["an escaped last quote", '{"type":"delta","index":0,"delta":{"text":"a\\"},"n":1}'],
  ])("is %s", (_what, event) => {
    expect(textOf(learnt(), event)).toBeUndefined();
  });

  test("is everything as long as nothing was learnt, or when the key stands there twice", () => {
    expect(textOf(new RepeatedEvent(), eventOf("a"))).toBeUndefined();
    const repeated = new RepeatedEvent();
    learn(repeated, '{"text":"a","delta":{"text":"a"}}', "text", "a");
    expect(textOf(repeated, '{"text":"a","delta":{"text":"b"}}')).toBeUndefined();
  });
});

describe("members that nobody reads", () => {
  const numbered = (sequence: string, text: string, noise: string): string =>
    `{"type":"delta","sequence_number":${sequence},"delta":${JSON.stringify(text)},"obfuscation":${noise}}`;
  const learntNumbered = (): RepeatedEvent => {
    const repeated = new RepeatedEvent({ numbers: ["sequence_number", "created"], strings: ["obfuscation"] });
    learn(repeated, numbered("9", "first", '"x7"'), "delta", "first");
    return repeated;
  };

  test.each([
    ["10", '""'],
    ["0", '"a\\"b"'],
    ["123456", '"abcdef"'],
  ])("may differ: number %s, string %s", (sequence, noise) => {
    expect(textOf(learntNumbered(), numbered(sequence, "next", noise))).toBe("next");
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
    expect(textOf(learntNumbered(), event)).toBeUndefined();
  });

  test("are fixed where they stand twice", () => {
    const repeated = new RepeatedEvent({ numbers: ["n"] });
    const twice = (first: number, text: string): string => `{"n":${first},"delta":"${text}","in":{"n":1}}`;
    learn(repeated, twice(1, "a"), "delta", "a");
    expect(textOf(repeated, twice(1, "b"))).toBe("b");
    expect(textOf(repeated, twice(2, "b"))).toBeUndefined();
  });
});

test("a key whose name ends in an escaped quote is not taken for the one looked for", () => {
  const repeated = new RepeatedEvent();
  learn(repeated, '{"my\\"text":"a"}', "text", "a");
  expect(textOf(repeated, '{"my\\"text":"b"}')).toBeUndefined();
});

test("whatever is told without a parser is what a parser tells", () => {
  const pieces = fc.array(fc.constantFrom('"', "\\", "a", "}", "{", ",", ":", '"text":', "\n", "\\u0041"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const event = `{"type":"delta","index":0,"delta":{"text":${parts.join("")}},"n":1}`;
      const told = textOf(learnt(), event);
      if (told !== undefined)
        expect(JSON.parse(event)).toEqual({ type: "delta", index: 0, delta: { text: told }, n: 1 });
    }),
    { seed: 1, numRuns: 20_000 },
  );
});
