// Requests of callers who speak another dialect, towards a provider who speaks Messages.

import { expect, test } from "bun:test";
import { foreignRequests, refusedRequests } from "./foreign-requests.ts";
import { golden, plainRequest } from "./run-golden.ts";

for (const { name, model = "claude-sonnet-4-5", hub, wire, dropped = [] } of foreignRequests) {
  test(`encoded: ${name}`, () => {
    const expected = { model, max_tokens: 4096, messages: [{ role: "user", content: "Hi" }], ...wire };
    expect(golden.encodeRequest({ ...plainRequest, ...hub }, model)).toEqual({ wire: expected, dropped: [...dropped] });
  });
}

for (const { name, hub, message } of refusedRequests) {
  test(`refused: ${name}`, () => {
    expect(() => golden.encodeRequest({ ...plainRequest, ...hub }, "claude-sonnet-4-5")).toThrow(message);
  });
}

test("the text of earlier thoughts goes to those who take it, without a signature", () => {
  const messages = [
    { role: "user", parts: [{ kind: "text", text: "Hi" }] },
    { role: "assistant", parts: [{ kind: "reasoning", text: "Hm" }] },
  ] as const;
  const accepts = { files: true, customTools: false, mediaInToolResults: true, reasoningContent: true };
  const { wire } = golden.encodeRequest({ ...plainRequest, messages }, "kimi-k2", { issuer: "kimi", accepts });
  expect(wire.messages).toEqual([
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "thinking", thinking: "Hm", signature: "" }] },
  ]);
});

test("where results may hold text alone, images in them are left out", () => {
  const parts = [
    { kind: "text", text: "Look" },
    { kind: "image", source: { from: "url", url: "https://example.com/a.png" } },
  ] as const;
  const messages = [{ role: "tool", callId: "c1", toolKind: "function", isError: false, parts }] as const;
  const accepts = { files: true, customTools: false, mediaInToolResults: false, reasoningContent: false };
  const { wire, dropped } = golden.encodeRequest({ ...plainRequest, messages }, "kimi-k2", { accepts });
  expect(wire.messages).toEqual([
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "Look" }] },
  ]);
  expect(dropped).toEqual(["messages[].content[].tool_result.content"]);
});

test("an unknown member whose name the dialect knows is left as it came where nothing else is said", () => {
  const { wire } = golden.encodeRequest({ ...plainRequest, unknown: { top_k: 5, model: "x" } }, "claude-sonnet-4-5");
  expect([wire.top_k, wire.model]).toEqual([5, "claude-sonnet-4-5"]);
});
