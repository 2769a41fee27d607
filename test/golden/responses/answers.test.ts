// Answers between the Responses dialect and the hub, against values written from the documentation.

import { describe, expect, test } from "bun:test";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import { decodedAnswers, refusedAnswers } from "./decode-answer.ts";
import { encodedAnswers } from "./encode-answer.ts";
import { answerContext, openaiOrigin } from "./fixtures.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("of a provider", () => {
  test.each(decodedAnswers.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const body = JSON.stringify({ id: "resp_1", object: "response", status: "completed", model: "m", ...one.wire });
    const { usage, ...answer } = responsesTranslator.decodeAnswer(bytes(body), openaiOrigin);
    const finish = one.finish ?? { reason: "stop", raw: "completed" };
    expect(answer).toEqual({
      id: "resp_1",
      model: "m",
      choices: [{ index: 0, parts: one.parts, finish }],
      ...one.answer,
    });
    if (one.usage === undefined) expect(usage).toBeUndefined();
    else expect(usage).toMatchObject(one.usage);
  });

  test.each(refusedAnswers)("%s is a 502", (body, message) => {
    expect(() => responsesTranslator.decodeAnswer(bytes(body), openaiOrigin)).toThrow(message);
  });
});

describe("for a caller", () => {
  test.each(encodedAnswers.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const choice = { index: 0, parts: one.parts, finish: one.finish ?? { reason: "stop" } } as const;
    const encoded = responsesTranslator.encodeAnswer(
      { choices: [choice], ...one.answer },
      answerContext(one.request ?? {}),
    );
    const response = JSON.parse(new TextDecoder().decode(encoded));
    expect(response.output).toEqual(one.output);
    expect(response).toMatchObject({ status: "completed", ...one.wire });
    expect(response.id).toMatch(/^resp_/);
  });
});
