import { describe, expect, test } from "bun:test";
import { providerAt, requestOf } from "../../test/support/provider-bench.ts";

const hello = { messages: [{ role: "user", content: "hello" }] };

describe("state without a mark, in a request that its first provider", () => {
  test.each([
    ["anthropic", "messages", "anthropic", "passes"],
    ["groq", "messages", "anthropic", "translates: it is the dialect owner's, for the answers of others are marked"],
    ["gemini", "messages", "anthropic", "translates"],
    ["openai", "responses", "openai", "passes"],
    ["vllm", "responses", "vllm", "passes, whoever owns the dialect"],
    ["anthropic", "responses", "openai", "translates"],
    ["groq", "chat-completions", "groq", "passes"],
  ] as const)("%s gets in %s is of %s: it %s", (type, operation, issuer) => {
    const provider = providerAt(1, { name: "a", type, apiKeys: ["k"] });
    expect(provider.unmarkedIssuer(requestOf(hello, { operation }), "m")).toBe(issuer);
  });
});
