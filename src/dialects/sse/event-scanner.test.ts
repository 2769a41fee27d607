// The scanner against the WHATWG rules, an independent parser, and every way of cutting a stream up.

import { describe, expect, test } from "bun:test";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { EventScanner } from "./event-scanner.ts";

const latin1 = new TextDecoder("latin1");

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

interface Scanned {
  readonly data: string[];
  /** The blocks of all whole events, joined. */
  readonly blocks: string;
  readonly tail: string | undefined;
}

function scan(chunks: readonly Uint8Array[]): Scanned {
  const scanner = new EventScanner();
  const data: string[] = [];
  let blocks = "";
  const take = (bytes: Uint8Array): void => {
    while (scanner.next()) {
      if (scanner.dataLines > 0) data.push(latin1.decode(scanner.data()));
      blocks += latin1.decode(bytes.subarray(scanner.start, scanner.end));
    }
  };
  for (const chunk of chunks) {
    // The scanner must not keep a chunk: whoever gave it may use the memory again.
    const reused = chunk.slice();
    take(scanner.push(reused));
    reused.fill(0x58);
  }
  take(scanner.finish());
  return { data, blocks, tail: scanner.takeTail() ? latin1.decode(scanner.data()) : undefined };
}

/** The other parser reads text; latin1 keeps bytes and offsets. The colon ends a CR that waits for an LF. */
function expected(stream: Uint8Array): string[] {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => void data.push(event.data) });
  parser.feed(`${latin1.decode(stream)}:`);
  return data;
}

describe("lines", () => {
  test.each([
    ["LF", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["CR", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\r\ndata: d\n\r", ["a", "b", "c", "d"]],
    ["a mark at the start", "\u{FEFF}data: a\n\n", ["a"]],
    ["a mark later on is part of a field name", "data: a\n\n\u{FEFF}data: b\n\n", ["a"]],
    ["stray blank lines", "\n\r\n\ndata: a\n\n\n\ndata: b\n\n", ["a", "b"]],
    ["several data lines", "data: a\ndata: b\r\ndata:\rdata: d\n\n", ["a\nb\n\nd"]],
    ["no space", "data:a\n\n", ["a"]],
    ["two spaces", "data:  a\n\n", [" a"]],
    ["a bare field name", "data\n\n", [""]],
    ["an empty value", "data:\n\ndata: \n\n", ["", ""]],
    ["other fields", "event: x\nid: 1\nretry: 5\ndata: a\nfoo: b\nfoo\n\n", ["a"]],
    ["names that only look like data", " data: a\ndata : b\ndatax: c\ndat: d\nDATA: e\n\n", []],
    ["comments", ": one\n\n:\n\n:::::\ndata: a\n: two\n\n", ["a"]],
    ["no blank line at the end", "data: a\n\ndata: b\n", ["a"]],
  ])("%s", (_name, stream, data) => {
    expect(scan([bytesOf(stream)]).data).toEqual(data);
    expect(expected(bytesOf(stream))).toEqual(data);
  });

  test("an event of a CR stream is there at once, and an LF that comes later is no second line end", () => {
    const scanner = new EventScanner();
    scanner.push(bytesOf("data: a\r\r"));
    expect(scanner.next()).toBe(true);
    expect(scanner.next()).toBe(false);
    const bytes = scanner.push(bytesOf("\ndata: b\r\r"));
    expect(scanner.next()).toBe(true);
    expect(latin1.decode(bytes.subarray(scanner.start, scanner.end))).toBe("\ndata: b\r\r");
    expect(scanner.dataLines).toBe(1);
  });

  test("an event of a CRLF stream waits for the LF of its last line end", () => {
    const scanner = new EventScanner();
    scanner.push(bytesOf("data: a\r\n\r"));
    expect(scanner.next()).toBe(false);
    scanner.push(bytesOf("\n"));
    expect(scanner.next()).toBe(true);
    expect(scanner.end).toBe("data: a\r\n\r\n".length);
  });

  test("the tail is what a missing blank line would have made an event", () => {
    expect(scan([bytesOf("data: a\n\ndata: [DO"), bytesOf("NE]")]).tail).toBe("[DONE]");
    expect(scan([bytesOf("data: a\n\ndata: [DONE]\r")]).tail).toBe("[DONE]");
    expect(scan([bytesOf("data: a\n\ndata: b\ndata: c")]).tail).toBe("b\nc");
    expect(scan([bytesOf("data: a\n\n: comment")]).tail).toBeUndefined();
    expect(scan([bytesOf("data: a\n\n")]).tail).toBeUndefined();
  });
});

describe("pieces", () => {
  const streams = [
    "\u{FEFF}data: a\n\n: c\n\ndata: b\ndata: c\n\nevent: x\ndata: d\n\n",
    "data: a\r\n\r\n: c\r\n\r\ndata: b\r\ndata: c\r\n\r\ndata: é🙂\r\n\r\n",
    "data: a\r\r: c\r\rdata: b\rdata: c\r\rdata: end\r\r",
    "data: a\n\ndata: b\r\n\r\ndata: c\r\rdata: d\n\r\n",
  ].map(bytesOf);

  test.each(streams.map((stream) => [stream]))("every split into three gives the same events and blocks", (stream) => {
    const whole = scan([stream]);
    expect(whole.blocks).toBe(latin1.decode(stream));
    for (let first = 0; first <= stream.length; first++) {
      for (let second = first; second <= stream.length; second++) {
        const split = scan([stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)]);
        if (split.blocks !== whole.blocks || split.data.join() !== whole.data.join()) {
          throw new Error(`split at ${first} and ${second}: ${JSON.stringify(split)}`);
        }
      }
    }
  });

  test("every prefix gives exactly the events that end in it", () => {
    for (const stream of streams) {
      for (let length = 0; length <= stream.length; length++) {
        const prefix = stream.subarray(0, length);
        expect(scan([prefix]).data).toEqual(expected(prefix));
      }
    }
  });

  test("40000 generated streams in random pieces read as another parser reads them", () => {
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom("data: ", "data:", "data", "data:  x", 'data: {"a":"b"}', "data: [DONE]"),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(":", ": c", "event: e", "event", "id: 1", "retry: 9", " data: x", "dat", "x"),
      },
      { weight: 1, arbitrary: fc.constantFrom("data: é", "data: \u{FEFF}", "\u{FEFF}data: y", "data:\tz", "data: \0") },
    );
    const lineEnd = fc.constantFrom("\n", "\n", "\r\n", "\r");
    const part = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(line, lineEnd).map(([text, end]) => text + end) },
      { weight: 2, arbitrary: fc.tuple(line, lineEnd).map(([text, end]) => text + end + end) },
      { weight: 1, arbitrary: lineEnd },
    );
    const stream = fc.tuple(fc.array(part, { maxLength: 12 }), fc.constantFrom("", "", "data: x", "data", ":"));
    const cuts = fc.array(fc.nat(200), { maxLength: 6 });
    fc.assert(
      fc.property(stream, cuts, ([parts, tail], positions) => {
        const text = parts.join("") + tail;
        const bytes = bytesOf(text);
        const sorted = positions.map((position) => Math.min(position, bytes.length)).sort((a, b) => a - b);
        const chunks = [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
        const found = scan(chunks).data;
        const wanted = expected(bytes);
        if (found.length !== wanted.length || found.some((data, index) => data !== wanted[index])) {
          throw new Error(`found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
        }
      }),
      { numRuns: 40_000, seed: 20261130 },
    );
  });
});

describe("bounds", () => {
  test("a 10 MB event in 4 kB pieces is found, and in time that grows with its size only", () => {
    const piece = new Uint8Array(4096).fill(0x61);
    const timeOf = (pieces: number): number => {
      const scanner = new EventScanner();
      const begun = performance.now();
      scanner.push(bytesOf("data: "));
      scanner.next();
      for (let count = 0; count < pieces; count++) {
        scanner.push(piece);
        if (scanner.next()) throw new Error("an event without its end");
      }
      scanner.push(bytesOf("\n\n"));
      expect(scanner.next()).toBe(true);
      expect(scanner.dataEnd - scanner.dataStart).toBe(pieces * 4096);
      return performance.now() - begun;
    };
    timeOf(320);
    const small = Math.min(timeOf(320), timeOf(320), timeOf(320));
    const large = Math.min(...Array.from({ length: 5 }, () => timeOf(2560)));
    // Eight times the bytes; rescanning or recopying the tail would make it sixty times the work.
    expect(large).toBeLessThan(40 * Math.max(small, 0.5));
  });

  test("an event beyond 32 MB without its end is reported", () => {
    const scanner = new EventScanner();
    const piece = new Uint8Array(4 * 1024 * 1024).fill(0x61);
    for (let count = 0; count < 8; count++) {
      scanner.push(piece);
      scanner.next();
    }
    expect(scanner.overflowed).toBe(false);
    scanner.push(bytesOf("a"));
    scanner.next();
    expect(scanner.overflowed).toBe(true);
  });

  test("a million data lines in one event are joined in one pass", () => {
    const scanner = new EventScanner();
    scanner.push(bytesOf(`${"data:x\n".repeat(1_000_000)}\n`));
    expect(scanner.next()).toBe(true);
    expect(scanner.dataLines).toBe(1_000_000);
    expect(scanner.data().length).toBe(2_000_000 - 1);
  });
});
