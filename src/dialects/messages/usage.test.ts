// What is read of Anthropic's usage objects; figures from https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching.

import { expect, test } from "bun:test";
import { laterUsage, readMessagesUsage } from "./usage.ts";

test("cached tokens are beside the input tokens, and the total has all of them", () => {
  expect(
    readMessagesUsage({
      input_tokens: 50,
      cache_read_input_tokens: 100_000,
      cache_creation_input_tokens: 248,
      output_tokens: 503,
    }),
  ).toMatchObject({
    inputTokens: 50,
    cachedInputTokens: 100_000,
    cacheWriteTokens: 248,
    outputTokens: 503,
    totalTokens: 100_801,
    cacheIsExtra: true,
    unmappedFields: [],
  });
});

test("what was written to the cache is the sum of both ages where only these are told", () => {
  const byAge = { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 };
  expect(readMessagesUsage({ input_tokens: 1, cache_creation: byAge })?.cacheWriteTokens).toBe(556);
  expect(
    readMessagesUsage({ input_tokens: 1, cache_creation_input_tokens: 556, cache_creation: byAge })?.cacheWriteTokens,
  ).toBe(556);
});

test("tokens of thinking are part of the output", () => {
  const usage = { input_tokens: 1, output_tokens: 10, output_tokens_details: { thinking_tokens: 7 } };
  expect(readMessagesUsage(usage)).toMatchObject({ reasoningTokens: 7, outputTokens: 10, totalTokens: 11 });
});

test("positive counts without a rate are named, requests of server tools are none", () => {
  const raw = {
    input_tokens: 1,
    output_tokens: 2,
    image_tokens: 3,
    audio_count: 0,
    output_tokens_details: { dream_tokens: 4 },
    server_tool_use: { web_search_requests: 5 },
    service_tier: "standard",
  };
  expect(readMessagesUsage(raw)?.unmappedFields).toEqual(["image_tokens", "output_tokens_details.dream_tokens"]);
});

test("no counts are no usage, and counts beyond reason are none", () => {
  for (const raw of [undefined, null, 3, [], {}, { input_tokens: "1" }, { input_tokens: -1, output_tokens: 0.5 }]) {
    expect(readMessagesUsage(raw)).toBeUndefined();
  }
});

test("later counts win, null and what is left out keep what was told", () => {
  const start = { input_tokens: 25, cache_read_input_tokens: 5, output_tokens: 1, service_tier: "standard" };
  expect(laterUsage(start, { input_tokens: 30, cache_read_input_tokens: null, output_tokens: 9 })).toEqual({
    input_tokens: 30,
    cache_read_input_tokens: 5,
    output_tokens: 9,
    service_tier: "standard",
  });
});

test("a prompt of zeros after one that was told says nothing, a prompt that was all cached does", () => {
  const start = { input_tokens: 25, output_tokens: 1 };
  expect(laterUsage(start, { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 })).toEqual({
    input_tokens: 25,
    cache_read_input_tokens: 0,
    output_tokens: 9,
  });
  expect(laterUsage(start, { input_tokens: 0, cache_read_input_tokens: 25, output_tokens: 9 })).toEqual({
    input_tokens: 0,
    cache_read_input_tokens: 25,
    output_tokens: 9,
  });
});
