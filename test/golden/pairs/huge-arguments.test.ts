// One megabyte of arguments of a tool, made here, through every pair of dialects that streams them in pieces or whole.

import { expect, test } from "bun:test";
import { argues, calls, chatUsage, choice, chunks, completion, role, toolCall } from "./chat-wire.ts";
import { candidate, generated, geminiUsage } from "./gemini-wire.ts";
import { ended, inputDelta, message, messageEvents, toolUse } from "./messages-wire.ts";
import type { CallerDialect, Json, Pair } from "./pair.ts";
import { callItem, completed, response, responseEvents, responsesUsage, streamedCall } from "./responses-wire.ts";
import { askedUpstream, givenFor, streamedFor } from "./run-pair.ts";

const huge = '😀 "a\\b"\n'.repeat(100_000);
const argumentsText = JSON.stringify({ huge, n: 1 });
const pieces = Array.from({ length: 256 }, (_piece, index) => argumentsText.slice(index * 6000, (index + 1) * 6000));
const none = { type: "object", properties: {} };

const requests: Readonly<Record<CallerDialect, Json>> = {
  "chat-completions": {
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls: [toolCall("a", "f", argumentsText)] },
      { role: "tool", tool_call_id: "a", content: "ok" },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: none } }],
  },
  responses: {
    input: [
      { role: "user", content: "Hi" },
      { type: "function_call", call_id: "a", name: "f", arguments: argumentsText },
      { type: "function_call_output", call_id: "a", output: "ok" },
    ],
    tools: [{ type: "function", name: "f", parameters: none }],
  },
  messages: {
    max_tokens: 10,
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [toolUse("a", "f", { huge, n: 1 })] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }] },
    ],
    tools: [{ name: "f", input_schema: none }],
  },
};

const answers: Readonly<Record<Pair["provider"], Pick<Pair, "answer" | "stream">>> = {
  "chat-completions": {
    answer: completion(
      { id: "c", model: "m" },
      [choice({ tool_calls: [toolCall("b", "f", argumentsText)] }, "tool_calls")],
      chatUsage(1, 1),
    ),
    stream: chunks(
      { id: "c", model: "m" },
      [role, calls(0, "b", "f"), ...pieces.map((piece) => argues(0, piece))],
      [["tool_calls"]],
    ),
  },
  responses: {
    answer: response(
      { id: "resp_1", model: "m" },
      [callItem("fc_1", "b", "f", argumentsText)],
      completed,
      responsesUsage(1, 1),
    ),
    stream: responseEvents(
      { id: "resp_1", model: "m" },
      [streamedCall("fc_1", "b", "f", pieces)],
      completed,
      responsesUsage(1, 1),
      false,
    ),
  },
  messages: {
    answer: message({ id: "msg_1", model: "m" }, [toolUse("b", "f", { huge, n: 1 })], ended("tool_use"), {
      input_tokens: 1,
      output_tokens: 1,
    }),
    stream: messageEvents(
      { id: "msg_1", model: "m" },
      [[toolUse("b", "f", {}), ...pieces.map(inputDelta)]],
      ended("tool_use"),
      [{ input_tokens: 1, output_tokens: 1 }, { output_tokens: 1 }],
    ),
  },
  gemini: {
    answer: generated(
      [candidate([{ functionCall: { id: "b", name: "f", args: { huge, n: 1 } } }], "STOP")],
      geminiUsage(1, 1),
    ),
    stream: [
      generated(
        [candidate([{ functionCall: { id: "b", name: "f", args: { huge, n: 1 } } }], "STOP")],
        geminiUsage(1, 1),
      ),
    ],
  },
};

const callers = ["chat-completions", "responses", "messages"] as const;
const providers = ["chat-completions", "responses", "messages", "gemini"] as const;
const both = callers.flatMap((caller) =>
  providers.filter((one) => one !== caller).map((one) => [caller, one] as const),
);

test.each(both)("from %s to %s and back they are the same", (caller, provider) => {
  const pair: Pair = {
    name: "huge arguments",
    source: [],
    caller,
    provider,
    request: requests[caller],
    upstream: {},
    given: {},
    streamed: [],
    ...answers[provider],
  };
  expect(textsIn(askedUpstream(pair).body)).toEqual([huge]);
  expect(textsIn(givenFor(pair))).toEqual([huge]);
  expect(streamedArguments(streamedFor(pair, 65_521))).toEqual(JSON.parse(argumentsText));
});

/** Every long text in it, also in the JSON of arguments. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string" && value.startsWith("{")) return textsIn(JSON.parse(value));
  if (typeof value === "string") return value.length > 1000 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

interface AnyEvent {
  readonly type?: string;
  readonly delta?: string | { readonly partial_json?: string };
  readonly choices?: readonly {
    readonly delta: { readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[] };
  }[];
}

function streamedArguments(events: readonly (Json | string)[]): unknown {
  let text = "";
  for (const event of events) {
    if (typeof event === "string") continue;
    const { type, delta, choices }: AnyEvent = event;
    text += choices?.[0]?.delta.tool_calls?.[0]?.function.arguments ?? "";
    if (type === "response.function_call_arguments.delta" && typeof delta === "string") text += delta;
    if (type === "content_block_delta" && typeof delta === "object") text += delta.partial_json ?? "";
  }
  return JSON.parse(text);
}
