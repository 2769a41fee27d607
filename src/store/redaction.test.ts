// Credentials never reach the log, whatever they are called.

import { describe, expect, test } from "bun:test";
import { redactedBody, redactedText } from "./redaction.ts";

const canary = "c4n4ry-5ecret-value";

test("an error text keeps its words and loses the key that the provider quotes", () => {
  expect(redactedText("Incorrect API key provided: sk-proj-AbCdEf123456. Find yours at https://x.example.")).toBe(
    "Incorrect API key provided: [REDACTED] Find yours at https://x.example.",
  );
});

describe("bodies", () => {
  test("credential fields are replaced at every depth and in every case", () => {
    const body = {
      "x-goog-api-key": canary,
      "x-api-key": canary,
      "x-gomodel-key": canary,
      "x-access-token": canary,
      api_key: canary,
      deep: [{ Authorization: `x ${canary}\\"`, client_secret: canary }],
      max_tokens: 5,
    };
    expect(JSON.parse(redactedBody(JSON.stringify(body)))).toEqual({
      "x-goog-api-key": "[REDACTED]",
      "x-api-key": "[REDACTED]",
      "x-gomodel-key": "[REDACTED]",
      "x-access-token": "[REDACTED]",
      api_key: "[REDACTED]",
      deep: [{ Authorization: "[REDACTED]", client_secret: "[REDACTED]" }],
      max_tokens: 5,
    });
  });

  test("a value that was cut off is replaced up to the end", () => {
    expect(redactedBody(`{"password":"${canary}`)).toBe('{"password":"[REDACTED]"');
  });

  test("a prompt that talks about keys is left alone", () => {
    const body = '{"messages":[{"role":"user","content":"what is an api_key? and \\"password\\": \\"x\\""}]}';
    expect(redactedBody(body)).toBe(body);
  });
});
