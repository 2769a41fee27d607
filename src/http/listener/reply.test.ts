// Heads of replies as bytes.

import { expect, test } from "bun:test";
import { type Framing, type Reply, ReplyHead } from "./reply.ts";

function textOf(reply: Partial<Reply>, framing: Framing, closes = false): string {
  const head = new ReplyHead(
    { status: 200, headers: {}, body: undefined, ...reply },
    framing,
    closes,
    1_700_000_000_000,
  );
  const bytes = Buffer.alloc(head.length + 2, "_");
  expect(head.write(bytes, 1)).toBe(head.length + 1);
  expect([bytes[0], bytes.at(-1)]).toEqual([0x5f, 0x5f]);
  return bytes.toString("latin1", 1, head.length + 1);
}

const date = "date: Tue, 14 Nov 2023 22:13:20 GMT\r\n";

test.each<[string, Partial<Reply>, Framing, boolean, string]>([
  ["a length", {}, { length: 12 }, false, `HTTP/1.1 200 OK\r\n${date}content-length: 12\r\n\r\n`],
  ["chunks", { status: 404 }, "chunked", false, `HTTP/1.1 404 Not Found\r\n${date}transfer-encoding: chunked\r\n\r\n`],
  ["no body", { status: 204 }, "none", false, `HTTP/1.1 204 No Content\r\n${date}\r\n`],
  ["the last of a connection", {}, "until-close", true, `HTTP/1.1 200 OK\r\n${date}connection: close\r\n\r\n`],
  [
    "the last of a connection, said by its handler",
    { headers: { connection: "close", "X-Request-ID": "r" } },
    "none",
    true,
    `HTTP/1.1 200 OK\r\nconnection: close\r\nX-Request-ID: r\r\n${date}\r\n`,
  ],
  ["a status without a name", { status: 599 }, "none", false, `HTTP/1.1 599 \r\n${date}\r\n`],
])("with %s", (_, reply, framing, closes, expected) => {
  expect(textOf(reply, framing, closes)).toBe(expected);
});

test("a value cannot end its line, nor take more than a byte for a character", () => {
  const headers = { a: "b\r\nevil: 1", c: "d\0", e: "ö", f: "€" };
  expect(textOf({ headers }, "none")).toBe(
    `HTTP/1.1 200 OK\r\na: b??evil: 1\r\nc: d?\r\ne: \u00f6\r\nf: ?\r\n${date}\r\n`,
  );
});
