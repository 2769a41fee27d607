import { expect, test } from "bun:test";
import { failureOfTrouble } from "./classify.ts";
import type { HttpTrouble } from "./upstream/http-request.ts";

function trouble(kind: HttpTrouble["kind"], phase: HttpTrouble["phase"], message = "unused"): HttpTrouble {
  return { kind, phase, message, unsent: false };
}

test.each([
  ["connect", "connection refused", "failed to send request: provider openai-eu: connection refused"],
  ["connect", "host name not found", "failed to send request: provider openai-eu: host name not found"],
  ["headers", "connection reset", "failed to send request: provider openai-eu: connection reset"],
  ["body", "connection reset", "failed to read response: provider openai-eu: connection reset"],
] as const)("transport trouble in phase %p (%p) is a 502: %p", (phase, words, message) => {
  expect(failureOfTrouble(trouble("transport", phase, words), "openai-eu")).toMatchObject({
    origin: "transport",
    status: 502,
    type: "provider_error",
    code: null,
    message,
  });
});

test.each(["body_too_large", "content_encoding"])(
  "%p is an answer that cannot be used, not a transport error",
  (code) => {
    const failure = failureOfTrouble({ ...trouble("transport", "body", "words"), code }, "openai-eu");
    expect(failure).toMatchObject({ origin: "answer", status: 502 });
  },
);

test.each([
  ["connect", "request timed out: provider openai-eu could not be connected in time"],
  ["headers", "request timed out: provider openai-eu did not send response headers in time"],
  ["body", "request timed out: provider openai-eu did not finish its answer in time"],
  ["idle", "request timed out: provider openai-eu fell silent in the middle of its answer"],
  ["total", "request timed out: provider openai-eu did not answer in time"],
] as const)("a limit that ran out in phase %p is a 504: %p", (phase, message) => {
  expect(failureOfTrouble(trouble("timeout", phase), "openai-eu")).toMatchObject({
    origin: "timeout",
    status: 504,
    type: "provider_error",
    code: "request_timeout",
    message,
  });
});

test("an attempt that gave way says for how long it was waited", () => {
  const gaveWay = trouble("timeout", "give-way", "no first event within 12000 ms, and another target is left");
  expect(failureOfTrouble(gaveWay, "openai-eu")).toMatchObject({
    origin: "timeout",
    status: 504,
    code: "request_timeout",
    message: "request timed out: provider openai-eu: no first event within 12000 ms, and another target is left",
  });
});

test.each([
  ["client-left", "cancelled", 499, "request_canceled"],
  ["deadline", "deadline", 504, "request_timeout"],
  ["drain", "drain", 503, "shutting_down"],
] as const)("a request cancelled by %p is of origin %p with %p %p", (cancelReason, origin, status, code) => {
  const failure = failureOfTrouble({ ...trouble("cancelled", "headers"), cancelReason }, "openai-eu");
  expect(failure).toMatchObject({ origin, status, code });
});
