// Answers as bytes: split anywhere they are the same, and what is no HTTP is refused.

import { describe, expect, test } from "bun:test";
import { maxHeadBytes } from "./answer-head.ts";
import { AnswerParser } from "./answer-parser.ts";
import { BadMessage } from "../../http1/bad-message.ts";
import type { RawHeaders } from "./http-answer.ts";

interface Parsed {
  status: number;
  headers: RawHeaders | undefined;
  body: string;
  ends: number;
  surplus: string;
}

/** Feeds the pieces, then a FIN when `closes`. */
function parse(pieces: readonly string[], closes = false): Parsed {
  const parsed: Parsed = { status: 0, headers: undefined, body: "", ends: 0, surplus: "" };
  const parser = new AnswerParser();
  parser.reset();
  const sink = {
    answerHead(head: { status: number }, headers: RawHeaders): void {
      parsed.status = head.status;
      parsed.headers = headers;
    },
    answerBytes(bytes: Uint8Array): void {
      parsed.body += Buffer.from(bytes).toString("latin1");
    },
    answerEnd(): void {
      parsed.ends++;
    },
  };
  for (const piece of pieces) {
    const bytes = Uint8Array.from(Buffer.from(piece, "latin1"));
    const used = parser.push(bytes, sink);
    parsed.surplus += piece.slice(used);
  }
  if (closes) parser.finish(sink);
  return parsed;
}

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof BadMessage) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

const withLength =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 11\r\nx-a: \t b c \r\n\r\nhello world";
const chunked =
  'HTTP/1.1 200\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nhello\r\n1;name="v;1"\r\n \r\n00005;x\r\nworld\r\n0\r\ntrailer: t\r\nother:\r\n\r\n';
const interim = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${chunked}`;
const untilClose = "HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nhello world";

describe("splits", () => {
  for (const [name, text, closes] of [
    ["content-length", withLength, false],
    ["chunked", chunked, false],
    ["interim answers before chunked", interim, false],
    ["until close", untilClose, true],
  ] as const) {
    test(`${name}: cut in two at every byte it is the same answer`, () => {
      for (let at = 1; at < text.length; at++) {
        const parsed = parse([text.slice(0, at), text.slice(at)], closes);
        expect([at, parsed.status, parsed.body, parsed.ends, parsed.surplus]).toEqual([at, 200, "hello world", 1, ""]);
      }
    });

    test(`${name}: byte by byte it is the same answer`, () => {
      const parsed = parse(text.split(""), closes);
      expect([parsed.status, parsed.body, parsed.ends, parsed.surplus]).toEqual([200, "hello world", 1, ""]);
    });

    test(`${name}: cut in three at every pair of bytes it is the same answer`, () => {
      for (let first = 1; first < text.length; first++) {
        for (let second = first + 1; second < text.length; second++) {
          const parsed = parse([text.slice(0, first), text.slice(first, second), text.slice(second)], closes);
          if (parsed.body !== "hello world" || parsed.ends !== 1) throw new Error(`wrong at ${first} and ${second}`);
        }
      }
    });
  }

  for (const [name, text] of [
    ["content-length", withLength],
    ["chunked", chunked],
  ] as const) {
    test(`${name}: cut off after any byte it is an unexpected end`, () => {
      for (let at = 0; at < text.length; at++) {
        expect(problemOf(() => parse([text.slice(0, at)], true))).toStartWith("unexpected_end");
      }
    });
  }
});

describe("framing", () => {
  test("204 and 304 have no body whatever their headers say", () => {
    for (const status of [204, 304]) {
      const parsed = parse([`HTTP/1.1 ${status} x\r\ncontent-length: 5\r\n\r\n`]);
      expect([parsed.status, parsed.body, parsed.ends]).toEqual([status, "", 1]);
    }
  });

  test("a content-length of 0 ends at once", () => {
    expect(parse(["HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n"]).ends).toBe(1);
  });

  test("the same content-length twice, in two headers or in one, is one content-length", () => {
    expect(parse(["HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nab"]).body).toBe("ab");
    expect(parse(["HTTP/1.1 200 OK\r\ncontent-length: 2, 2 ,2\r\n\r\nab"]).body).toBe("ab");
  });

  test("bytes after the end are surplus, not body", () => {
    expect(parse(["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabHTTP/1.1 200"]).surplus).toBe("HTTP/1.1 200");
    expect(parse(["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nx"]).surplus).toBe("x");
  });

  test("many chunks in one read are handed out as one piece", () => {
    const pieces: string[] = [];
    const parser = new AnswerParser();
    parser.reset();
    const text = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"3\r\nabc\r\n".repeat(50)}`;
    parser.push(Uint8Array.from(Buffer.from(text)), {
      answerHead() {},
      answerBytes: (bytes) => pieces.push(Buffer.from(bytes).toString()),
      answerEnd() {},
    });
    expect(pieces).toEqual(["abc".repeat(50)]);
  });

  test("headers are found in any case, the first of a name wins, white space around values goes", () => {
    const { headers } = parse([
      "HTTP/1.1 200 OK\r\nX-One:  a b\t\r\nx-one: second\r\nempty:\r\nhigh: caf\xe9\r\ncontent-length: 0\r\n\r\n",
    ]);
    expect(headers?.get("x-ONE")).toBe("a b");
    expect(headers?.get("empty")).toBe("");
    expect(headers?.get("high")).toBe("café");
    expect(headers?.get("on")).toBeUndefined();
    expect(headers?.entries()).toEqual([
      ["X-One", "a b"],
      ["x-one", "second"],
      ["empty", ""],
      ["high", "café"],
      ["content-length", "0"],
    ]);
  });

  test("a header is compared and a few of many are picked without decoding the others", () => {
    const { headers } = parse([
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-RateLimit-Reset: 1s\r\nretry-After-Ms:5\r\nx-rate: 1\r\nre: 2\r\n\r\n",
    ]);
    expect(headers?.says("content-type", "application/json")).toBe(true);
    expect(headers?.says("content-type", "application/jso")).toBe(false);
    expect(headers?.says("content-type", "application/jsoN")).toBe(false);
    expect(headers?.says("x-rate", "1")).toBe(true);
    expect(headers?.says("absent", "")).toBe(false);
    expect(headers?.entries(["retry-after", "x-ratelimit-"])).toEqual([
      ["X-RateLimit-Reset", "1s"],
      ["retry-After-Ms", "5"],
    ]);
    expect(headers?.entries(["absent"])).toEqual([]);
  });
});

describe("refusals", () => {
  const head = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;
  const chunk = (body: string): string => `${head("transfer-encoding: chunked")}${body}`;
  const cases: readonly (readonly [name: string, text: string])[] = [
    ["HTTP/0.9", "<html>hello</html>"],
    ["HTTP/2", "HTTP/2 200 OK\r\n\r\n"],
    ["HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n"],
    ["lower case protocol", "http/1.1 200 OK\r\n\r\n"],
    ["status 99", "HTTP/1.1 099 x\r\n\r\n"],
    ["status 600", "HTTP/1.1 600 x\r\n\r\n"],
    ["status 999", "HTTP/1.1 999 x\r\n\r\n"],
    ["status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["status with a sign", "HTTP/1.1 +20 OK\r\n\r\n"],
    ["NUL in the status line", "HTTP/1.1 200 OK\x00\r\n\r\n"],
    ["bare LF after the status line", "HTTP/1.1 200 OK\nx: y\r\n\r\n"],
    ["only LF", "HTTP/1.1 200 OK\ncontent-length: 0\n\n"],
    ["space in a header name", head("x y: z")],
    ["space before the colon", head("content-length : 2")],
    ["no colon", head("content-length")],
    ["empty name", head(": x")],
    ["folded line", head("x: y\r\n z")],
    ["NUL in a value", head("x: a\x00b")],
    ["bare CR in a value", head("x: a\rb")],
    ["bare LF in a value", head("x: a\nb: c")],
    ["escape in a value", head("x: \x1b[0m")],
    ["byte above ASCII in a name", head("x\xe9: a")],
    ["two lengths", head("content-length: 2\r\ncontent-length: 3")],
    ["two lengths in one header", head("content-length: 2, 3")],
    ["negative length", head("content-length: -1")],
    ["length with a plus", head("content-length: +1")],
    ["hexadecimal length", head("content-length: 0x10")],
    ["empty length", head("content-length: ")],
    ["absurd length", head("content-length: 9999999999999999")],
    ["length and chunked", head("content-length: 2\r\ntransfer-encoding: chunked")],
    ["gzip, chunked", head("transfer-encoding: gzip, chunked")],
    ["identity", head("transfer-encoding: identity")],
    ["chunked twice", head("transfer-encoding: chunked\r\ntransfer-encoding: chunked")],
    ["switching protocols", "HTTP/1.1 101 x\r\nupgrade: foo\r\n\r\n"],
    ["chunk size that is no number", chunk("g\r\n")],
    ["chunk size with 0x", chunk("0x5\r\nhello\r\n")],
    ["negative chunk size", chunk("-1\r\n")],
    ["space before the chunk size", chunk(" 5\r\nhello\r\n")],
    ["space after the chunk size", chunk("5 \r\nhello\r\n")],
    ["no chunk size", chunk("\r\nhello\r\n")],
    ["absurd chunk size", chunk("fffffffffffff\r\n")],
    ["chunk size ended by LF", chunk("5\nhello\r\n")],
    ["chunk longer than its size", chunk("4\r\nhello\r\n")],
    ["chunk ended by LF", chunk("5\r\nhello\n0\r\n\r\n")],
    ["LF in an extension", chunk("5;a\nb\r\nhello\r\n")],
    ["endless extension", chunk(`5;${"a".repeat(20_000)}`)],
    ["endless trailers", chunk(`0\r\n${"a: b\r\n".repeat(20_000)}`)],
    ["trailers ended by LF", chunk("0\r\n\r\r")],
    ["too many headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(1001)}\r\n`],
    ["head too large", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(maxHeadBytes)}\r\n\r\n`],
    ["endless interim answers", `HTTP/1.1 103 x\r\nlink: ${"a".repeat(1000)}\r\n\r\n`.repeat(300)],
  ];
  for (const [name, text] of cases) {
    test(`${name} is refused in one piece and byte by byte`, () => {
      expect(problemOf(() => parse([text]))).toMatch(/^(malformed_answer|malformed_chunk|head_too_large): /);
      // Byte by byte for what is short; the rest in pieces of 1,000.
      const pieces = text.length < 500 ? text.split("") : (text.match(/[^]{1,1000}/g) ?? []);
      expect(problemOf(() => parse(pieces))).toMatch(/^(malformed_answer|malformed_chunk|head_too_large): /);
    });
  }

  test("1,000 headers and a head just below 256 kB are read", () => {
    expect(parse([`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(999)}content-length: 0\r\n\r\n`]).ends).toBe(1);
    expect(parse([head(`content-length: 0\r\nx: ${"a".repeat(maxHeadBytes - 100)}`)]).ends).toBe(1);
  });

  test("a head that never ends is refused at 256 kB, whatever the size of its pieces", () => {
    const line = `x: ${"a".repeat(95)}\r\n`;
    expect(problemOf(() => parse(["HTTP/1.1 200 OK\r\n", ...Array.from({ length: 3000 }, () => line)]))).toStartWith(
      "head_too_large",
    );
  });
});
