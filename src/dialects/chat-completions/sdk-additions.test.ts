// What OpenAI's SDK adds to the messages that it returns comes back in a history, and no provider knows it.

import { expect, test } from "bun:test";
import { requestOf } from "../../../test/support/provider-bench.ts";
import { chatCompletionsTranslator } from "./translator.ts";

test("what the SDK parsed of a content and of arguments is no member that a provider gets", () => {
  const call = { name: "get_weather", arguments: "{}", parsed_arguments: {} };
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello", refusal: null, parsed: null },
    { role: "assistant", content: '{"a":1}', parsed: { a: 1 } },
    { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: call }], later: 1 },
  ];
  const hub = chatCompletionsTranslator.decodeRequest(requestOf({ messages }));
  expect(hub.messages.slice(1)).toEqual([
    { role: "assistant", parts: [{ kind: "text", text: "Hello" }] },
    { role: "assistant", parts: [{ kind: "text", text: '{"a":1}' }] },
    {
      role: "assistant",
      parts: [{ kind: "tool-call", id: "c", name: "get_weather", arguments: "{}", toolKind: "function" }],
      unknown: { later: 1 },
    },
  ]);
});
