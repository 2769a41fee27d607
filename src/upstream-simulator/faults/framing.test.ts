import { describe } from "bun:test";
import { testWire, wireRows, type ShortRow } from "../../../test/support/wire-table.ts";

/** Head of a right answer in both modes, then what is given. */
const started = (rest: string): RegExp => new RegExp(`^HTTP/1\\.1 200 OK\\r\\ncontent-type: [^\\r]*\\r\\n${rest}`);
const body = "(?:\\{[^]*\\}|data: [^]*\\[DONE\\]\\n\\n)";
const size = "[0-9a-f]+";

const lengths: readonly ShortRow[] = [
  ["length", started(`content-length: \\d+\\r\\n\\r\\n${body}$`), "open"],
  ["until-close", started(`connection: close\\r\\n\\r\\n${body}$`), "fin"],
  ["until-reset", started(`connection: close\\r\\n\\r\\n${body}$`), "reset"],
  ["connection-close", started(`content-length: \\d+\\r\\nconnection: close\\r\\n\\r\\n${body}$`), "fin"],
  ["length-too-long", started(`content-length: \\d+\\r\\n\\r\\n${body}$`), "fin"],
  ["length-too-long-hang", started(`content-length: \\d+\\r\\n\\r\\n${body}$`), "open"],
  ["length-too-short", started(`content-length: \\d+\\r\\n\\r\\n${body}$`), "open"],
  ["length-twice", started(`content-length: (\\d+)\\r\\ncontent-length: (?!\\1)\\d+\\r\\n\\r\\n${body}$`), "open"],
  ["length-repeated", started(`content-length: (\\d+)\\r\\ncontent-length: \\1\\r\\n\\r\\n${body}$`), "open"],
  [
    "length-and-chunked",
    started(`content-length: \\d+\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n${size}\\r\\n${body}\\r\\n0\\r\\n\\r\\n$`),
    "open",
  ],
  ["length-negative", started(`content-length: -1\\r\\n\\r\\n${body}$`), "fin"],
  ["length-junk", started(`content-length: 12abc\\r\\n\\r\\n${body}$`), "fin"],
  ["length-enormous", started(`content-length: 9{30}\\r\\n\\r\\n${body}$`), "open"],
  ["encoding-unknown", started(`transfer-encoding: zigzag\\r\\n\\r\\n${body}$`), "fin"],
  [
    "surplus",
    started(`content-length: \\d+\\r\\n\\r\\n${body}HTTP/1\\.1 200 OK\\r\\ncontent-length: 5\\r\\n\\r\\nghost$`),
    "open",
  ],
];

const first = "transfer-encoding: chunked\\r\\n\\r\\n1e\\r\\n[^]{30}";
const second = `\\r\\n${size}\\r\\n[^]*(?:\\}|\\n\\n)\\r\\n`;

const chunks: readonly ShortRow[] = [
  ["chunked", started(`${first}${second}0\\r\\n\\r\\n$`), "open"],
  ["chunk-size-junk", started(`${first}\\r\\nzz\\r\\n`), "fin"],
  ["chunk-size-negative", started(`${first}\\r\\n-5\\r\\n`), "fin"],
  ["chunk-size-enormous", started(`${first}\\r\\nf{20}\\r\\n`), "open"],
  ["chunk-end-missing", started(`${first}${size}\\r\\n[^]*0\\r\\n\\r\\n$`), "fin"],
  ["chunk-too-long", started(`${first}\\r\\nffff\\r\\nrest$`), "fin"],
  ["last-chunk-missing", started(`${first}${second}$`), "fin"],
  ["last-chunk-cut", started(`${first}${second}0\\r\\n$`), "fin"],
  [
    "chunk-extensions",
    started(`transfer-encoding: chunked\\r\\n\\r\\n0001E;a=1;b="x y"\\r\\n[^]*0\\r\\n\\r\\n$`),
    "open",
  ],
  ["trailers", started(`${first}${second}0\\r\\nx-checksum: 1\\r\\nx-more: 2\\r\\n\\r\\n$`), "open"],
];

const heads: readonly ShortRow[] = [
  ["garbage", /^\x16\x03\x01\0.\0this is not HTTP\r\n\r\n$/u, "fin"],
  ["http-09", new RegExp(`^${body}$`), "fin"],
  ["http-10", new RegExp(`^HTTP/1\\.0 200 OK\\r\\ncontent-type: [^\\r]*\\r\\n\\r\\n${body}$`), "fin"],
  ["http-2", /^HTTP\/2\.0 200 OK\r\n/, "fin"],
  ["status-line-junk", /^HTTP\/1\.1 2x0 OK\r\n/, "fin"],
  ["status-line-bare", /^HTTP\/1\.1 200\r\n/, "fin"],
  ["reason-nul", /^HTTP\/1\.1 200 OK\0\r\n/, "fin"],
  ["header-nul", /^HTTP\/1\.1 200 OK\r\nx-odd: a\0b\r\ncontent-type/, "open"],
  ["header-no-colon", /^HTTP\/1\.1 200 OK\r\nno colon here\r\n/, "open"],
  ["header-space", /^HTTP\/1\.1 200 OK\r\nx-odd : value\r\n/, "open"],
  ["header-folded", /^HTTP\/1\.1 200 OK\r\nx-odd: one\r\n two\r\n/, "open"],
  ["header-bare-cr", /^HTTP\/1\.1 200 OK\r\nx-odd: a\rset-cookie: b\r\n/, "open"],
  ["head-bare-lf", /^HTTP\/1\.1 200 OK\ncontent-type: [^\r\n]*\ncontent-length: \d+\n\n[{d]/, "fin"],
  ["head-large", /^HTTP\/1\.1 200 OK\r\nx-large: a{307200}\r\ncontent-type[^]*(?:\}|\n\n)$/, "open"],
  ["head-large-2", /^HTTP\/1\.1 200 OK\r\nx-large: a{2048}\r\n/, "open"],
  [
    "head-many",
    /^HTTP\/1\.1 200 OK\r\nx-filler-0: 0\r\n(?:x-filler-\d+: \d+\r\n){1999}content-type[^]*(?:\}|\n\n)$/,
    "open",
  ],
  ["continue", /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/, "open"],
  ["early-hints", /^HTTP\/1\.1 103 Early Hints\r\nlink: [^\r]*\r\n\r\nHTTP\/1\.1 200 OK\r\n/, "open"],
  ["cookies", /^HTTP\/1\.1 200 OK\r\nset-cookie: session=secret\r\n/, "open"],
  ["type-missing", new RegExp(`^HTTP/1\\.1 200 OK\\r\\ncontent-length: \\d+\\r\\n\\r\\n${body}$`), "open"],
  [
    "type-wrong",
    new RegExp(`^HTTP/1\\.1 200 OK\\r\\ncontent-type: text/plain\\r\\ncontent-length: \\d+\\r\\n\\r\\n${body}$`),
    "open",
  ],
];

describe.each(["buffered", "stream"] as const)("%s", (mode) => {
  testWire(wireRows(mode, [...lengths, ...chunks, ...heads]));
});

describe("the other mode's answer", () => {
  testWire([
    ...wireRows("stream", [["type-json", /content-type: application\/json\r\n[^]*\r\n\r\n\{"id":[^]*\}$/, "open"]]),
    ...wireRows("buffered", [
      ["type-stream", /content-type: text\/event-stream[^]*data: \[DONE\]\n\n\r\n0\r\n\r\n$/, "open"],
    ]),
  ]);
});
