import { expect, test } from "bun:test";
import { Cancellation } from "../core/cancellation.ts";
import { callFacts } from "./call-facts.ts";
import { requestFields } from "./request-fields.ts";

function factsOf(id: string, headers: Readonly<Record<string, string>> = {}) {
  const body = { body: new TextEncoder().encode("{}"), members: [] };
  return callFacts(
    {
      ...body,
      id,
      operation: "chat-completions",
      model: "m",
      providerHint: undefined,
      stream: false,
      wantsStreamUsage: false,
      idempotencyKey: undefined,
      callerHeaders: { get: (name) => headers[name] ?? null },
      cancellation: new Cancellation(),
      deadline: undefined,
    },
    requestFields(body),
  );
}

test.each([
  ["r-1", "r-1"],
  ["x".repeat(512), "x".repeat(512)],
  ["x".repeat(513), undefined],
  ["", undefined],
  ["a b", undefined],
  ["a\r\nX: b", undefined],
  ["ä", undefined],
])("the request id %j is sent as %j", (id, expected) => {
  expect<string | undefined>(factsOf(id).requestId).toBe(expected);
});

test.each([
  ["plain text, with a comma", "plain text, with a comma"],
  ["  padded  ", "padded"],
  ["a\r\nX: b", undefined],
  ["a\0", undefined],
  ["ä", undefined],
  ["", undefined],
  ["x".repeat(1025), undefined],
])("the caller's header value %j is sent on as %j", (value, expected) => {
  expect<string | undefined>(factsOf("r", { "x-title": value }).callerHeader("x-title")).toBe(expected);
});

test.each([
  ["anthropic-beta", 8192, true],
  ["anthropic-beta", 8193, false],
  ["x-codex-turn-metadata", 8192, true],
  ["x-codex-turn-state", 8192, true],
  ["x-session-id", 1024, true],
  ["x-session-id", 1025, false],
])("%s of %d characters is sent on: %j", (name, length, sentOn) => {
  expect(factsOf("r", { [name]: "x".repeat(length) }).callerHeader(name)?.length).toBe(sentOn ? length : undefined);
});

test("a header that the caller did not send is absent", () => {
  expect(factsOf("r").callerHeader("x-title")).toBeUndefined();
});
