// Heads that come again on a connection: recognized only when nothing but the content-length differs.

import { describe, expect, test } from "bun:test";
import { Failure } from "../../core/failure.ts";
import { ConnectionHeads } from "./connection-heads.ts";
import { parseRequestHead } from "./request-head.ts";

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

function textOf({ length = "7", target = "/v1/messages", more = "", version = "1.1" } = {}): string {
  return `POST ${target} HTTP/${version}\r\nHost: gateway\r\nContent-Length: ${length}\r\nX-Api-Key: k-1\r\n${more}\r\n`;
}

/** What a request knows of its head. */
function factsOf(head: ReturnType<typeof parseRequestHead>): unknown {
  if (head === undefined) return undefined;
  const { method, target, oldVersion, contentLength, chunked, close, expectsContinue, end, headers } = head;
  return {
    ...{ method, target, oldVersion, contentLength, chunked, close, expectsContinue, end },
    headers: headers.toJSON(),
    asked: ["host", "x-api-key", "x-more", "content-length"].map((name) => [headers.get(name), headers.has(name)]),
  };
}

function outcomeOf(read: () => ReturnType<typeof parseRequestHead>): unknown {
  try {
    return factsOf(read());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.status}: ${error.message}`;
  }
}

const texts: readonly (readonly [name: string, text: string])[] = [
  ["the same", textOf()],
  ["the same with a body behind it", `${textOf()}{"a":1}`],
  ["one with another length of as many digits", textOf({ length: "9" })],
  ["one with a longer length", textOf({ length: "12" })],
  ["one whose length is none", textOf({ length: "x" })],
  ["one with another target", textOf({ target: "/v1/responses" })],
  ["one with another target of the same length", textOf({ target: "/v1/massages" })],
  ["one with one more header", textOf({ more: "X-More: 1\r\n" })],
  ["one with the length twice", textOf({ more: "Content-Length: 7\r\n" })],
  ["one with another length twice", textOf({ length: "8", more: "Content-Length: 8\r\n" })],
  ["one with two lengths", textOf({ more: "Content-Length: 8\r\n" })],
  ["one that closes", textOf({ more: "Connection: close\r\n" })],
  ["one that asks for leave", textOf({ more: "Expect: 100-continue\r\n" })],
  ["one of the old version", textOf({ version: "1.0" })],
  ["one in chunks", "POST / HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["one without a body", "GET /v1/models HTTP/1.1\r\nHost: gateway\r\n\r\n"],
  ["one that is larger than what is kept", textOf({ more: `X-More: ${"x".repeat(5_000)}\r\n` })],
  ["one that is cut", textOf().slice(0, -3)],
  ["one behind an empty line", `\r\n${textOf()}`],
];

describe("a head", () => {
  test.each(texts)("that comes after any other is read as if it were the first: %s", (_name, text) => {
    const expected = outcomeOf(() => parseRequestHead(bytesOf(text), 0));
    for (const [, first] of texts) {
      const heads = new ConnectionHeads();
      outcomeOf(() => heads.read(bytesOf(first)));
      for (let time = 0; time < 3; time++) {
        heads.forget();
        expect(outcomeOf(() => heads.read(bytesOf(text)))).toEqual(expected);
      }
    }
  });

  test("that comes again is not read again: its headers are the same object", () => {
    const heads = new ConnectionHeads();
    const [first, second] = ["7", "9"].map((length) => heads.read(bytesOf(textOf({ length })))?.headers);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  test("that comes in pieces is read once it is whole, with what came along", () => {
    const heads = new ConnectionHeads();
    const text = textOf();
    expect(heads.read(bytesOf(text.slice(0, 20)))).toBeUndefined();
    expect(factsOf(heads.read(bytesOf(`${text.slice(20)}body`)))).toEqual(factsOf(parseRequestHead(bytesOf(text), 0)));
    expect(Buffer.from(heads.bytes).toString()).toBe(`${text}body`);
    heads.forget();
    expect([heads.bytes.length, heads.read(bytesOf(text))?.contentLength]).toEqual([0, 7]);
  });

  test("that is large is read each time", () => {
    const heads = new ConnectionHeads();
    const text = textOf({ more: `X-More: ${"x".repeat(5_000)}\r\n` });
    expect(heads.read(bytesOf(text))?.headers).not.toBe(heads.read(bytesOf(text))?.headers);
  });
});

test("what is made of headers is made once for all requests that come with them", () => {
  const heads = new ConnectionHeads();
  let made = 0;
  const render = (values: Readonly<Record<string, string>>): string => `${++made}: ${JSON.stringify(values)}`;
  const rendered = ["7", "9"].map((length) => heads.read(bytesOf(textOf({ length })))?.headers.rendered(render));
  expect(rendered).toEqual(Array(2).fill(`1: {"host":"gateway","x-api-key":"k-1"}`));
});
