// A caller's request in its own dialect.

import type { Cell } from "./cell.ts";
import type { Asking } from "./speakers.ts";

const paths: Readonly<Record<Asking, string>> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Faults that are about several choices, which only chat completions can ask for. */
const severalChoices = /^(?:two-choices|cut-after-first-finish)$/;

export function askAs(
  { asks, speaks, fault, model, mode, virtualModel }: Cell,
  gatewayUrl: string,
  signal: AbortSignal,
) {
  // An image in the result of a tool has no place in chat completions: openai is asked in Responses for its sake.
  const withImage = speaks === "responses" && asks === "messages";
  const several = asks === "chat-completions" && severalChoices.test(fault.name) ? { n: 2 } : {};
  const body = { model, stream: mode === "stream", ...several, ...said(asks, withImage) };
  return fetch(`${gatewayUrl}${paths[asks]}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal,
    keepalive: false,
    headers: { "content-type": "application/json", "x-request-id": virtualModel },
  });
}

function said(asks: Asking, withImage: boolean): object {
  switch (asks) {
    case "chat-completions":
      return { messages: [{ role: "user", content: "Hello" }] };
    case "responses":
      return { input: "Hello" };
    case "messages":
      return { max_tokens: 1000, messages: [...(withImage ? imageHistory : []), { role: "user", content: "Hello" }] };
  }
}

const imageHistory: readonly object[] = [
  { role: "user", content: "Look" },
  { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "look", input: {} }] },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: onePixel } }],
      },
    ],
  },
  { role: "assistant", content: "A pixel" },
];
