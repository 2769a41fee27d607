// Heads of requests: what they say, wherever they are split, and what is refused.

import { describe, expect, test } from "bun:test";
import { Failure } from "../../core/failure.ts";
import { HeadCollector } from "../../http1/head-collector.ts";
import { parseRequestHead, type RequestHead, requestHeadReader } from "./request-head.ts";

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

function headOf(text: string): RequestHead {
  const head = parseRequestHead(bytesOf(text), 0);
  if (head === undefined) throw new Error("its end has not come");
  return head;
}

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.headers).toEqual([["connection", "close"]]);
    return `${error.status}: ${error.message}`;
  }
  return "none";
}

const plain = "POST /v1/messages?beta=true HTTP/1.1\r\nHost: gateway\r\nContent-Length: 12\r\nX-A: \t b c \r\n\r\n";

describe("a head", () => {
  test("says what is asked for, and how long the body is", () => {
    const head = headOf(plain + "body");
    expect(head).toMatchObject({
      method: "POST",
      target: "/v1/messages?beta=true",
      oldVersion: false,
      contentLength: 12,
      chunked: false,
      close: false,
      expectsContinue: false,
      end: plain.length,
    });
  });

  test.each<[string, Partial<RequestHead>]>([
    ["Transfer-Encoding: \tChunked ", { chunked: true, contentLength: undefined }],
    ["Content-Length: 3\r\ncontent-length: 3", { contentLength: 3 }],
    ["Content-Length: 999999999999999", { contentLength: 999_999_999_999_999 }],
    ["Connection: keep-alive, Close", { close: true }],
    ["Connection: closed", { close: false }],
    ["Expect: 100-Continue", { expectsContinue: true }],
    ["X-Empty:", {}],
  ])("with %j", (line, expected) => {
    expect(headOf(`GET / HTTP/1.1\r\n${line}\r\n\r\n`)).toMatchObject(expected);
  });

  test("of HTTP/1.0 says so", () => {
    expect(headOf("HEAD / HTTP/1.0\r\n\r\n")).toMatchObject({ method: "HEAD", oldVersion: true });
  });

  test("may come behind empty lines", () => {
    expect(headOf(`\r\n\r\n${plain}`)).toMatchObject({ method: "POST", end: plain.length + 4 });
  });

  test("is not there before its last byte, and then the same however it was split", () => {
    const whole = `\r\n${plain}`;
    for (let cut = 0; cut < whole.length; cut++) {
      expect(parseRequestHead(bytesOf(whole.slice(0, cut)), 0)).toBeUndefined();
      const collector = new HeadCollector(requestHeadReader);
      expect(collector.push(bytesOf(whole.slice(0, cut)))).toBeUndefined();
      expect(collector.push(bytesOf(`${whole.slice(cut)}rest`))).toMatchObject({
        contentLength: 12,
        end: whole.length,
      });
    }
    const collector = new HeadCollector(requestHeadReader);
    const heads = Array.from(whole, (byte) => collector.push(bytesOf(byte)));
    expect(heads.findIndex((head) => head !== undefined)).toBe(whole.length - 1);
  });
});

describe("refused is", () => {
  test.each([
    ["GET /\r\n\r\n", "400: the request has no HTTP version behind its target"],
    ["GET / HTTP/1.2\r\n\r\n", "505: the HTTP version must be 1.1 or 1.0"],
    ["PRI * HTTP/2.0\r\n\r\n", "501: the method of the request is not supported"],
    ["get / HTTP/1.1\r\n\r\n", "501: the method of the request is not supported"],
    ["PROPFIND / HTTP/1.1\r\n\r\n", "501: the method of the request is not supported"],
    ["CONNECT a:443 HTTP/1.1\r\n\r\n", "501: method CONNECT is not supported"],
    ["TRACE / HTTP/1.1\r\n\r\n", "501: method TRACE is not supported"],
    [" GET / HTTP/1.1\r\n\r\n", "400: the request does not begin with a method"],
    ["GET / HTTP/1.1\n\n", "400: the request line does not end in CRLF"],
    ["GET / HTTP/1.1\r\nA: b\n\r\n", "400: the request has a header value with illegal characters"],
    ["GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", "400: the request has a header value with illegal characters"],
    ["GET / HTTP/1.1\r\nA: b\0\r\n\r\n", "400: the request has a header value with illegal characters"],
    ["GET / HTTP/1.1\r\nA : b\r\n\r\n", "400: the request has a header name with illegal characters"],
    ["GET / HTTP/1.1\r\n: b\r\n\r\n", "400: the request has a header name with illegal characters"],
    ["GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "400: the request has a header name with illegal characters"],
    ["GET / HTTP/1.1\r\n\rX", "400: the head of the request has a bare CR"],
    [
      "GET a HTTP/1.1\r\n\r\n",
      "400: the target of the request is neither a path in valid UTF-8 nor an http:// address",
    ],
    [
      "GET /\xff HTTP/1.1\r\n\r\n",
      "400: the target of the request is neither a path in valid UTF-8 nor an http:// address",
    ],
    ["POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", "400: the request has a malformed content-length"],
    ["POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", "400: the request has a malformed content-length"],
    ["POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", "400: the request has a malformed content-length"],
    ["POST / HTTP/1.1\r\nContent-Length: 1234567890123456\r\n\r\n", "400: the request has a malformed content-length"],
    [
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "400: the request has two different content-lengths",
    ],
    [
      "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "400: the request has a transfer-encoding other than chunked",
    ],
    [
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "400: the request has a transfer-encoding other than chunked",
    ],
    [
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
      "400: the request has both content-length and transfer-encoding",
    ],
    ["POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400: transfer-encoding is not for HTTP/1.0"],
    [`GET / HTTP/1.1\r\n${"a: b\r\n".repeat(201)}\r\n`, "431: the request has more than 200 headers"],
    [`GET / HTTP/1.1\r\nA: ${"b".repeat(17_000)}`, "431: a header of the request is larger than 16 kB"],
    [`GET / HTTP/1.1\r\n${"a".repeat(17_000)}`, "431: a header of the request is larger than 16 kB"],
    [`GET /${"a".repeat(17_000)}`, "431: the target is longer than 16 kB"],
    [
      `GET / HTTP/1.1\r\n${`a: ${"b".repeat(10_000)}\r\n`.repeat(14)}\r\n`,
      "431: the head of the request is larger than 128 kB",
    ],
  ])("%j", (text, expected) => {
    expect(refusalOf(() => parseRequestHead(bytesOf(text), 0))).toBe(expected);
  });

  test("a head that comes in pieces and has no end at 128 kB, or a line end without CR", () => {
    const collector = new HeadCollector(requestHeadReader);
    const line = bytesOf(`a: ${"b".repeat(10_000)}\r\n`);
    collector.push(bytesOf("GET / HTTP/1.1\r\n"));
    const push = (): void => {
      for (let count = 0; count < 14; count++) collector.push(line);
    };
    expect(refusalOf(push)).toBe("431: the head of the request is larger than 128 kB");
    const other = new HeadCollector(requestHeadReader);
    other.push(bytesOf(`GET / HTTP/1.1\r\nA: ${"b".repeat(100)}`));
    expect(refusalOf(() => other.push(bytesOf("\n")))).toBe(
      "400: the head of the request has a line that does not end in CRLF",
    );
  });
});

describe("the target", () => {
  test.each([
    ["/v1/models", "/v1/models"],
    ["/v1/models/gpt-4.1", "/v1/models/gpt-4.1"],
    ["/v1/models/a%2Fb", "/v1/models/a%2Fb"],
    ["/a/../v1/models?x=/../y", "/v1/models?x=/../y"],
    ["/a/%2e%2E/b", "/b"],
    ["/a\\..\\b", "/b"],
    ["/a#b?c", "/a"],
    ["/\xc3\xb6", "/%C3%B6"],
    ["//evil.example/admin", "//evil.example/admin"],
    ["http://evil.example/admin?x=1", "/admin?x=1"],
    ["HTTPS://evil.example", "/"],
  ])("%j is looked up as %j", (target, expected) => {
    expect(headOf(`GET ${target} HTTP/1.1\r\n\r\n`).target).toBe(expected);
  });

  test.each(["*", "ftp://a/b", "http:///a", "http://a b", "?x"])("%j is none", (target) => {
    expect(refusalOf(() => parseRequestHead(bytesOf(`GET ${target} HTTP/1.1\r\n\r\n`), 0))).toMatch(/^400: /);
  });
});

describe("its headers", () => {
  const text = "GET / HTTP/1.1\r\nHost:a\r\nX-Two: 1\r\nX-TWO:\t2 \r\n__proto__: x\r\nX-None:\r\nX-L: \xe9\r\n\r\n";
  const { headers } = headOf(text);

  test("are found under their names in lower case, several joined by a comma", () => {
    expect(["host", "x-two", "x-none", "x-l", "x"].map((name) => headers.get(name))).toEqual([
      "a",
      "1, 2",
      "",
      "é",
      null,
    ]);
    expect([headers.has("x-two"), headers.has("x-three")]).toEqual([true, false]);
  });

  test("are all told, and reach no prototype", () => {
    const all = headers.toJSON();
    expect(Object.entries(all)).toEqual([
      ["host", "a"],
      ["x-two", "1, 2"],
      ["__proto__", "x"],
      ["x-none", ""],
      ["x-l", "é"],
    ]);
    expect(Reflect.get({}, "x")).toBeUndefined();
  });
});
