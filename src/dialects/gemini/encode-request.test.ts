// Requests of the hub against what the documentation of generateContent takes.

import { describe, expect, test } from "bun:test";
import { messageRequests } from "../../../test/golden/gemini/message-requests.ts";
import { settingRequests } from "../../../test/golden/gemini/setting-requests.ts";
import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { encodeRequest } from "./encode-request.ts";

const empty: ChatRequest = {
  dialect: "chat-completions",
  model: "gemini",
  stream: false,
  wantsStreamUsage: false,
  messages: [],
  tools: [],
  own: [],
  unknown: {},
};

function encode(request: Partial<ChatRequest>, target: Partial<TranslationTarget> = {}) {
  const dropped: string[] = [];
  const body = encodeRequest(
    { ...empty, ...request },
    {
      providerName: "google",
      providerType: "gemini",
      model: "gemini-2.5-flash",
      issuer: "google",
      accepts: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
      defaultMaxTokens: 4096,
      dropped: (field) => dropped.push(field),
      ...target,
    },
  );
  return { body, dropped };
}

describe.each([
  ["messages", messageRequests],
  ["tools and settings", settingRequests],
] as const)("%s", (_name, cases) => {
  for (const { name, request, target, expected, dropped = [], refused } of cases) {
    test(name, () => {
      if (refused === undefined) {
        const encoded = encode(request, target);
        expect(JSON.parse(encoded.body)).toEqual(expected);
        expect(encoded.dropped).toEqual([...dropped]);
      } else {
        let failure: unknown;
        try {
          encode(request, target);
        } catch (error) {
          failure = error;
        }
        expect(failure).toMatchObject({ origin: "request", status: 400, ...refused });
      }
    });
  }
});

const asked = { role: "user", parts: [{ kind: "text", text: "Hi" }] } as const;
const callWith = (text: string) =>
  ({
    messages: [
      asked,
      { role: "assistant", parts: [{ kind: "tool-call", id: "c", name: "f", arguments: text, toolKind: "function" }] },
    ],
  }) as const;

test("numbers and odd names in arguments, results and schemas come out as they were written", () => {
  const written = '{"n":12345678901234567890.10,"__proto__":{"x":1e400}}';
  const { body } = encode({
    messages: [
      ...callWith(written).messages,
      { role: "tool", callId: "c", toolKind: "function", parts: [{ kind: "text", text: written }], isError: false },
    ],
    tools: [
      {
        kind: "function",
        name: "f",
        parameters: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      },
    ],
  });
  expect(body).toContain(`"args":${written}`);
  expect(body).toContain(`"response":${written}`);
  expect(body).toContain('"properties":{"__proto__":{"type":"string"}}');
});

test.each([["[1]"], ["{"], ["12345678901234567890"], ["null"]])("the arguments %s are refused", (text) => {
  expect(() => encode(callWith(text))).toThrow("the arguments of the tool call `f` must be one JSON object");
});

test("a result that only looks like JSON stays a text", () => {
  for (const text of ["[1,2]", "7", "{not json}"]) {
    const { body } = encode({
      messages: [
        ...callWith("{}").messages,
        { role: "tool", callId: "c", toolKind: "function", parts: [{ kind: "text", text }], isError: false },
      ],
    });
    expect(JSON.parse(body).contents[2].parts[0].functionResponse.response).toEqual({ output: text });
  }
});

test("an image in a result stands beside it before Gemini 3, and is left out where media are not taken", () => {
  const messages: ChatRequest["messages"] = [
    ...callWith("{}").messages,
    {
      role: "tool",
      callId: "c",
      toolKind: "function",
      parts: [{ kind: "image", source: { from: "data", mediaType: "image/png", data: "AA==" } }],
      isError: false,
    },
  ];
  const beside = [
    { functionResponse: { id: "c", name: "f", response: { output: "" } } },
    { inlineData: { mimeType: "image/png", data: "AA==" } },
  ];
  expect(JSON.parse(encode({ messages }).body).contents[2].parts).toEqual(beside);
  const without = { files: true, customTools: false, mediaInToolResults: false, reasoningContent: false };
  const { body, dropped } = encode({ messages }, { accepts: without });
  expect(JSON.parse(body).contents[2].parts).toEqual(beside.slice(0, 1));
  expect(dropped).toEqual(["image in a tool result"]);
});

test("a request without anything to say is refused by the caller's own field", () => {
  expect(() => encode({ dialect: "responses" })).toThrow("`input` has no text");
});
