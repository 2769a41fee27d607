// In which dialect a path is answered, and how a Messages client is told the id of its request.

import { describe, expect, test } from "bun:test";
import { clientDialects, dialectOfPath, nameRequestId } from "./client-dialects.ts";

const { messages, responses, "chat-completions": chat } = clientDialects;
const plain = new Headers();
const versioned = new Headers({ "anthropic-version": "2026-10-21" });

describe("the dialect of", () => {
  test.each([
    ["/v1/messages", plain, messages],
    ["/v1/messages/count_tokens", plain, messages],
    ["/v1/messages/", plain, messages],
    ["/v1/messages/batches/x", plain, messages],
    ["/v1/messagesx", plain, chat],
    ["/v1/responses", plain, responses],
    ["/v1/responses/resp_1/cancel", versioned, responses],
    ["/v1/chat/completions", versioned, chat],
    ["/v1/embeddings", plain, chat],
    ["/v1/models", plain, chat],
    ["/v1/models", versioned, messages],
    ["/v1/models/a/b", versioned, messages],
    ["/v1/models/a", plain, chat],
    ["/v1/modelsx", versioned, chat],
    ["/", versioned, chat],
    [undefined, versioned, chat],
  ])("%s", (path, headers, dialect) => {
    expect(dialectOfPath(path, headers)).toBe(dialect);
  });
});

test("every operation has one, and tokens are counted in that of messages", () => {
  expect(Object.keys(clientDialects).toSorted()).toEqual([
    "chat-completions",
    "count-tokens",
    "embeddings",
    "messages",
    "responses",
  ]);
  expect(clientDialects["count-tokens"]).toBe(messages);
  expect(clientDialects.embeddings).toBe(chat);
});

test("a Messages client finds the id under two names, everybody else under one", () => {
  const named = (dialect: typeof chat): Record<string, string> => {
    const headers: Record<string, string> = {};
    nameRequestId(headers, "r-1", dialect);
    return headers;
  };
  expect(named(messages)).toEqual({ "X-Request-ID": "r-1", "request-id": "r-1" });
  expect(named(responses)).toEqual({ "X-Request-ID": "r-1" });
  expect(named(chat)).toEqual({ "X-Request-ID": "r-1" });
});
