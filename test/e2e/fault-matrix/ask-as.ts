// A caller's request in its own dialect.

import type { Cell } from "./cell.ts";
import type { Asking } from "./speakers.ts";

const paths: Readonly<Record<Asking, string>> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

/** Faults that are about several choices, which only chat completions can ask for. */
const severalChoices = /^(?:two-choices|cut-after-first-finish)$/;

const documentUrl = "https://files.test/a.pdf";

export function askAs(
  { asks, speaks, fault, model, mode, virtualModel }: Cell,
  gatewayUrl: string,
  signal: AbortSignal,
) {
  // A document by its URL has no place in chat completions: openai is asked in Responses for its sake.
  const withFile = speaks === "responses" && asks === "messages";
  const several = asks === "chat-completions" && severalChoices.test(fault.name) ? { n: 2 } : {};
  const body = { model, stream: mode === "stream", ...several, ...said(asks, withFile) };
  return fetch(`${gatewayUrl}${paths[asks]}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal,
    keepalive: false,
    headers: { "content-type": "application/json", "x-request-id": virtualModel },
  });
}

function said(asks: Asking, withFile: boolean): object {
  const document = { type: "document", source: { type: "url", url: documentUrl } };
  const text = { type: "text", text: "Hello" };
  switch (asks) {
    case "chat-completions":
      return { messages: [{ role: "user", content: "Hello" }] };
    case "responses":
      return { input: "Hello" };
    case "messages":
      return { max_tokens: 1000, messages: [{ role: "user", content: withFile ? [text, document] : "Hello" }] };
  }
}
