import { expect, test } from "bun:test";
import { judgeContentType, namedContentType } from "./content-type.ts";
import type { ContentVerdict } from "./content-type.ts";

const rows: readonly (readonly [type: string | undefined, stream: ContentVerdict, buffered: ContentVerdict])[] = [
  ["text/event-stream", "accept", "refuse"],
  ["text/event-stream; charset=utf-8", "accept", "refuse"],
  ["Text/Event-Stream;charset=UTF-8", "accept", "refuse"],
  ["application/json", "json-for-stream", "accept"],
  ["application/json; charset=utf-8", "json-for-stream", "accept"],
  ["application/problem+json", "json-for-stream", "accept"],
  ["text/json", "json-for-stream", "accept"],
  [undefined, "accept", "accept"],
  ["", "accept", "accept"],
  ["text/plain; charset=utf-8", "accept", "accept"],
  ["application/octet-stream", "accept", "accept"],
  ["text/html", "refuse", "refuse"],
  ["application/xml", "refuse", "refuse"],
  ["application/x-ndjson", "refuse", "refuse"],
  ["application/jsonlines", "refuse", "refuse"],
  ["image/png", "refuse", "refuse"],
  ["application/json, text/html", "refuse", "refuse"],
];

test.each(rows)("%p is %p for a stream and %p for a buffered answer", (type, stream, buffered) => {
  expect(judgeContentType(type, true)).toBe(stream);
  expect(judgeContentType(type, false)).toBe(buffered);
});

test.each([
  ["text/html; charset=utf-8", "text/html"],
  ["<script>", "an unreadable content type"],
  [undefined, "an unreadable content type"],
])("%p is named %p in messages", (type, name) => {
  expect(namedContentType(type)).toBe(name);
});
