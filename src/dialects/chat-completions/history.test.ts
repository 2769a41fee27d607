import { expect, test } from "bun:test";
import { requestOf } from "../../../test/support/provider-bench.ts";
import { editObject } from "../json/edit-object.ts";
import { cleanChatHistory } from "./history.ts";

const history = [
  { role: "user", content: "extra_content" },
  {
    role: "assistant",
    content: null,
    extra_content: { anthropic: { thinking_blocks: [{ type: "thinking", thinking: "a", signature: "s" }] } },
    tool_calls: [
      {
        id: "c",
        type: "function",
        function: { name: "f", arguments: "{}" },
        extra_content: { google: { thought_signature: "g" }, anthropic: {} },
      },
    ],
  },
];

function sentTo(issuer: string): unknown {
  const request = requestOf({ messages: history });
  const body = editObject(request.body, request.members, cleanChatHistory(request, issuer));
  return JSON.parse(new TextDecoder().decode(body)).messages;
}

test("each vendor gets its own objects and nobody else's", () => {
  expect(sentTo("google")).toEqual([
    history[0],
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "c",
          type: "function",
          function: { name: "f", arguments: "{}" },
          extra_content: { google: { thought_signature: "g" } },
        },
      ],
    },
  ]);
  expect(JSON.stringify(sentTo("openai"))).not.toContain("thought_signature");
});

test("a history without any passes as it is", () => {
  expect(cleanChatHistory(requestOf({ messages: [{ role: "user", content: "hi" }] }), "openai")).toEqual([]);
});
