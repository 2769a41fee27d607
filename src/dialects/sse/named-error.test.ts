import { expect, test } from "bun:test";
import { isNamedError } from "./named-error.ts";

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
