// Lengths and chunks, right and wrong.

import type { Asked } from "../asked.ts";
import { bothModes, faultGroup } from "../fault.ts";
import { chunk, chunkedBody, head, lastChunk, lengthOf, type HeaderLine } from "../http-answer.ts";
import { rightContent } from "../right-answer.ts";
import { fin, flood, hang, resetAfterData, write, type Bytes, type Step } from "../step.ts";

/** The right content under these framing headers. */
function framed(
  asked: Asked,
  frame: (body: string) => readonly HeaderLine[],
  ...end: readonly Step[]
): readonly Step[] {
  const { type, body } = rightContent(asked);
  return [write(head(asked, 200, [type, ...frame(body)]), body), ...end];
}

/** The right content in two chunks, with these bytes in place of what lies between, after or in front of them. */
function inChunks(
  asked: Asked,
  make: (first: string, second: string) => readonly Bytes[],
  ...end: readonly Step[]
): readonly Step[] {
  const { type, body } = rightContent(asked);
  return [write(head(asked, 200, [type, chunkedBody]), ...make(body.slice(0, 30), body.slice(30))), ...end];
}

const length = (value: string): HeaderLine => ["content-length", value];

export const framingFaults = faultGroup("framing", bothModes, [
  {
    name: "length",
    sentence: "A right answer with a content-length, streams too.",
    whole: true,
    plan: (asked) => framed(asked, (body) => [lengthOf(body)]),
  },
  {
    name: "chunked",
    sentence: "A right answer in two chunks, documents too.",
    whole: true,
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), chunk(second), lastChunk]),
  },
  {
    name: "until-close",
    sentence: "A right answer without length or chunks, ended by FIN.",
    whole: true,
    plan: (asked) => framed(asked, () => [["connection", "close"]], fin),
  },
  {
    name: "until-reset",
    sentence: "A right answer without length or chunks, ended by RST.",
    plan: (asked) => framed(asked, () => [["connection", "close"]], ...resetAfterData),
  },
  {
    name: "connection-close",
    sentence: "A right answer that announces the end of the connection, then FIN.",
    whole: true,
    plan: (asked) => framed(asked, (body) => [lengthOf(body), ["connection", "close"]], fin),
  },
  {
    name: "length-too-long",
    sentence: "A content-length ten bytes longer than the body, then FIN.",
    plan: (asked) => framed(asked, (body) => [lengthOf(body, 10)], fin),
  },
  {
    name: "length-too-long-hang",
    sentence: "A content-length ten bytes longer than the body, then silence.",
    plan: (asked) => framed(asked, (body) => [lengthOf(body, 10)], hang),
  },
  {
    name: "length-too-short",
    sentence: "A content-length ten bytes shorter than the body.",
    plan: (asked) => framed(asked, (body) => [lengthOf(body, -10)]),
  },
  {
    name: "length-twice",
    sentence: "Two content-lengths that differ.",
    plan: (asked) => framed(asked, (body) => [lengthOf(body), lengthOf(body, -10)]),
  },
  {
    name: "length-repeated",
    sentence: "The right content-length twice.",
    whole: true,
    plan: (asked) => framed(asked, (body) => [lengthOf(body), lengthOf(body)]),
  },
  {
    name: "length-and-chunked",
    sentence: "A chunked body under a content-length as well.",
    plan: (asked) => {
      const { type, body } = rightContent(asked);
      return [write(head(asked, 200, [type, lengthOf(body), chunkedBody]), chunk(body), lastChunk)];
    },
  },
  {
    name: "length-negative",
    sentence: "A content-length of -1.",
    plan: (asked) => framed(asked, () => [length("-1")], fin),
  },
  {
    name: "length-junk",
    sentence: "A content-length that is no number.",
    plan: (asked) => framed(asked, () => [length("12abc")], fin),
  },
  {
    name: "length-enormous",
    sentence: "A content-length beyond every number that can be held, then silence.",
    plan: (asked) => framed(asked, () => [length("9".repeat(30))], hang),
  },
  {
    name: "encoding-unknown",
    sentence: "A transfer-encoding nobody knows.",
    plan: (asked) => framed(asked, () => [["transfer-encoding", "zigzag"]], fin),
  },
  {
    name: "chunk-size-junk",
    sentence: "A second chunk whose size is no number.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), "zz\r\n", second, "\r\n", lastChunk], fin),
  },
  {
    name: "chunk-size-negative",
    sentence: "A second chunk of negative size.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), "-5\r\n", second, "\r\n", lastChunk], fin),
  },
  {
    name: "chunk-size-enormous",
    sentence: "A second chunk whose size has 20 hexadecimal digits, then silence.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), `${"f".repeat(20)}\r\n`, second], hang),
  },
  {
    name: "chunk-size-endless",
    sentence: "A size line that never ends.",
    plan: (asked) => inChunks(asked, (first) => [chunk(first)], flood("0".repeat(16_384))),
  },
  {
    name: "chunk-end-missing",
    sentence: "A first chunk that is not followed by a line end.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first).subarray(0, -2), chunk(second), lastChunk], fin),
  },
  {
    name: "chunk-too-long",
    sentence: "A second chunk that is longer than its content, then FIN.",
    plan: (asked) => inChunks(asked, (first) => [chunk(first), "ffff\r\n", "rest"], fin),
  },
  {
    name: "last-chunk-missing",
    sentence: "All chunks but the final empty one, then FIN.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), chunk(second)], fin),
  },
  {
    name: "last-chunk-cut",
    sentence: "The final chunk without its last line end, then FIN.",
    plan: (asked) => inChunks(asked, (first, second) => [chunk(first), chunk(second), "0\r\n"], fin),
  },
  {
    name: "chunk-extensions",
    sentence: "Right chunks with extensions and leading zeros.",
    whole: true,
    plan: (asked) =>
      inChunks(asked, (first, second) => {
        const size = (part: string): string => `000${Buffer.byteLength(part).toString(16).toUpperCase()};a=1;b="x y"`;
        return [`${size(first)}\r\n${first}\r\n${size(second)}\r\n${second}\r\n`, lastChunk];
      }),
  },
  {
    name: "trailers",
    sentence: "A right chunked answer with trailer fields.",
    whole: true,
    plan: (asked) =>
      inChunks(asked, (first, second) => [chunk(first), chunk(second), "0\r\nx-checksum: 1\r\nx-more: 2\r\n\r\n"]),
  },
  {
    name: "surplus",
    sentence: "A right answer followed at once by bytes that belong to nothing.",
    whole: true,
    plan: (asked) =>
      framed(asked, (body) => [lengthOf(body)], write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nghost")),
  },
]);
