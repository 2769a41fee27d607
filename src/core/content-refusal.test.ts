import { describe, expect, test } from "bun:test";
import { isContentRefusal } from "./content-refusal.ts";
import { errorTypeOf, Failure, type FailureDetails } from "./failure.ts";
import { mayFailOver } from "./failure-rules.ts";
import { statusList } from "./http-status.ts";
import type { FailoverPolicy } from "./policy.ts";

function failure(status: number, message: string, more: Partial<FailureDetails> = {}): Failure {
  return new Failure({ origin: "status", status, type: errorTypeOf(status), message, ...more });
}

/** Lists everything, so that only the refusal itself can keep a failure from moving on. */
const everything: FailoverPolicy = {
  enabled: true,
  maxAttempts: 0,
  statuses: statusList(["4xx", "5xx"]),
  phrases: [[""], ["400"], ["content"], ["policy"], ["upstream", "error"]],
  retriesBeforeFailover: -1,
};

describe("a refusal by content policy never fails over", () => {
  test.each([
    [400, "Your request was rejected as a result of our safety system.", "content_policy_violation"],
    [400, "Your request was rejected as a result of our safety system.", "moderation_blocked"],
    [400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "invalid_prompt"],
    [
      400,
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      "content_filter",
    ],
    [400, "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "400"],
    [400, "filtered", "ResponsibleAIPolicyViolation"],
    [400, "innererror: {'code': 'ResponsibleAIPolicyViolation'}", null],
    [400, "litellm.ContentPolicyViolationError: AzureException", "400"],
    [400, "AzureException", "ContentPolicyViolationError"],
    [400, "Upstream error from Azure: content_filter", null],
    [400, "Content Exists Risk", "invalid_request_error"],
    [400, "The request was rejected because it was considered high risk", null],
    [400, "Output data may contain inappropriate content.", "data_inspection_failed"],
    [403, "This model requires moderation. Your input was flagged for violence.", 403],
    [422, "Refused: content policy", null],
    // An error event at the beginning of a stream has no status of its own.
    [502, "The prompt was filtered", "content_filter"],
    [500, "The prompt was filtered", "CONTENT_FILTER"],
    [429, "The prompt was filtered", "content_filter"],
  ])("%d %p, code %p", (status, message, code) => {
    expect(isContentRefusal(failure(status, message, { code }))).toBe(true);
    expect(mayFailOver(failure(status, message, { code }), everything)).toBe(false);
  });
});

describe("what only speaks of content is none", () => {
  test.each([
    [500, "content filter service unavailable: content_filter did not answer", null],
    [503, "content policy backend is down", "overloaded"],
    [429, "Too many requests to the content_filter deployment", "rate_limit_exceeded"],
    [400, "messages[0].content must be a string", "invalid_type"],
    [400, "This model's maximum context length is 8192 tokens", "context_length_exceeded"],
    [404, "The model content-writer does not exist", "model_not_found"],
    [403, "Your project has no access to this model", null],
  ])("%d %p", (status, message, code) => {
    expect(isContentRefusal(failure(status, message, { code }))).toBe(false);
    expect(mayFailOver(failure(status, message, { code }), everything)).toBe(true);
  });

  test.each(["transport", "timeout", "answer", "request", "circuit-open"] as const)(
    "nor is a failure of origin %s",
    (origin) => {
      expect(isContentRefusal(failure(400, "content_filter", { origin, code: "content_filter" }))).toBe(false);
    },
  );
});
