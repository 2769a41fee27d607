// Which of a caller's headers a provider of the same dialect gets.

import { describe, expect, test } from "bun:test";
import type { Operation } from "../core/model-request.ts";
import { dialectHeaders } from "./dialect-headers.ts";

const sent: Readonly<Record<string, string>> = {
  "anthropic-version": "2026-10-21",
  "anthropic-beta": "a-2025-01-01,b-2025-02-02, c-2026-03-03",
  "openai-beta": "responses=experimental",
  originator: "codex_exec",
  "session-id": "s-1",
  session_id: "s-2",
  "thread-id": "t-1",
  version: "0.171.0",
  "x-client-request-id": "c-1",
  "x-codex-turn-metadata": '{"turn_id":"1"}',
  "x-codex-window-id": "w:0",
  "x-openai-internal-codex-responses-lite": "true",
  "x-app": "cli",
  "x-claude-code-session-id": "cc-1",
  "x-initiator": "agent",
  "x-interaction-type": "conversation-agent",
  "x-session-affinity": "ses_1",
  "x-session-id": "ses_2",
  authorization: "Bearer k",
  "x-api-key": "k",
  "x-goog-api-key": "k",
  cookie: "a=b",
  "openai-organization": "org",
  "anthropic-dangerous-direct-browser-access": "true",
  "x-stainless-timeout": "NOT_GIVEN",
  "idempotency-key": "i",
  "x-forwarded-for": "10.0.0.1",
};

const agents = {
  "x-app": "cli",
  "x-claude-code-session-id": "cc-1",
  "x-initiator": "agent",
  "x-interaction-type": "conversation-agent",
  "x-session-affinity": "ses_1",
  "x-session-id": "ses_2",
};
const anthropic = {
  "anthropic-version": "2026-10-21",
  "anthropic-beta": "a-2025-01-01,b-2025-02-02, c-2026-03-03",
  ...agents,
};
const openai = {
  "openai-beta": "responses=experimental",
  originator: "codex_exec",
  "session-id": "s-1",
  session_id: "s-2",
  "thread-id": "t-1",
  version: "0.171.0",
  "x-client-request-id": "c-1",
  "x-codex-turn-metadata": '{"turn_id":"1"}',
  "x-codex-window-id": "w:0",
  "x-openai-internal-codex-responses-lite": "true",
  ...agents,
};

describe("of everything that clients send", () => {
  test.each<[Operation, Record<string, string>]>([
    ["messages", anthropic],
    ["count-tokens", anthropic],
    ["responses", openai],
    ["chat-completions", openai],
    ["embeddings", {}],
  ])("%s sends on what matters there and no credentials", (operation, expected) => {
    const headers = dialectHeaders(operation, { callerHeader: (name) => sent[name] });
    expect(Object.fromEntries(headers)).toEqual(expected);
    expect(headers.length).toBe(Object.keys(expected).length);
  });
});

test("what was not sent is not made up", () => {
  expect(dialectHeaders("messages", { callerHeader: () => undefined })).toEqual([]);
});
