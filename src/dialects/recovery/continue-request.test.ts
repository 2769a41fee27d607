// The request that asks to go on, made from the caller's bytes.

import { expect, test } from "bun:test";
import { chatRequest } from "../../../test/streams/recover-stream.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { continueRequest } from "./continue-request.ts";

const user = '{"role":"user","content":"hi"}';

function continued(body: string, text: string): string | undefined {
  const request = continueRequest(chatRequest(body), text);
  if (request === undefined) return undefined;
  // Whoever edits it next relies on the places of its members.
  expect<unknown>(request.members).toEqual(scanObject(request.body, maxJsonDepth));
  return new TextDecoder().decode(request.body);
}

test("the message is added in the caller's bytes, and every other byte stays", () => {
  const body = `\n{ "model" : "m",\t"messages":[ ${user} \n], "temperature":1.0, "n":1, "x":{"messages":[1]}, "big":12345678901234567890 }`;
  expect(continued(body, 'So "far"\n😀')).toBe(
    body.replace("\n]", '\n,{"role":"assistant","content":"So \\"far\\"\\n😀"}]'),
  );
  const first = `{"messages":[${user}],"model":"m"}`;
  expect(continued(first, "a")).toBe(first.replace("]", ',{"role":"assistant","content":"a"}]'));
  const escaped = `{"model":"m","mess\\u0061ges":[${user}]}`;
  expect(continued(escaped, "a")).toBe(escaped.replace("]", ',{"role":"assistant","content":"a"}]'));
});

test.each([
  ["there is no text", `[${user}]`, ""],
  ["the text ends in a space", `[${user}]`, "one "],
  ["the text ends in a line end", `[${user}]`, "one\n\n"],
  ["the text ends in what only Python takes for white space", `[${user}]`, "one\u0085"],
  ["the text ends inside a character", `[${user}]`, "one \ud83d"],
  ["the text has half a character", `[${user}]`, "\ude00 one"],
  ["the last message is from the assistant", `[${user},{"role":"assistant","content":"On"}]`, "one"],
  ["there are no messages", "[]", "one"],
  ["messages are no list", '"hi"', "one"],
  ["messages are null", "null", "one"],
  ["the last message is no object", `[${user},1]`, "one"],
])("undefined when %s", (_name, messages, text) => {
  expect(continued(`{"model":"m","messages":${messages}}`, text)).toBeUndefined();
});

test("undefined when messages are missing or given twice", () => {
  expect(continued('{"model":"m"}', "one")).toBeUndefined();
  expect(continued(`{"model":"m","messages":[${user}],"messages":[${user}]}`, "one")).toBeUndefined();
});
