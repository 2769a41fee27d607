// JSON documents with status 200 that are no answer, or only just one.

import { answerText } from "../answer-text.ts";
import type { Asked } from "../asked.ts";
import { bothModes, faultGroup, numberOr, oneNumber } from "../fault.ts";
import { formsOf } from "../forms-of.ts";
import { chunk, chunkedBody, head, jsonType, sized } from "../http-answer.ts";
import { saidJson, textJson } from "../json-answer.ts";
import { said, type SaidUsage } from "../said.ts";
import { flood, write, type Bytes, type Step } from "../step.ts";
import { htmlPage } from "./statuses.ts";

const json = (asked: Asked, body: Bytes): readonly Step[] => [write(sized(asked, 200, jsonType, body))];

/** A right document but for its list of choices, or what the dialect has in its place. */
const listed = (asked: Asked, list: unknown): readonly Step[] =>
  json(asked, saidJson(asked, said(asked, "stop"), { [formsOf(asked).listMember]: list }));

/** A right document but for its usage. */
const counted = (asked: Asked, usage: unknown): readonly Step[] =>
  json(asked, textJson(asked, undefined, { [formsOf(asked).usageMember]: usage }));

const usageOf = (asked: Asked, usage: SaidUsage): object => formsOf(asked).usage(usage);

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** The document with `extra` as its last member. */
const withMember = (asked: Asked, extra: string): string => `${textJson(asked).slice(0, -1)},"extra":${extra}}`;

export const documentFaults = faultGroup(
  "document",
  ["buffered"],
  [
    {
      name: "json-cut",
      sentence: "A document that stops half-way, its length right.",
      plan: (asked) => json(asked, textJson(asked).slice(0, 60)),
    },
    { name: "json-empty", sentence: "200 with an empty body.", plan: (asked) => json(asked, "") },
    { name: "json-blank", sentence: "200 with white space alone.", plan: (asked) => json(asked, " \n ") },
    { name: "json-null", sentence: "The document null.", plan: (asked) => json(asked, "null") },
    {
      name: "json-array",
      sentence: "An array around the right document.",
      plan: (asked) => json(asked, `[${textJson(asked)}]`),
    },
    { name: "json-string", sentence: "A document that is a string.", plan: (asked) => json(asked, '"hello"') },
    { name: "json-number", sentence: "A document that is a number.", plan: (asked) => json(asked, "42") },
    { name: "json-object", sentence: "An empty object.", plan: (asked) => json(asked, "{}") },
    { name: "json-junk", sentence: "A body that is no JSON.", plan: (asked) => json(asked, "hello") },
    {
      name: "json-twice",
      sentence: "Two right documents in one body.",
      plan: (asked) => json(asked, textJson(asked).repeat(2)),
    },
    {
      name: "json-nan",
      sentence: "A member with the value NaN.",
      plan: (asked) => json(asked, withMember(asked, "NaN")),
    },
    {
      name: "json-bad-utf8",
      sentence: "A right document with bytes that are no UTF-8 in a string.",
      plan: (asked) => json(asked, badUtf8(asked)),
    },
    {
      name: "json-deep",
      sentence: "A right document with a member nested so deep (100,000).",
      parameters: /^(\d{0,6})$/,
      examples: ["json-deep"],
      plan: (asked, [, depth]) => json(asked, withMember(asked, nested(numberOr(depth, 100_000)))),
    },
    {
      name: "json-endless",
      sentence: "A document that never ends.",
      plan: (asked) => [write(head(asked, 200, [jsonType, chunkedBody])), flood(chunk("[".repeat(16_384)))],
    },
    {
      name: "large",
      sentence: "A right document of so many kilobytes (1024).",
      parameters: oneNumber,
      examples: ["large"],
      whole: true,
      plan: (asked, [, kilobytes]) => {
        const content = `${answerText(asked.model)} ${"x".repeat(numberOr(kilobytes, 1024) * 1024)}`;
        return listed(asked, formsOf(asked).listWithText(content));
      },
    },
    {
      name: "choices-missing",
      sentence: "A document without choices.",
      plan: (asked) => listed(asked, undefined),
    },
    {
      name: "choices-empty",
      sentence: "An empty list of choices.",
      whole: ["responses", "messages"],
      plan: (asked) => listed(asked, []),
    },
    { name: "choices-null", sentence: "Choices that are null.", plan: (asked) => listed(asked, null) },
    {
      name: "choices-object",
      sentence: "Choices that are an object.",
      plan: (asked) => listed(asked, {}),
    },
    {
      name: "choice-string",
      sentence: "A choice that is a string.",
      plan: (asked) => listed(asked, ["hello"]),
    },
    {
      name: "message-missing",
      sentence: "A choice without a message.",
      whole: ["gemini"],
      plan: (asked) => listed(asked, formsOf(asked).listWithMessage(undefined)),
    },
    {
      name: "message-string",
      sentence: "A message that is a string.",
      dialects: ["chat-completions", "responses", "gemini"],
      plan: (asked) => listed(asked, formsOf(asked).listWithMessage("hello")),
    },
    {
      name: "content-number",
      sentence: "Content that is a number.",
      plan: (asked) => listed(asked, formsOf(asked).listWithText(42)),
    },
    {
      name: "usage-string",
      sentence: "Usage that is a string.",
      plan: (asked) => counted(asked, "11 tokens"),
    },
    {
      name: "usage-strings",
      sentence: "Usage whose counts are strings.",
      plan: (asked) =>
        counted(
          asked,
          mapNumbers(usageOf(asked, { input: 11, output: 12 }), (count) => String(count)),
        ),
    },
    {
      name: "usage-missing",
      sentence: "A right document without usage.",
      whole: true,
      plan: (asked) => counted(asked, undefined),
    },
    {
      name: "usage-zero",
      sentence: "A right document whose usage is zero.",
      whole: true,
      plan: (asked) => counted(asked, usageOf(asked, { input: 0, output: 0 })),
    },
    {
      name: "usage-negative",
      sentence: "A right document whose usage is negative.",
      whole: true,
      plan: (asked) => counted(asked, usageOf(asked, { input: -11, output: -12 })),
    },
    {
      name: "fields-new",
      sentence: "A right document with members nobody knows, also dangerous names.",
      whole: true,
      plan: (asked) => json(asked, withMember(asked, '{"__proto__":{"polluted":true},"big":12345678901234567890}')),
    },
  ],
);

/** With every number in it, however deep, made something else. */
function mapNumbers(value: object, map: (count: number) => unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => (typeof member === "number" ? map(member) : member));
}

/** The marker's first letter becomes a lone continuation byte. */
function badUtf8(asked: Asked): Uint8Array {
  const bytes = Buffer.from(textJson(asked));
  bytes[bytes.indexOf('"[') + 2] = 0xbf;
  return bytes;
}

export const pageFaults = faultGroup("document", bothModes, [
  {
    name: "html",
    sentence: "200 with an HTML page.",
    plan: (asked) => [write(sized(asked, 200, ["content-type", "text/html; charset=utf-8"], htmlPage))],
  },
  {
    name: "html-as-right-type",
    sentence: "200 with an HTML page under the content-type that was wanted.",
    plan: (asked) => {
      const type = asked.mode === "stream" ? "text/event-stream" : "application/json";
      return [write(sized(asked, 200, ["content-type", type], htmlPage))];
    },
  },
]);
