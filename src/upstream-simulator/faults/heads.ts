// Status lines and header fields, right and wrong.

import type { Asked } from "../asked.ts";
import { bothModes, faultGroup, numberOr, oneNumber } from "../fault.ts";
import { head, jsonType, lengthOf, type HeaderLine } from "../http-answer.ts";
import { rightAnswer, rightContent } from "../right-answer.ts";
import { fin, flood, repeat, write, type Step } from "../step.ts";

/** A whole answer in which only the status line is this. */
function withStatusLine(asked: Asked, line: string): readonly Step[] {
  const { type, body } = rightContent(asked);
  const whole = head(asked, 200, [type, lengthOf(body), ["connection", "close"]]);
  return [write(line, whole.slice(whole.indexOf("\r\n")), body), fin];
}

/** A whole answer with these raw lines in front of its own fields. */
function withLines(asked: Asked, lines: string): readonly Step[] {
  const { type, body } = rightContent(asked);
  const whole = head(asked, 200, [type, lengthOf(body)]);
  const start = whole.indexOf("\r\n") + 2;
  return [write(whole.slice(0, start), lines, whole.slice(start), body)];
}

const manyLines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `x-filler-${index}: ${index}\r\n`).join("");

const early = (asked: Asked, status: number, ...headers: readonly HeaderLine[]): string =>
  head({ ...asked, extraHeaders: [] }, status, headers);

export const headFaults = faultGroup("framing", bothModes, [
  {
    name: "garbage",
    sentence: "Bytes that are not HTTP, then FIN.",
    plan: () => [write(new Uint8Array([0x16, 0x03, 0x01, 0x00, 0xff, 0x00]), "this is not HTTP\r\n\r\n"), fin],
  },
  {
    name: "http-09",
    sentence: "The body without any head (HTTP/0.9), then FIN.",
    plan: (asked) => [write(rightContent(asked).body), fin],
  },
  {
    name: "http-10",
    sentence: "A right HTTP/1.0 answer, ended by FIN.",
    whole: true,
    plan: (asked) => {
      const { type, body } = rightContent(asked);
      return [write(head(asked, 200, [type]).replace("HTTP/1.1", "HTTP/1.0"), body), fin];
    },
  },
  {
    name: "http-2",
    sentence: "A status line of HTTP/2.",
    plan: (asked) => withStatusLine(asked, "HTTP/2.0 200 OK"),
  },
  {
    name: "status-line-junk",
    sentence: "A status that is no number.",
    plan: (asked) => withStatusLine(asked, "HTTP/1.1 2x0 OK"),
  },
  {
    name: "status-line-bare",
    sentence: "A right answer without a reason phrase.",
    whole: true,
    plan: (asked) => withStatusLine(asked, "HTTP/1.1 200"),
  },
  {
    name: "reason-nul",
    sentence: "A NUL byte in the reason phrase.",
    plan: (asked) => withStatusLine(asked, "HTTP/1.1 200 OK\0"),
  },
  {
    name: "header-nul",
    sentence: "A NUL byte in the value of a header field.",
    plan: (asked) => withLines(asked, "x-odd: a\0b\r\n"),
  },
  {
    name: "header-no-colon",
    sentence: "A header line without a colon.",
    plan: (asked) => withLines(asked, "no colon here\r\n"),
  },
  {
    name: "header-space",
    sentence: "A space between a field name and its colon.",
    plan: (asked) => withLines(asked, "x-odd : value\r\n"),
  },
  {
    name: "header-folded",
    sentence: "A field value continued on the next line.",
    plan: (asked) => withLines(asked, "x-odd: one\r\n two\r\n"),
  },
  {
    name: "header-bare-cr",
    sentence: "A lone CR in the value of a header field.",
    plan: (asked) => withLines(asked, "x-odd: a\rset-cookie: b\r\n"),
  },
  {
    name: "head-bare-lf",
    sentence: "Header lines that end in LF alone.",
    plan: (asked) => {
      const { type, body } = rightContent(asked);
      return [write(head(asked, 200, [type, lengthOf(body)]).replaceAll("\r\n", "\n"), body), fin];
    },
  },
  {
    name: "head-large",
    sentence: "One header field of so many kilobytes (300).",
    parameters: oneNumber,
    examples: ["head-large"],
    plan: (asked, [, kilobytes]) => withLines(asked, `x-large: ${"a".repeat(numberOr(kilobytes, 300) * 1024)}\r\n`),
  },
  {
    name: "head-many",
    sentence: "So many header fields (2000).",
    parameters: oneNumber,
    examples: ["head-many"],
    plan: (asked, [, count]) => withLines(asked, manyLines(numberOr(count, 2000))),
  },
  {
    name: "head-endless",
    sentence: "Header fields for ever.",
    plan: () => [write("HTTP/1.1 200 OK\r\n"), flood(manyLines(500))],
  },
  {
    name: "continue",
    sentence: "100 Continue, then a right answer.",
    whole: true,
    plan: (asked) => [write(early(asked, 100), rightAnswer(asked))],
  },
  {
    name: "early-hints",
    sentence: "103 Early Hints with fields, then a right answer.",
    whole: true,
    plan: (asked) => [write(early(asked, 103, ["link", "</style.css>; rel=preload"]), rightAnswer(asked))],
  },
  {
    name: "informational-endless",
    sentence: "102 every so many milliseconds (20) for ever, never an answer.",
    parameters: oneNumber,
    plan: (asked, [, everyMs]) => [repeat(numberOr(everyMs, 20), early(asked, 102))],
  },
  {
    name: "cookies",
    sentence: "A right answer with fields that are nobody else's business.",
    whole: true,
    plan: (asked) =>
      withLines(asked, "set-cookie: session=secret\r\nserver: simulator\r\nx-api-key: sk-echo\r\nalt-svc: h3\r\n"),
  },
  {
    name: "type-missing",
    sentence: "A right body without a content-type.",
    whole: true,
    plan: (asked) => {
      const { body } = rightContent(asked);
      return [write(head(asked, 200, [lengthOf(body)]), body)];
    },
  },
  {
    name: "type-wrong",
    sentence: "A right body under text/plain.",
    whole: true,
    plan: (asked) => {
      const { body } = rightContent(asked);
      return [write(head(asked, 200, [["content-type", "text/plain"], lengthOf(body)]), body)];
    },
  },
  {
    name: "type-json",
    sentence: "A right JSON document for a request that wanted a stream.",
    modes: ["stream"],
    plan: (asked) => {
      const { body } = rightContent({ ...asked, mode: "buffered" });
      return [write(head(asked, 200, [jsonType, lengthOf(body)]), body)];
    },
  },
  {
    name: "type-stream",
    sentence: "A right stream for a request that wanted one document.",
    modes: ["buffered"],
    plan: (asked) => [write(rightAnswer({ ...asked, mode: "stream" }))],
  },
]);
