// The chat quirks of the types that have most of them.

import { describe, expect, test } from "bun:test";
import { failureOf, shaped, table } from "../../test/support/shaped-chat.ts";
import type { Row } from "../../test/support/shaped-chat.ts";

describe("openai", () => {
  const limit = '{"max_tokens":5}';
  const newLimit = '{"max_completion_tokens":5}';
  table("openai", [
    ["o1", limit, newLimit],
    ["o3-mini", limit, newLimit],
    ["o4-mini-2025-04-16", limit, newLimit],
    ["gpt-5", limit, newLimit],
    ["gpt-5-nano", limit, newLimit],
    ["gpt-5.1-codex", limit, newLimit],
    ["gpt-6", limit, newLimit],
    ["gpt-10-mini", limit, newLimit],
    ["ft:o4-mini-2025-04-16:org::id", limit, newLimit],
    ["gpt-4o", limit, limit],
    ["gpt-4.1", limit, limit],
    ["gpt-35-turbo", limit, limit],
    ["gpt-3.5-turbo", limit, limit],
    ["omni-moderation-latest", limit, limit],
    ["gpt-oss-120b", limit, limit],
    ["my-gpt-5", limit, limit],
    ["gpt-5", '{"max_completion_tokens":7}', '{"max_completion_tokens":7}'],
    ["gpt-5", '{"max_tokens":5,"max_completion_tokens":7}', '{"max_completion_tokens":7}'],
    ["gpt-5", '{"max_tokens":5,"max_completion_tokens":null}', '{"max_completion_tokens":5}'],
    ["gpt-5", '{"a": 1,\n "temperature": 0.2,\n "b": 1}', '{"a": 1,\n "b": 1}'],
    ["gpt-4o", '{"temperature":0.2,"stop":"x"}', '{"temperature":0.2,"stop":"x"}'],
    ["gpt-5", '{"top_p":0.5,"stop":null,"x_unknown":[1.0]}', '{"top_p":0.5,"stop":null,"x_unknown":[1.0]}'],
    ["gpt-5", '{"reasoning":{"effort":"high"}}', '{"reasoning_effort":"high"}'],
    ["gpt-5", '{"reasoning":{"effort":"high"},"reasoning_effort":"low"}', '{"reasoning_effort":"high"}'],
    ["gpt-5", '{"reasoning_effort":"minimal"}', '{"reasoning_effort":"minimal"}'],
    ["gpt-4o", '{"reasoning_effort":"low"}', "{}"],
    ["gpt-4o", '{"reasoning":{"effort":"low"},"n":1}', '{"n":1}'],
    ["llama-3", '{"reasoning":{"effort":"low"}}', '{"reasoning":{"effort":"low"}}'],
  ]);

  test.each([
    ['{"stop":"END"}', ["END"], "{}"],
    ['{"stop":["a","b"],"n":1}', ["a", "b"], '{"n":1}'],
    ['{"stop":"\\u0045ND"}', ["END"], "{}"],
    ['{"stop":[]}', [], '{"stop":[]}'],
    ['{"stop":7}', [], '{"stop":7}'],
    ['{"stop":["a",7]}', [], '{"stop":["a",7]}'],
    ['{"stop":""}', [], '{"stop":""}'],
  ])("gpt-5: of %s the gateway stops at %p and %s goes out", (sent, stop, received) => {
    expect(shaped("openai", "gpt-5", sent)).toEqual({ body: received, stop });
  });

  test("the rules go by the id, also at a base URL of one's own", () => {
    expect(shaped("openai", "gpt-5", limit, { baseUrl: "http://127.0.0.1:1" }).body).toBe(newLimit);
  });
});

describe("azure", () => {
  table("azure", [
    ["o1", '{"max_tokens":5,"temperature":1}', '{"max_completion_tokens":5}'],
    ["gpt-35-turbo", '{"max_tokens":5,"temperature":1}', '{"max_tokens":5,"temperature":1}'],
  ]);
});

describe("groq", () => {
  table("groq", [
    ["openai/gpt-oss-120b", '{"reasoning_effort":"low"}', '{"reasoning_effort":"low"}'],
    ["qwen/qwen3-32b", '{"reasoning_effort":"none"}', '{"reasoning_effort":"none"}'],
    ["qwen/qwen3-32b", '{"reasoning":{"effort":"low"}}', '{"reasoning_effort":"low"}'],
    ["llama-3.3-70b-versatile", '{"reasoning_effort":"low","n":1}', '{"n":1}'],
    ["llama-3.3-70b-versatile", '{"reasoning":{"effort":"low"},"reasoning_effort":"low"}', "{}"],
    ["llama-3.3-70b-versatile", '{"reasoning":{"x":1}}', '{"reasoning":{"x":1}}'],
  ]);
});

describe("deepseek", () => {
  const efforts = [
    ["low", "high"],
    ["medium", "high"],
    ["high", "high"],
    ["xhigh", "max"],
    ["max", "max"],
    ["none", "none"],
    ["constructor", "constructor"],
  ] as const;
  table("deepseek", [
    ...efforts.map(([asked, sent]): Row => ["r", `{"reasoning_effort":"${asked}"}`, `{"reasoning_effort":"${sent}"}`]),
    ...efforts.map(([asked, sent]): Row => [
      "r",
      `{"reasoning":{"effort":"${asked}"}}`,
      `{"reasoning_effort":"${sent}"}`,
    ]),
    ["r", '{"reasoning_effort":7}', '{"reasoning_effort":7}'],
    ["r", '{"response_format":{"type":"json_object"}}', '{"response_format":{"type":"json_object"}}'],
    ["r", '{"response_format":{"type":"text"}}', '{"response_format":{"type":"text"}}'],
    [
      "r",
      '{"messages":[ {"role":"user","content":"grün 1.0"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}',
      '{"messages":[{"role":"system","content":"Answer with one JSON object and nothing else. It must be valid against this JSON Schema:\\n{\\"type\\":\\"object\\"}"}, {"role":"user","content":"grün 1.0"}],"response_format":{"type":"json_object"}}',
    ],
    [
      "r",
      '{"messages":[],"response_format":{"type":"json_schema"}}',
      '{"messages":[{"role":"system","content":"Answer with one JSON object and nothing else."}],"response_format":{"type":"json_object"}}',
    ],
  ]);

  test("with DEEPSEEK_JSON_SCHEMA_MODE=error a schema is a 400 that names field and provider", () => {
    const options = { DEEPSEEK_JSON_SCHEMA_MODE: "error" };
    const failure = failureOf(() => shaped("deepseek", "r", '{"response_format":{"type":"json_schema"}}', { options }));
    expect(failure).toMatchObject({
      origin: "request",
      status: 400,
      type: "invalid_request_error",
      param: "response_format",
      message: "response_format json_schema is not supported by provider my-deepseek (DEEPSEEK_JSON_SCHEMA_MODE=error)",
    });
  });
});

describe("xai", () => {
  const effort = (value: string) => `{"reasoning_effort":"${value}"}`;
  table("xai", [
    ...["none", "low", "medium", "high"].map((value): Row => ["grok-4.6", effort(value), effort(value)]),
    ["grok-4.6", effort("xhigh"), effort("xhigh")],
    ["grok-4.6-fast", effort("max"), effort("xhigh")],
    ["grok-5", effort("max"), effort("xhigh")],
    ["grok-4-7", effort("max"), effort("xhigh")],
    ["grok-4.20-multi-agent-0309", effort("max"), effort("xhigh")],
    ["grok-4.20-0309-reasoning", effort("max"), effort("high")],
    ["grok-4.3", effort("xhigh"), effort("high")],
    ["grok-4-0709", effort("xhigh"), effort("high")],
    ["grok-4-1-fast-reasoning", effort("max"), effort("high")],
    ["grok-3-mini", effort("max"), effort("high")],
    ["grok-3-mini-fast", effort("low"), effort("low")],
    ["grok-3", effort("low"), "{}"],
    ["grok-3-fast", effort("low"), "{}"],
    ["grok-2-1212", effort("low"), "{}"],
    ["grok-build-0.1", effort("low"), "{}"],
    ["grok-4-1-fast-non-reasoning", effort("low"), "{}"],
    ["grok-4.6", '{"reasoning":{"effort":"max"},"n":1}', '{"n":1,"reasoning_effort":"xhigh"}'],
  ]);
});
