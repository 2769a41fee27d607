// Under the strong profile a request that is too long for one model goes on to the next: what providers really say of it, from their
// public bug trackers and documentation, through the reader of error bodies and the rules of failover.

import { describe, expect, test } from "bun:test";
import { failureOfErrorBody } from "../src/dialects/answers/error-body.ts";
import { mayFailOver } from "../src/core/failure-rules.ts";
import { loaded } from "./support/load-config.ts";

const classic = loaded({}).config.failover;
const strong = loaded({ env: { RESILIENCE_PROFILE: "strong" } }).config.failover;

function failureOf(status: number, body: unknown) {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return failureOfErrorBody({ status, body: bytes, providerName: "p", headers: [], retryAfterMs: undefined });
}

const error = (message: string, more: Record<string, unknown> = {}) => ({ error: { message, ...more } });
const requested = (limit: number, asked: number): string =>
  `This model's maximum context length is ${limit} tokens. However, you requested ${asked} tokens (${asked - 2000} in the messages, 2000 in the completion). Please reduce the length of the messages or completion.`;

describe("a request that is too long", () => {
  const tooLong: readonly (readonly [string, number, unknown])[] = [
    [
      "OpenAI",
      400,
      error(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
        {
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded",
        },
      ),
    ],
    [
      "OpenAI, newer models",
      400,
      error("Your input exceeds the context window of this model. Please adjust your input and try again.", {
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded",
      }),
    ],
    [
      "Azure",
      400,
      error("Input tokens exceed the configured limit of 272000 tokens.", { code: "context_length_exceeded" }),
    ],
    [
      "Anthropic's words",
      400,
      {
        type: "error",
        ...error("prompt is too long: 208732 tokens > 200000 maximum", { type: "invalid_request_error" }),
      },
    ],
    ["vLLM", 400, { object: "error", message: requested(8192, 8203), type: "BadRequestError", param: null, code: 400 }],
    [
      "vLLM, newer",
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
        {
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      ),
    ],
    [
      "Groq",
      400,
      error("Please reduce the length of the messages or completion.", {
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      }),
    ],
    [
      "Groq, a body too large",
      413,
      error("Request Entity Too Large", { type: "invalid_request_error", code: "request_too_large" }),
    ],
    [
      "DeepSeek",
      400,
      error(requested(65_536, 66_343), { type: "invalid_request_error", param: null, code: "invalid_request_error" }),
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message:
          "Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_prompt",
        param: null,
        code: "3051",
      },
    ],
    [
      "OpenRouter",
      400,
      error(
        "This endpoint's maximum context length is 163840 tokens. However, you requested about 172900 tokens (4429 of text input, 4631 of tool input, 163840 in the output).",
        {
          code: 400,
        },
      ),
    ],
    ["a proxy's page", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>"],
  ];

  test.each(tooLong)("%s: fails over under strong, and is the answer under classic", (_, status, body) => {
    expect(mayFailOver(failureOf(status, body), strong)).toBe(true);
    expect(mayFailOver(failureOf(status, body), classic)).toBe(false);
  });

  test("the words count with status 400 only", () => {
    const body = error("This model's maximum context length is 8192 tokens", { code: "context_length_exceeded" });
    expect([401, 403, 404, 422].map((status) => mayFailOver(failureOf(status, body), strong))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("other mistakes of the caller stay the caller's", () => {
  test.each([
    [400, error("Invalid 'max_tokens': integer above maximum value", { code: "integer_above_max_value" })],
    [400, error("Invalid type for 'messages[0].content'", { code: "invalid_type" })],
    [400, error("'messages' is too long: maximum length 2048", { code: "array_above_max_length" })],
    [401, error("Incorrect API key provided", { code: "invalid_api_key" })],
    [422, error("Extra inputs are not permitted")],
  ])("%d %p", (status, body) => {
    expect(mayFailOver(failureOf(status, body), strong)).toBe(false);
  });
});

describe("a refusal for its content is nobody else's to answer", () => {
  const azure = {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: {
        code: "ResponsibleAIPolicyViolation",
        content_filter_result: { violence: { filtered: true, severity: "medium" } },
      },
    },
  };
  const anything = loaded({
    env: { FAILOVER_RETRY_ON_ERRORS: "400,content,prompt", FAILOVER_RETRY_ON_STATUSES: "4xx,5xx" },
  }).config.failover;

  test.each([
    [
      "OpenAI",
      400,
      error("Your request was rejected as a result of our safety system.", { code: "content_policy_violation" }),
    ],
    ["Azure", 400, azure],
    ["Azure, as a stream's first event", 200, azure],
    [
      "one that speaks of the context window as well",
      400,
      error("The prompt in the context window was too long to pass our content policy", {
        code: "content_policy_violation",
      }),
    ],
  ])("%s", (_, status, body) => {
    expect([classic, strong, anything].map((policy) => mayFailOver(failureOf(status, body), policy))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
