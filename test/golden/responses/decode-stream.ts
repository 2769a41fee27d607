// Streams of providers that speak Responses, and the events that the hub makes of each.

import type { ChatEvent } from "../../../src/core/chat-answer.ts";
import { events, functions, reasoning } from "./pages.ts";

export interface DecodedStreamCase {
  readonly name: string;
  readonly source: string;
  /** Data of the events between `created` and the terminal. */
  readonly wire: readonly object[];
  /** The terminal's type and its response; `response.completed` with the status and nothing else unless said otherwise. */
  readonly terminal?: { readonly type: string; readonly response: object };
  /** Between `start` and `finish`. */
  readonly hub: readonly ChatEvent[];
  /** `stop` unless said otherwise. */
  readonly end?: readonly ChatEvent[];
}

const textOf = (delta: string, more: object = {}) => ({
  type: "response.output_text.delta",
  item_id: "msg_1",
  output_index: 0,
  content_index: 0,
  delta,
  logprobs: [],
  ...more,
});
const added = (index: number, item: object) => ({ type: "response.output_item.added", output_index: index, item });
const done = (index: number, item: object) => ({ type: "response.output_item.done", output_index: index, item });
const argumentsOf = (index: number, delta: string) => ({
  type: "response.function_call_arguments.delta",
  item_id: `fc_${index}`,
  output_index: index,
  delta,
});
const message = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
const whole = (...content: object[]) => ({ ...message, status: "completed", content });
const call = (index: number, more: object = {}) => ({
  type: "function_call",
  id: `fc_${index}`,
  call_id: `c${index}`,
  name: "f",
  arguments: "",
  ...more,
});
const said = (text: string): ChatEvent => ({ kind: "text", choice: 0, text });
const callBegins = (number: number, id: string, name = "f"): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: number,
  id,
  name,
  toolKind: "function",
});
const input = (number: number, text: string): ChatEvent => ({ kind: "tool-arguments", choice: 0, call: number, text });
const thought = (text: string): ChatEvent => ({ kind: "reasoning", choice: 0, text, isSummary: true });
const called: readonly ChatEvent[] = [
  { kind: "finish", choice: 0, finish: { reason: "tool-calls", raw: "completed" } },
];
const summary = (delta: string, index = 0) => ({
  type: "response.reasoning_summary_text.delta",
  item_id: "rs_1",
  output_index: 0,
  summary_index: index,
  delta,
});
const citation = { type: "url_citation", start_index: 0, end_index: 1, url: "https://x.test/", title: "X" };
const annotation: ChatEvent = {
  kind: "annotation",
  choice: 0,
  annotation: {
    kind: "url",
    url: "https://x.test/",
    title: "X",
    startIndex: 0,
    endIndex: 1,
    raw: { dialect: "responses", value: citation },
  },
};
const stateEnd: ChatEvent = {
  kind: "end-of-reasoning",
  choice: 0,
  state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_1" },
};

export const decodedStreams: readonly DecodedStreamCase[] = [
  { name: "nothing", source: events, wire: [], hub: [] },
  {
    name: "text in pieces, said once",
    source: events,
    wire: [
      added(0, message),
      {
        type: "response.content_part.added",
        output_index: 0,
        content_index: 0,
        part: { type: "output_text", text: "" },
      },
      textOf("Hel"),
      textOf("lo"),
      { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hello" },
      {
        type: "response.content_part.done",
        output_index: 0,
        content_index: 0,
        part: { type: "output_text", text: "Hello" },
      },
      done(0, whole({ type: "output_text", text: "Hello", annotations: [] })),
    ],
    terminal: {
      type: "response.completed",
      response: { status: "completed", output: [whole({ type: "output_text", text: "Hello" })] },
    },
    hub: [said("Hel"), said("lo")],
  },
  {
    name: "text that nothing announced",
    source: "recordings: codex needs no added events",
    wire: [textOf("hi")],
    hub: [said("hi")],
  },
  {
    name: "text only at the end of its part",
    source: events,
    wire: [{ type: "response.output_text.done", item_id: "msg_1", output_index: 0, content_index: 0, text: "hi" }],
    hub: [said("hi")],
  },
  {
    name: "text only at the end of its item",
    source: events,
    wire: [done(0, whole({ type: "output_text", text: "hi", annotations: [citation] }))],
    hub: [said("hi"), annotation],
  },
  {
    name: "everything only in the terminal",
    source: "recordings: a stream that is only response.completed",
    wire: [],
    terminal: {
      type: "response.completed",
      response: {
        status: "completed",
        output: [whole({ type: "output_text", text: "hi" }), call(1, { arguments: '{"a":1}' })],
      },
    },
    hub: [said("hi"), callBegins(0, "c1"), input(0, '{"a":1}')],
    end: called,
  },
  {
    name: "the rest of a text whose last pieces are missing",
    source: events,
    wire: [textOf("Hel"), done(0, whole({ type: "output_text", text: "Hello" }))],
    hub: [said("Hel"), said("lo")],
  },
  {
    name: "logprobs of the pieces",
    source: events,
    wire: [textOf("hi", { logprobs: [{ token: "hi", logprob: -0.1 }] })],
    hub: [{ kind: "text", choice: 0, text: "hi", logprobs: [{ token: "hi", logprob: -0.1 }] }],
  },
  {
    name: "an annotation is told once",
    source: events,
    wire: [
      textOf("h"),
      {
        type: "response.output_text.annotation.added",
        output_index: 0,
        content_index: 0,
        annotation_index: 0,
        annotation: citation,
      },
      done(0, whole({ type: "output_text", text: "h", annotations: [citation] })),
    ],
    hub: [said("h"), annotation],
  },
  {
    name: "a refusal",
    source: events,
    wire: [
      { type: "response.refusal.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "I " },
      { type: "response.refusal.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "cannot" },
      { type: "response.refusal.done", item_id: "msg_1", output_index: 0, content_index: 0, refusal: "I cannot" },
    ],
    hub: [
      { kind: "refusal", choice: 0, text: "I " },
      { kind: "refusal", choice: 0, text: "cannot" },
    ],
  },
  {
    name: "a call in pieces",
    source: functions,
    wire: [
      added(0, call(0)),
      argumentsOf(0, '{"a"'),
      argumentsOf(0, ":1}"),
      { type: "response.function_call_arguments.done", item_id: "fc_0", output_index: 0, arguments: '{"a":1}' },
      done(0, call(0, { arguments: '{"a":1}' })),
    ],
    hub: [callBegins(0, "c0"), input(0, '{"a"'), input(0, ":1}")],
    end: called,
  },
  {
    name: "arguments that come only whole",
    source: functions,
    wire: [added(0, call(0)), done(0, call(0, { arguments: '{"a":1}' }))],
    hub: [callBegins(0, "c0"), input(0, '{"a":1}')],
    end: called,
  },
  {
    name: "arguments that come whole with their event",
    source: functions,
    wire: [
      added(0, call(0)),
      { type: "response.function_call_arguments.done", item_id: "fc_0", output_index: 0, arguments: "{}" },
    ],
    hub: [callBegins(0, "c0"), input(0, "{}")],
    end: called,
  },
  {
    name: "parallel calls whose pieces alternate",
    source: functions,
    wire: [
      added(0, call(0)),
      added(1, call(1)),
      argumentsOf(0, '{"x":'),
      argumentsOf(1, '{"y":'),
      argumentsOf(0, "1}"),
      argumentsOf(1, "2}"),
    ],
    hub: [
      callBegins(0, "c0"),
      callBegins(1, "c1"),
      input(0, '{"x":'),
      input(1, '{"y":'),
      input(0, "1}"),
      input(1, "2}"),
    ],
    end: called,
  },
  {
    name: "a call behind a text has the number 0",
    source: "field reports C",
    wire: [textOf("hi"), added(1, call(1)), argumentsOf(1, "{}")],
    hub: [said("hi"), callBegins(0, "c1"), input(0, "{}")],
    end: called,
  },
  {
    name: "pieces without an address belong to the call that is open",
    source: "field reports C",
    wire: [added(0, call(0)), { type: "response.function_call_arguments.delta", delta: "{}" }],
    hub: [callBegins(0, "c0"), input(0, "{}")],
    end: called,
  },
  {
    name: "a call without an id",
    source: "field reports C",
    wire: [added(0, call(0, { call_id: "" })), argumentsOf(0, "{}")],
    hub: [callBegins(0, "call_1_0"), input(0, "{}")],
    end: called,
  },
  {
    name: "a call whose name comes at its end",
    source: "field reports C",
    wire: [added(0, call(0, { name: "" })), argumentsOf(0, "{}"), done(0, call(0, { name: "g", arguments: "{}" }))],
    hub: [callBegins(0, "c0", "g"), input(0, "{}")],
    end: called,
  },
  {
    name: "an item whose id changes on the way",
    source: events,
    wire: [
      added(0, message),
      textOf("hi", { item_id: "other" }),
      done(0, { ...whole({ type: "output_text", text: "hi" }), id: "third" }),
    ],
    hub: [said("hi")],
  },
  {
    name: "a call of a custom tool",
    source: functions,
    wire: [
      added(0, { type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "sql", input: "" }),
      { type: "response.custom_tool_call_input.delta", item_id: "ctc_1", output_index: 0, delta: "select" },
      { type: "response.custom_tool_call_input.done", item_id: "ctc_1", output_index: 0, input: "select 1" },
    ],
    hub: [
      { kind: "tool-call", choice: 0, call: 0, id: "c", name: "sql", toolKind: "custom" },
      input(0, "select"),
      input(0, " 1"),
    ],
    end: called,
  },
  {
    name: "a summary of two parts, then its state",
    source: reasoning,
    wire: [
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      summary("one"),
      summary("two", 1),
      done(0, {
        type: "reasoning",
        id: "rs_1",
        summary: [
          { type: "summary_text", text: "one" },
          { type: "summary_text", text: "two" },
        ],
        encrypted_content: "ENC",
      }),
      textOf("hi", { output_index: 1 }),
    ],
    hub: [thought("one"), thought("\n\ntwo"), stateEnd, said("hi")],
  },
  {
    name: "state without a summary",
    source: reasoning,
    wire: [
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      done(0, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" }),
    ],
    hub: [stateEnd],
  },
  {
    name: "reasoning without anything",
    source: reasoning,
    wire: [
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      done(0, { type: "reasoning", id: "rs_1", summary: [] }),
    ],
    hub: [],
  },
  {
    name: "the thinking itself",
    source: events,
    wire: [
      { type: "response.reasoning_text.delta", item_id: "rs_1", output_index: 0, content_index: 0, delta: "hm" },
      done(0, { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] }),
    ],
    hub: [
      { kind: "reasoning", choice: 0, text: "hm" },
      { kind: "end-of-reasoning", choice: 0 },
    ],
  },
  {
    name: "what hosted tools do is left out",
    source: events,
    wire: [
      added(0, { type: "web_search_call", id: "ws_1", status: "in_progress" }),
      { type: "response.web_search_call.searching", item_id: "ws_1", output_index: 0 },
      done(0, { type: "web_search_call", id: "ws_1", status: "completed" }),
      { type: "response.new_thing", delta: 5 },
      textOf("hi", { output_index: 1 }),
    ],
    hub: [said("hi")],
  },
  {
    name: "cut off by the limit",
    source: events,
    wire: [textOf("half")],
    terminal: {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    },
    hub: [said("half")],
    end: [{ kind: "finish", choice: 0, finish: { reason: "length", raw: "max_output_tokens" } }],
  },
  {
    name: "cut off by a filter",
    source: events,
    wire: [],
    terminal: {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
    },
    hub: [],
    end: [{ kind: "finish", choice: 0, finish: { reason: "content-filter", raw: "content_filter" } }],
  },
];
