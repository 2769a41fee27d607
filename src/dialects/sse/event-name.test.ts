import { expect, test } from "bun:test";
import { eventName, isNamedError } from "./event-name.ts";

test.each([
  ["event: error\ndata: {}", true],
  ["event:error\r\ndata: {}", true],
  ["id: 1\revent: error\rdata: {}", true],
  ["\n\nevent: error\ndata: {}", true],
  ["\u{FEFF}event: error\ndata: {}", true],
  ["event: message\nevent: error\ndata: {}", true],
  ["event: error", false],
  ["event: errors\ndata: {}", false],
  ["event:  error\ndata: {}", false],
  ["event : error\ndata: {}", false],
  [" event: error\ndata: {}", false],
  [": event: error\ndata: {}", false],
  ["event: message\ndata: {}", false],
  ["data: {}", false],
])("%j is named an error: %p", (event, isError) => {
  const bytes = new TextEncoder().encode(event);
  const dataStart = event.includes("data") ? Buffer.from(bytes).indexOf("data") + 6 : bytes.length;
  expect(isNamedError(bytes, 0, dataStart)).toBe(isError);
});

test("what stands before and behind the fields of the event is not its name", () => {
  const bytes = new TextEncoder().encode("event: error\ndata: 1\n\nid: 1\ndata: 2\nevent: error\n\n");
  const start = Buffer.from(bytes).indexOf("id");
  expect(isNamedError(bytes, start, Buffer.from(bytes).indexOf("2"))).toBe(false);
  expect(isNamedError(bytes, 0, Buffer.from(bytes).indexOf("1"))).toBe(true);
});

test.each([
  ["event: a\n", "data: {}", "\n\n", "a"],
  ["event:a\r\n", "data: {}", "\r\n\r\n", "a"],
  ["event:  a b\r", "data: {}", "\r\r", " a b"],
  ["event: a\nid: 1\nevent: b\n", "data: {}", "\n\n", "b"],
  ["event: a\n", "data: {}", "\nevent: c\n\n", "c"],
  ["event: a\n", "data: {", "\ndata: event: x}\nevent: c\nid: 1\n\n", "c"],
  ["\u{FEFF}event: a\n", "data: {}", "\n\n", "a"],
  ["\n\nevent:\n", "data: {}", "\n\n", ""],
  ["", "data: {}", "\nevent: d", "d"],
  [": event: a\n event: b\nevent\nevent : c\nevents: d\n", "data: {}", "\n\n", undefined],
  ["", "data: event: a", "\n\n", undefined],
])("before %j and behind %j%j: the name is %p", (before, data, behind, name) => {
  const [start, dataStart, dataEnd] = [0, before.length, before.length + data.length].map(
    (length) => new TextEncoder().encode((before + data + behind).slice(0, length)).length,
  );
  const bytes = new TextEncoder().encode(before + data + behind);
  expect(eventName(bytes, start ?? 0, (dataStart ?? 0) + "data: ".length, dataEnd ?? 0, bytes.length)).toBe(name);
});
