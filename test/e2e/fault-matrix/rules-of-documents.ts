// The rules of JSON documents with status 200.

import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import { unusable, whole } from "./ending.ts";
import type { Rule } from "./rule.ts";

export const documentRules: readonly Rule[] = [
  {
    faults: [
      ...["json-cut", "json-empty", "json-blank", "json-null", "json-array", "json-string", "json-number", "json-junk"],
      ...["json-twice", "json-nan", "json-bad-utf8"],
    ],
    buffered: unusable,
    because:
      "Unparseable, absent, or no object: 502 provider returned empty response (2.9). JSON is UTF-8 (RFC 8259): half of all clients could not read anything else.",
  },
  {
    faults: ["json-deep", "json-endless"],
    buffered: unusable,
    because: "Deeper than 256 or over 32 MB (decision 11).",
  },
  {
    faults: ["large"],
    buffered: whole((model) => `${answerText(model)} ${"x".repeat(1 << 20)}`),
    because: "Size alone is no fault.",
  },
  {
    faults: ["json-object"],
    buffered: unusable,
    because: "No choices: 502 provider returned no choices (2.8).",
  },
  {
    faults: ["choices-missing", "choices-null"],
    buffered: unusable,
    where: { responses: { buffered: whole("") } },
    because:
      "No choices: 502 provider returned no choices (2.8); a completed response without output is delivered (2.9).",
  },
  {
    faults: ["choices-empty"],
    buffered: unusable,
    where: { responses: { buffered: whole("") }, messages: { buffered: whole("") } },
    because:
      "No choices: 502 provider returned no choices (2.8); a completed response without output is delivered (2.9), and so is a message that says why it ended without a word.",
  },
  { faults: ["message-missing"], buffered: whole(""), because: "A known field missing is an empty value (2.9)." },
  {
    faults: ["message-string"],
    buffered: unusable,
    where: { responses: { buffered: ({ isTranslated }) => (isTranslated ? unusable : whole("hello")) } },
    because:
      "A field that changed its type: 502 (2.9); as the content of a response's message a text is read by some clients, and passes where bytes do.",
  },
  {
    faults: ["choices-object", "choice-string", "content-number", "usage-string", "usage-strings"],
    buffered: unusable,
    because: "A field that changed its type: 502 failed to unmarshal response (2.9).",
  },
  {
    faults: ["usage-missing", "usage-zero", "usage-negative", "fields-new"],
    buffered: whole(),
    because: "Vanished usage and unknown fields change nothing for the caller (2.9).",
  },
];
