// What is known of a Messages stream from the bytes that the caller got: what stands in the way of going on, and the text to go on from.

import { describe, expect, test } from "bun:test";
import {
  blockDelta,
  blockStart,
  blockStop,
  errorEventOf,
  messageDelta,
  messagesEvent,
  messageStart,
  messageStop,
  ping,
  textDelta,
} from "../../../test/support/messages-events.ts";
import { messagesRequest } from "../../../test/support/messages-request.ts";
import type { RecoveryObstacle } from "../../core/stream-recovery.ts";
import { followMessagesStream } from "./delivered-stream.ts";

const plainBody = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const encoder = new TextEncoder();

interface Known {
  readonly obstacle: RecoveryObstacle | undefined;
  /** Of the request that asks to go on. */
  readonly text: string | undefined;
}

function known(pieces: readonly (string | Uint8Array)[], body = plainBody): Known {
  const delivered = followMessagesStream(messagesRequest(body));
  for (const piece of pieces) delivered.took(typeof piece === "string" ? encoder.encode(piece) : piece);
  const obstacle = delivered.obstacle();
  const request = delivered.continuation();
  if (request === undefined) return { obstacle, text: undefined };
  const parsed: { messages: { role: string; content: string }[] } = JSON.parse(new TextDecoder().decode(request.body));
  expect(parsed.messages.at(-1)?.role).toBe("assistant");
  return { obstacle, text: parsed.messages.at(-1)?.content };
}

const begin = messageStart() + blockStart();

describe("nothing stands in the way of going on from", () => {
  test.each([
    ["text", begin + textDelta("one") + textDelta(" two"), "one two"],
    ["text with pings and comments between", `${begin}: x\n\n${textDelta("a")}${ping}${textDelta("")}`, "a"],
    ["text that its block begins with", messageStart() + blockStart(0, { type: "text", text: "ab" }), "ab"],
    ["text without citations", messageStart() + blockStart(0, { type: "text", text: "a", citations: [] }), "a"],
    ["a block that is closed", begin + textDelta("a") + blockStop(), "a"],
    ["two blocks of text", begin + textDelta("a") + blockStop() + blockStart(1) + textDelta("b", 1), "ab"],
    ["a report without a stop reason", begin + textDelta("a") + messageDelta(null), "a"],
    ["CRLF", (begin + textDelta("é😀")).replaceAll("\n", "\r\n"), "é😀"],
  ])("%s", (_name, stream, text) => {
    expect(known([stream])).toEqual({ obstacle: undefined, text });
  });

  test("text in any number of pieces, and in more than fits into one batch", () => {
    const long = Array.from({ length: 3000 }, (_, index) => textDelta(`word ${index},`));
    expect(known([begin, ...long]).text).toBe(Array.from({ length: 3000 }, (_, index) => `word ${index},`).join(""));
    expect(known([begin, textDelta("x".repeat(200_000))]).text?.length).toBe(200_000);
  });
});

describe("a fresh start it has to be", () => {
  test.each([
    ["without any text", begin, plainBody],
    ["behind white space", begin + textDelta("a "), plainBody],
    [
      "when the caller's last message is the assistant's",
      begin + textDelta("a"),
      '{"messages":[{"role":"assistant","content":"x"}]}',
    ],
  ])("%s", (_name, stream, body) => {
    expect(known([stream], body)).toEqual({ obstacle: undefined, text: undefined });
  });
});

describe("nobody can go on from", () => {
  test.each<[string, string, RecoveryObstacle]>([
    [
      "a tool call",
      begin + blockStop() + blockStart(1, { type: "tool_use", id: "t", name: "f", input: {} }),
      "tool-calls",
    ],
    ["the input of a tool", begin + blockDelta({ type: "input_json_delta", partial_json: "{" }), "tool-calls"],
    ["thinking", messageStart() + blockStart(0, { type: "thinking", thinking: "" }), "reasoning"],
    ["hidden thinking", messageStart() + blockStart(0, { type: "redacted_thinking", data: "x" }), "reasoning"],
    ["a signature", begin + blockDelta({ type: "signature_delta", signature: "x" }), "reasoning"],
    ["a citation", begin + blockDelta({ type: "citations_delta", citation: {} }), "other-content"],
    ["cited text", messageStart() + blockStart(0, { type: "text", text: "", citations: [{}] }), "other-content"],
    [
      "a server's tool",
      messageStart() + blockStart(0, { type: "server_tool_use", id: "s", name: "web_search" }),
      "other-content",
    ],
    ["an event of an unknown type", begin + messagesEvent({ type: "message_note" }), "other-content"],
    ["a stop reason", begin + messageDelta(), "finished"],
    ["the terminal", begin + messageStop, "finished"],
    ["an error", begin + errorEventOf("api_error", "x"), "unreadable"],
    ["something malformed", `${begin}data: {\n\n`, "unreadable"],
    ["half an event", begin + textDelta("a").slice(0, -1), "unreadable"],
    [
      "a block without a number",
      begin + messagesEvent({ type: "content_block_delta", delta: { type: "text_delta", text: "a" } }),
      "unreadable",
    ],
    ["text that is none", begin + blockDelta({ type: "text_delta", text: 1 }), "unreadable"],
    ["more than four million characters", begin + textDelta("x".repeat(4_000_001)), "too-long"],
  ])("%s", (_name, stream, obstacle) => {
    expect(known([stream])).toEqual({ obstacle, text: undefined });
  });
});
