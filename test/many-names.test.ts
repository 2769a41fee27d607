// Requests that name very many things: the time they take grows with their size and not with its square, as one thread serves everybody.

import { expect, test } from "bun:test";
import type { ChatRequest, Dialect } from "../src/core/chat-request.ts";
import type { TranslationTarget } from "../src/core/translation.ts";
import { chatCompletionsTranslator } from "../src/dialects/chat-completions/translator.ts";
import { meetsStrictRules } from "../src/dialects/chat-completions/strict-schema.ts";
import { geminiTranslator } from "../src/dialects/gemini/translator.ts";
import { isStrictSchema } from "../src/dialects/messages/strict-schema.ts";
import { messagesTranslator } from "../src/dialects/messages/translator.ts";
import { responsesTranslator } from "../src/dialects/responses/translator.ts";

const count = 60_000;
const names = Array.from({ length: count }, (_, index) => `tool_${index}`);
/** Ten times what it takes on a slow machine, a tenth of what the square of it takes. */
const limitMs = 1500;

const encoders = {
  "chat-completions": chatCompletionsTranslator.encodeRequest,
  responses: responsesTranslator.encodeRequest,
  messages: messagesTranslator.encodeRequest,
  gemini: geminiTranslator.encodeRequest,
} satisfies Record<Dialect, unknown>;

const target: TranslationTarget = {
  providerName: "p",
  providerType: "openai",
  model: "m",
  issuer: "openai",
  accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: false },
  defaultMaxTokens: 4096,
  dropped: () => undefined,
};

const choosy: ChatRequest = {
  dialect: "responses",
  model: "m",
  stream: false,
  wantsStreamUsage: false,
  messages: [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }],
  tools: names.map((name) => ({ kind: "function", name })),
  toolChoice: { kind: "allowed", required: true, names },
  own: [],
  unknown: {},
};

test.each(Object.entries(encoders))(
  "a choice of 60,000 tools is written for %s in less than 1.5 s",
  (_dialect, encode) => {
    const started = performance.now();
    const written = encode(choosy, target);
    expect(performance.now() - started).toBeLessThan(limitMs);
    expect(written).toContain("tool_59999");
  },
);

test("a schema with 60,000 required properties is judged in less than 1.5 s", () => {
  const schema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names.toReversed(),
    additionalProperties: false,
  };
  for (const judge of [isStrictSchema, meetsStrictRules]) {
    const started = performance.now();
    expect(judge(schema)).toBe(true);
    expect(performance.now() - started).toBeLessThan(limitMs);
  }
});

test("a choice that allows a tool nobody defined says which", () => {
  const request: ChatRequest = { ...choosy, toolChoice: { kind: "allowed", required: false, names: ["tool_1", "no"] } };
  expect(() => messagesTranslator.encodeRequest(request, target)).toThrow(
    '`tool_choice` allows the tool "no", which is not among `tools`',
  );
});
