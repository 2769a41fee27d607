// What OpenAI's SDK adds to the items that it returns comes back in a history, and no provider knows it.

import { expect, test } from "bun:test";
import { requestOf } from "../../../test/support/provider-bench.ts";
import { responsesTranslator } from "./translator.ts";

test("what the SDK parsed of a text and of arguments is no member that a provider gets", () => {
  const input = [
    { role: "user", content: "Hi" },
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [], parsed: null }],
    },
    {
      type: "function_call",
      call_id: "c",
      name: "get_weather",
      arguments: "{}",
      parsed_arguments: {},
      status: "completed",
    },
    { type: "function_call", call_id: "d", name: "get_weather", arguments: "{}", parsed_arguments: null, later: 1 },
  ];
  const { messages } = responsesTranslator.decodeRequest(requestOf({ input }, { operation: "responses" }));
  const said = JSON.stringify(messages);
  expect(said).toContain("Hello");
  expect(said).toContain('"later":1');
  expect(said).not.toContain("parsed");
});
