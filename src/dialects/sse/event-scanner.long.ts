// The scanner against an independent parser on a million generated streams, or as many as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import { createParser } from "eventsource-parser";
import { drawFrom, type Draw } from "../../../test/support/seeded-random.ts";
import { EventScanner } from "./event-scanner.ts";

const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 1_000_000);
const parts = 10;

const lines = [
  "data: ",
  "data:",
  "data",
  "data:  x",
  'data: {"a":"b"}',
  "data: [DONE]",
  "data: \u{E9}",
  "data: \u{EF}\u{BB}\u{BF}",
  "data:\tz",
  "data: \0",
  "data : y",
  ":",
  ": comment",
  "event: e",
  "event",
  "id: 1",
  "retry: 9",
  " data: x",
  "dat",
  "d",
  "x",
  "\u{EF}\u{BB}\u{BF}data: y",
  "\u{EF}",
  "\u{EF}\u{BB}",
];
const lineEnds = ["\n", "\n", "\r\n", "\r"];

/** Latin1 text: a character is a byte. Lines are ended once, twice or not at all. */
function stream(draw: Draw): string {
  let text = draw(8) === 0 ? "\u{EF}\u{BB}\u{BF}" : "";
  // Half of the streams keep to one kind of line end, as real ones do.
  const only = draw(2) === 0 ? pick(lineEnds, draw) : undefined;
  for (let left = draw(14); left > 0; left--) {
    // Data lines, the first eleven, are half of all.
    text += draw(2) === 0 ? (lines[draw(11)] ?? "") : pick(lines, draw);
    const lineEnd = only ?? pick(lineEnds, draw);
    const times = draw(16);
    text += times === 0 ? "" : times < 9 ? lineEnd : times < 15 ? lineEnd + lineEnd : lineEnd + lineEnd + lineEnd;
  }
  return text;
}

function pick(from: readonly string[], draw: Draw): string {
  return from[draw(from.length)] ?? "";
}

function expected(text: string): string[] {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => void data.push(event.data) });
  // The colon begins a comment, so that a CR at the end is not taken for half a line end.
  parser.feed(`${text}:`);
  return data;
}

function scanned(text: string, draw: Draw): { readonly data: string[]; readonly blocks: string } {
  const scanner = new EventScanner();
  const data: string[] = [];
  let blocks = "";
  const take = (bytes: Uint8Array): void => {
    while (scanner.next()) {
      if (scanner.dataLines > 0) data.push(Buffer.from(scanner.data()).toString("latin1"));
      blocks += Buffer.from(bytes.subarray(scanner.start, scanner.end)).toString("latin1");
    }
  };
  const longest = draw(3) === 0 ? 2 : 40;
  for (let from = 0; from < text.length;) {
    const to = from + draw(longest + 1);
    take(scanner.push(Buffer.from(text.slice(from, to), "latin1")));
    from = to;
  }
  take(scanner.finish());
  return { data, blocks };
}

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: both find the same events, and the blocks are the bytes that came`,
  (part) => {
    const count = Math.ceil(total / parts);
    const begun = performance.now();
    let events = 0;
    for (let index = 0; index < count; index++) {
      const seed = part * count + index;
      const draw = drawFrom(seed);
      const text = stream(draw);
      const wanted = expected(text);
      const { data, blocks } = scanned(text, draw);
      const isSame = data.length === wanted.length && data.every((each, at) => each === wanted[at]);
      if (!isSame || !text.startsWith(blocks)) {
        throw new Error(`seed ${seed}, ${JSON.stringify(text)}: ${JSON.stringify({ data, blocks, wanted })}`);
      }
      events += data.length;
    }
    console.log(`${count} streams, ${events} events, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    expect(events).toBeGreaterThan(count);
  },
);
