// Streams of the hub, and the events that a caller that speaks Responses gets of each, between `in_progress` and the terminal.

import type { ChatEvent, Finish } from "../../../src/core/chat-answer.ts";
import type { ChatRequest } from "../../../src/core/chat-request.ts";
import { events, functions, reasoning, signatures, thinking } from "./pages.ts";

export interface EncodedStreamCase {
  readonly name: string;
  readonly source: string;
  readonly hub: readonly ChatEvent[];
  readonly request?: Partial<ChatRequest>;
  /** Without `sequence_number`; ids are numbered from 2, the response has the first. */
  readonly wire: readonly object[];
  /** The terminal's status, `completed` unless said otherwise, and its reason. */
  readonly status?: string;
  readonly reason?: string;
}

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(24, "0")}`;
const text = (value: string, annotations: readonly object[] = [], logprobs: readonly object[] = []) => ({
  type: "output_text",
  annotations,
  logprobs,
  text: value,
});
const message = (number: number, status: string, content: readonly object[], more: object = {}) => ({
  id: id("msg", number),
  type: "message",
  status,
  role: "assistant",
  content,
  ...more,
});
const added = (index: number, item: object) => ({ type: "response.output_item.added", output_index: index, item });
const done = (index: number, item: object) => ({ type: "response.output_item.done", output_index: index, item });
const place = (number: number, index: number, content = 0) => ({
  item_id: id("msg", number),
  output_index: index,
  content_index: content,
});

/** All events of a message of one text, told in pieces. */
function messageEvents(
  number: number,
  index: number,
  pieces: readonly string[],
  status = "completed",
  more: object = {},
) {
  const all = pieces.join("");
  return [
    added(index, message(number, "in_progress", [])),
    { type: "response.content_part.added", ...place(number, index), part: text("") },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...place(number, index), delta, logprobs: [] })),
    { type: "response.output_text.done", ...place(number, index), text: all, logprobs: [] },
    { type: "response.content_part.done", ...place(number, index), part: text(all) },
    done(index, message(number, status, [text(all)], more)),
  ];
}

const callItem = (number: number, status: string, callId: string, input: string, more: object = {}) => ({
  id: id("fc", number),
  status,
  call_id: callId,
  name: "f",
  type: "function_call",
  arguments: input,
  ...more,
});
const inputDelta = (number: number, index: number, delta: string) => ({
  type: "response.function_call_arguments.delta",
  item_id: id("fc", number),
  output_index: index,
  delta,
});
const callEnd = (number: number, index: number, callId: string, input: string, status = "completed") => [
  {
    type: "response.function_call_arguments.done",
    item_id: id("fc", number),
    output_index: index,
    name: "f",
    arguments: input,
  },
  done(index, callItem(number, status, callId, input)),
];
const reasoningItem = (number: number, value: string, more: object = {}) => ({
  id: id("rs", number),
  type: "reasoning",
  summary: value === "" ? [] : [{ type: "summary_text", text: value }],
  ...more,
});
const summaryPlace = (number: number, index: number) => ({
  item_id: id("rs", number),
  output_index: index,
  summary_index: 0,
});

/** All events of a reasoning item of one piece. */
function reasoningEvents(number: number, index: number, value: string, more: object = {}) {
  const at = summaryPlace(number, index);
  return [
    added(index, reasoningItem(number, "")),
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
    { type: "response.reasoning_summary_text.delta", ...at, delta: value },
    { type: "response.reasoning_summary_text.done", ...at, text: value },
    { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: value } },
    done(index, reasoningItem(number, value, more)),
  ];
}

const said = (value: string): ChatEvent => ({ kind: "text", choice: 0, text: value });
const thought = (value: string): ChatEvent => ({ kind: "reasoning", choice: 0, text: value });
const finish = (reason: Finish["reason"], raw?: string): ChatEvent => ({
  kind: "finish",
  choice: 0,
  finish: { reason, ...(raw === undefined ? {} : { raw }) },
});
const call = (number: number, callId: string, more: object = {}): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: number,
  id: callId,
  name: "f",
  toolKind: "function",
  ...more,
});
const input = (number: number, value: string): ChatEvent => ({
  kind: "tool-arguments",
  choice: 0,
  call: number,
  text: value,
});
const mark = (state: object) => `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
const google = { issuer: "google", kind: "thought", value: "G" } as const;
const page = { type: "url_citation", start_index: 0, end_index: 2, url: "https://x.test/", title: "X" };
const refusalPart = (value: string) => ({ type: "refusal", refusal: value });

export const encodedStreams: readonly EncodedStreamCase[] = [
  { name: "nothing", source: events, hub: [finish("stop")], wire: [] },
  {
    name: "text",
    source: events,
    hub: [said("Hel"), said("lo"), finish("stop")],
    wire: messageEvents(2, 0, ["Hel", "lo"]),
  },
  { name: "text without a finish", source: events, hub: [said("hi")], wire: messageEvents(2, 0, ["hi"]) },
  { name: "empty pieces say nothing", source: events, hub: [said(""), thought(""), finish("stop")], wire: [] },
  {
    name: "logprobs",
    source: events,
    hub: [{ kind: "text", choice: 0, text: "hi", logprobs: [{ token: "hi" }] }, finish("stop")],
    wire: [
      added(0, message(2, "in_progress", [])),
      { type: "response.content_part.added", ...place(2, 0), part: text("") },
      { type: "response.output_text.delta", ...place(2, 0), delta: "hi", logprobs: [{ token: "hi" }] },
      { type: "response.output_text.done", ...place(2, 0), text: "hi", logprobs: [{ token: "hi" }] },
      { type: "response.content_part.done", ...place(2, 0), part: text("hi", [], [{ token: "hi" }]) },
      done(0, message(2, "completed", [text("hi", [], [{ token: "hi" }])])),
    ],
  },
  {
    name: "a refusal behind a text is a part of its own",
    source: events,
    hub: [said("hm"), { kind: "refusal", choice: 0, text: "no" }, finish("refusal")],
    wire: [
      added(0, message(2, "in_progress", [])),
      { type: "response.content_part.added", ...place(2, 0), part: text("") },
      { type: "response.output_text.delta", ...place(2, 0), delta: "hm", logprobs: [] },
      { type: "response.output_text.done", ...place(2, 0), text: "hm", logprobs: [] },
      { type: "response.content_part.done", ...place(2, 0), part: text("hm") },
      { type: "response.content_part.added", ...place(2, 0, 1), part: refusalPart("") },
      { type: "response.refusal.delta", ...place(2, 0, 1), delta: "no" },
      { type: "response.refusal.done", ...place(2, 0, 1), refusal: "no" },
      { type: "response.content_part.done", ...place(2, 0, 1), part: refusalPart("no") },
      done(0, message(2, "completed", [text("hm"), refusalPart("no")])),
    ],
  },
  {
    name: "an annotation",
    source: events,
    hub: [
      said("hi"),
      {
        kind: "annotation",
        choice: 0,
        annotation: {
          kind: "url",
          url: "https://x.test/",
          title: "X",
          startIndex: 0,
          endIndex: 2,
          raw: { dialect: "chat-completions", value: {} },
        },
      },
      finish("stop"),
    ],
    wire: [
      added(0, message(2, "in_progress", [])),
      { type: "response.content_part.added", ...place(2, 0), part: text("") },
      { type: "response.output_text.delta", ...place(2, 0), delta: "hi", logprobs: [] },
      { type: "response.output_text.annotation.added", ...place(2, 0), annotation_index: 0, annotation: page },
      { type: "response.output_text.done", ...place(2, 0), text: "hi", logprobs: [] },
      { type: "response.content_part.done", ...place(2, 0), part: text("hi", [page]) },
      done(0, message(2, "completed", [text("hi", [page])])),
    ],
  },
  {
    name: "an annotation that the dialect cannot name",
    source: events,
    hub: [
      said("hi"),
      { kind: "annotation", choice: 0, annotation: { kind: "document", raw: { dialect: "messages", value: {} } } },
      finish("stop"),
    ],
    wire: messageEvents(2, 0, ["hi"]),
  },
  {
    name: "reasoning without state, then text",
    source: reasoning,
    hub: [thought("hm"), { kind: "end-of-reasoning", choice: 0 }, said("hi"), finish("stop")],
    wire: [
      ...reasoningEvents(2, 0, "hm", { encrypted_content: mark({ issuer: "", kind: "encrypted", value: "" }) }),
      ...messageEvents(3, 1, ["hi"]),
    ],
  },
  {
    name: "reasoning that nothing ends but the text",
    source: reasoning,
    hub: [thought("hm"), said("hi"), finish("stop")],
    wire: [
      ...reasoningEvents(2, 0, "hm", { encrypted_content: mark({ issuer: "", kind: "encrypted", value: "" }) }),
      ...messageEvents(3, 1, ["hi"]),
    ],
  },
  {
    name: "thinking with Anthropic's signature",
    source: thinking,
    hub: [
      thought("hm"),
      { kind: "end-of-reasoning", choice: 0, state: { issuer: "anthropic", kind: "signature", value: "S" } },
      finish("stop"),
    ],
    wire: reasoningEvents(2, 0, "hm", {
      encrypted_content: mark({ issuer: "anthropic", kind: "signature", value: "S", text: "hm" }),
      extra_content: { anthropic: { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "S" }] } },
    }),
  },
  {
    name: "a block of state alone",
    source: thinking,
    hub: [
      { kind: "end-of-reasoning", choice: 0, state: { issuer: "anthropic", kind: "redacted", value: "R" } },
      finish("stop"),
    ],
    wire: [
      added(0, reasoningItem(2, "")),
      done(
        0,
        reasoningItem(2, "", {
          encrypted_content: mark({ issuer: "anthropic", kind: "redacted", value: "R" }),
          extra_content: { anthropic: { thinking_blocks: [{ type: "redacted_thinking", data: "R" }] } },
        }),
      ),
    ],
  },
  {
    name: "an end of reasoning that never began",
    source: reasoning,
    hub: [{ kind: "end-of-reasoning", choice: 0 }, finish("stop")],
    wire: [],
  },
  {
    name: "a text with Google's signature",
    source: signatures,
    hub: [said("hi"), { kind: "text-state", choice: 0, state: google }, finish("stop")],
    wire: [
      ...messageEvents(2, 0, ["hi"], "completed", { extra_content: { google: { thought_signature: "G" } } }),
      added(1, reasoningItem(3, "", { encrypted_content: mark(google) })),
      done(1, reasoningItem(3, "", { encrypted_content: mark(google) })),
    ],
  },
  {
    name: "one call",
    source: functions,
    hub: [call(0, "c1"), input(0, '{"a"'), input(0, ":1}"), finish("tool-calls")],
    wire: [
      added(0, callItem(2, "in_progress", "c1", "")),
      inputDelta(2, 0, '{"a"'),
      inputDelta(2, 0, ":1}"),
      ...callEnd(2, 0, "c1", '{"a":1}'),
    ],
  },
  {
    name: "a call without arguments has an empty object",
    source: functions,
    hub: [call(0, "c1"), finish("tool-calls")],
    wire: [added(0, callItem(2, "in_progress", "c1", "")), inputDelta(2, 0, "{}"), ...callEnd(2, 0, "c1", "{}")],
  },
  {
    name: "parallel calls whose pieces alternate",
    source: functions,
    hub: [
      call(0, "c1"),
      call(1, "c2"),
      input(0, "{"),
      input(1, "{"),
      input(0, "}"),
      input(1, "}"),
      finish("tool-calls"),
    ],
    wire: [
      added(0, callItem(2, "in_progress", "c1", "")),
      added(1, callItem(3, "in_progress", "c2", "")),
      inputDelta(2, 0, "{"),
      inputDelta(3, 1, "{"),
      inputDelta(2, 0, "}"),
      inputDelta(3, 1, "}"),
      ...callEnd(2, 0, "c1", "{}"),
      ...callEnd(3, 1, "c2", "{}"),
    ],
  },
  {
    name: "text behind a whole call comes behind it",
    source: "recordings: codex keeps items in the order in which they end",
    hub: [said("a"), call(0, "c1"), input(0, "{}"), said("b"), finish("tool-calls")],
    wire: [
      ...messageEvents(2, 0, ["a"]),
      added(1, callItem(3, "in_progress", "c1", "")),
      inputDelta(3, 1, "{}"),
      ...callEnd(3, 1, "c1", "{}"),
      ...messageEvents(4, 2, ["b"]),
    ],
  },
  {
    name: "a call that is not whole stays open while a text is said",
    source: events,
    hub: [call(0, "c1"), input(0, "{"), said("b"), input(0, "}"), finish("tool-calls")],
    wire: [
      added(0, callItem(2, "in_progress", "c1", "")),
      inputDelta(2, 0, "{"),
      ...messageEvents(3, 1, ["b"]).slice(0, 3),
      inputDelta(2, 0, "}"),
      ...messageEvents(3, 1, ["b"]).slice(3),
      ...callEnd(2, 0, "c1", "{}"),
    ],
  },
  {
    name: "a call with Google's signature",
    source: signatures,
    hub: [call(0, "c1", { state: google }), input(0, "{}"), finish("tool-calls")],
    wire: [
      added(0, reasoningItem(2, "", { encrypted_content: mark({ ...google, text: "c1" }) })),
      done(0, reasoningItem(2, "", { encrypted_content: mark({ ...google, text: "c1" }) })),
      added(1, callItem(3, "in_progress", "c1", "", { extra_content: { google: { thought_signature: "G" } } })),
      inputDelta(3, 1, "{}"),
      {
        type: "response.function_call_arguments.done",
        item_id: id("fc", 3),
        output_index: 1,
        name: "f",
        arguments: "{}",
      },
      done(1, callItem(3, "completed", "c1", "{}", { extra_content: { google: { thought_signature: "G" } } })),
    ],
  },
  {
    name: "a call of a custom tool",
    source: functions,
    hub: [call(0, "c1", { toolKind: "custom" }), input(0, "select"), input(0, " 1"), finish("tool-calls")],
    wire: customEvents(["select", " 1"]),
  },
  {
    name: "a custom tool that was sent as a function is turned back",
    source: functions,
    hub: [call(0, "c1"), input(0, '{"input":'), input(0, '"select 1"}'), finish("tool-calls")],
    request: { tools: [{ kind: "custom", name: "f" }] },
    wire: customEvents(["select 1"]),
  },
  {
    name: "cut off in a text",
    source: events,
    hub: [said("half"), finish("length")],
    wire: messageEvents(2, 0, ["half"], "incomplete"),
    status: "incomplete",
    reason: "max_output_tokens",
  },
  {
    name: "cut off in a call",
    source: events,
    hub: [said("a"), call(0, "c1"), input(0, '{"a'), finish("length")],
    wire: [
      ...messageEvents(2, 0, ["a"]),
      added(1, callItem(3, "in_progress", "c1", "")),
      inputDelta(3, 1, '{"a'),
      ...callEnd(3, 1, "c1", '{"a', "incomplete"),
    ],
    status: "incomplete",
    reason: "max_output_tokens",
  },
  {
    name: "cut off by a filter",
    source: events,
    hub: [finish("content-filter")],
    wire: [],
    status: "incomplete",
    reason: "content_filter",
  },
  {
    name: "a reason that nobody knows goes out as it came",
    source: "behaviour 1.16",
    hub: [finish("unknown", "tired")],
    wire: [],
    status: "incomplete",
    reason: "tired",
  },
  {
    name: "a stop sequence is a whole answer",
    source: events,
    hub: [said("hi"), finish("stop-sequence")],
    wire: messageEvents(2, 0, ["hi"]),
  },
  {
    name: "other choices and audio have no place",
    source: events,
    hub: [
      { kind: "text", choice: 1, text: "no" },
      { kind: "audio", choice: 0, value: { data: "x" } },
      said("hi"),
      finish("stop"),
    ],
    wire: messageEvents(2, 0, ["hi"]),
  },
];

function customEvents(pieces: readonly string[]) {
  const value = (status: string, said: string) => ({
    id: id("ctc", 2),
    status,
    call_id: "c1",
    name: "f",
    type: "custom_tool_call",
    input: said,
  });
  const at = { item_id: id("ctc", 2), output_index: 0 };
  return [
    added(0, value("in_progress", "")),
    ...pieces.map((delta) => ({ type: "response.custom_tool_call_input.delta", ...at, delta })),
    { type: "response.custom_tool_call_input.done", ...at, input: pieces.join("") },
    done(0, value("completed", pieces.join(""))),
  ];
}
