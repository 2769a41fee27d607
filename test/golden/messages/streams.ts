// Streams in the Messages dialect and their events in the hub, written by hand from the pages named.

import type { ChatEvent, Finish } from "../../../src/core/chat-answer.ts";
import type { ProviderState } from "../../../src/core/chat-request.ts";
import { hubUsage, plainUsage } from "./answers.ts";

type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface StreamCase {
  readonly name: string;
  readonly source: string;
  readonly wire: readonly WireEvent[];
  readonly hub: readonly ChatEvent[];
  /** Where what the hub writes is not `wire` again. */
  readonly back?: readonly WireEvent[];
}

const streaming = "https://platform.claude.com/docs/en/build-with-claude/streaming";
const thinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking (streaming thinking)";
const stops = "https://platform.claude.com/docs/en/api/handling-stop-reasons (streaming)";
const fine = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming";
const compatible =
  "https://github.com/vercel/ai/issues/18440 and its kind: servers that speak the dialect and leave parts out";

const startUsage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };

const messageStart: WireEvent = {
  type: "message_start",
  message: {
    id: "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY",
    type: "message",
    role: "assistant",
    content: [],
    model: "claude-opus-4-6",
    stop_reason: null,
    stop_sequence: null,
    usage: startUsage,
    provider: "anthropic",
  },
};

const hubStart: ChatEvent = {
  kind: "start",
  id: "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY",
  model: "claude-opus-4-6",
  usage: { ...hubUsage, outputTokens: 1, totalTokens: 13, raw: startUsage },
};

const messageStop: WireEvent = { type: "message_stop" };
const ping: WireEvent = { type: "ping" };

function messageDelta(stopReason: string, changes: object = {}, usage: object = plainUsage): WireEvent {
  return { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null, ...changes }, usage };
}

const blockStart = (index: number, block: object): WireEvent => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const blockDelta = (index: number, delta: object): WireEvent => ({ type: "content_block_delta", index, delta });
const blockStop = (index: number): WireEvent => ({ type: "content_block_stop", index });

const textBlock = { type: "text", text: "" };
const thinkingBlock = { type: "thinking", thinking: "", signature: "" };
const toolBlock = (id: string, input: object = {}) => ({ type: "tool_use", id, name: "get_weather", input });
const textDelta = (index: number, text: string) => blockDelta(index, { type: "text_delta", text });
const thinkingDelta = (index: number, said: string) => blockDelta(index, { type: "thinking_delta", thinking: said });
const signatureDelta = (index: number, signature: string) => blockDelta(index, { type: "signature_delta", signature });
const inputDelta = (index: number, partialJson: string) =>
  blockDelta(index, { type: "input_json_delta", partial_json: partialJson });

const hello = [blockStart(0, textBlock), textDelta(0, "Hello"), textDelta(0, "!"), blockStop(0)];
const endTurn = [messageDelta("end_turn"), messageStop];
const useTool = [messageDelta("tool_use"), messageStop];

const text = (said: string): ChatEvent => ({ kind: "text", choice: 0, text: said });
const reasoning = (said: string): ChatEvent => ({ kind: "reasoning", choice: 0, text: said });
const proven = (value: string): ChatEvent => ({
  kind: "end-of-reasoning",
  choice: 0,
  state: { issuer: "anthropic", kind: "signature", value },
});
const redacted = (value: string): ChatEvent => ({
  kind: "end-of-reasoning",
  choice: 0,
  state: { issuer: "anthropic", kind: "redacted", value },
});
const call = (number: number, id: string): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: number,
  id,
  name: "get_weather",
  toolKind: "function",
});
const input = (number: number, piece: string): ChatEvent => ({
  kind: "tool-arguments",
  choice: 0,
  call: number,
  text: piece,
});
const finish = (reason: Finish["reason"], raw: string, stopSequence?: string): ChatEvent => ({
  kind: "finish",
  choice: 0,
  finish: { reason, raw, stopSequence },
});
const usage: ChatEvent = { kind: "usage", usage: { ...hubUsage } };
const normalEnd = [finish("stop", "end_turn"), usage];
const toolEnd = [finish("tool-calls", "tool_use"), usage];
const helloInHub = [text("Hello"), text("!")];

const citation = {
  type: "char_location",
  cited_text: "The grass is green.",
  document_index: 0,
  document_title: "Example",
  start_char_index: 0,
  end_char_index: 20,
};
const cited: ChatEvent = {
  kind: "annotation",
  choice: 0,
  annotation: {
    kind: "document",
    title: "Example",
    citedText: "The grass is green.",
    raw: { dialect: "messages", value: citation },
  },
};
const long = "a".repeat(100_000);

export const streams: readonly StreamCase[] = [
  {
    name: "a text in pieces",
    source: `${streaming} (basic streaming request)`,
    wire: [messageStart, ...hello, ...endTurn],
    hub: [hubStart, ...helloInHub, ...normalEnd],
  },
  {
    name: "nothing at all",
    source: streaming,
    wire: [messageStart, ...endTurn],
    hub: [hubStart, ...normalEnd],
  },
  {
    name: "pings and events of next year say nothing",
    source: `${streaming} (ping events, other events)`,
    wire: [messageStart, ping, ...hello, { type: "of_next_year", a: 1 }, ...endTurn],
    hub: [hubStart, ...helloInHub, ...normalEnd],
    back: [messageStart, ...hello, ...endTurn],
  },
  {
    name: "text beyond ASCII",
    source: streaming,
    wire: [messageStart, blockStart(0, textBlock), textDelta(0, "Grüße \u2028🐜"), blockStop(0), ...endTurn],
    hub: [hubStart, text("Grüße \u2028🐜"), ...normalEnd],
  },
  {
    name: "half a character in each of two pieces",
    source: streaming,
    wire: [
      messageStart,
      blockStart(0, textBlock),
      textDelta(0, "\ud83d"),
      textDelta(0, "\udc1c"),
      blockStop(0),
      ...endTurn,
    ],
    hub: [hubStart, text("\ud83d"), text("\udc1c"), ...normalEnd],
  },
  {
    name: "texts that follow each other are one run",
    source: streaming,
    wire: [
      messageStart,
      blockStart(0, textBlock),
      textDelta(0, "One"),
      blockStop(0),
      blockStart(1, textBlock),
      textDelta(1, "two"),
      blockStop(1),
      ...endTurn,
    ],
    hub: [hubStart, text("One"), text("two"), ...normalEnd],
    back: [messageStart, blockStart(0, textBlock), textDelta(0, "One"), textDelta(0, "two"), blockStop(0), ...endTurn],
  },
  {
    name: "one of the caller's stop sequences",
    source: stops,
    wire: [messageStart, ...hello, messageDelta("stop_sequence", { stop_sequence: "END" }), messageStop],
    hub: [hubStart, ...helloInHub, finish("stop-sequence", "stop_sequence", "END"), usage],
  },
  {
    name: "the limit of tokens",
    source: stops,
    wire: [messageStart, ...hello, messageDelta("max_tokens"), messageStop],
    hub: [hubStart, ...helloInHub, finish("length", "max_tokens"), usage],
  },
  {
    name: "a full window",
    source: stops,
    wire: [messageStart, ...hello, messageDelta("model_context_window_exceeded"), messageStop],
    hub: [hubStart, ...helloInHub, finish("context-length", "model_context_window_exceeded"), usage],
  },
  {
    name: "a pause",
    source: stops,
    wire: [messageStart, ...hello, messageDelta("pause_turn"), messageStop],
    hub: [hubStart, ...helloInHub, finish("pause", "pause_turn"), usage],
  },
  {
    name: "a refusal in the middle",
    source: "https://platform.claude.com/docs/en/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals",
    wire: [messageStart, ...hello, messageDelta("refusal"), messageStop],
    hub: [hubStart, ...helloInHub, finish("refusal", "refusal"), usage],
  },
  {
    name: "a refusal with its reason",
    source: `${stops} (stop_details)`,
    wire: [
      messageStart,
      messageDelta("refusal", { stop_details: { type: "refusal", category: null, explanation: "No." } }),
      messageStop,
    ],
    hub: [hubStart, { kind: "refusal", choice: 0, text: "No." }, finish("refusal", "refusal"), usage],
    back: [
      messageStart,
      blockStart(0, textBlock),
      textDelta(0, "No."),
      blockStop(0),
      messageDelta("refusal"),
      messageStop,
    ],
  },
  {
    name: "a reason of next year",
    source: stops,
    wire: [messageStart, ...hello, messageDelta("compaction"), messageStop],
    hub: [hubStart, ...helloInHub, finish("unknown", "compaction"), usage],
  },
  {
    name: "a call after a text is the first call",
    source: `${streaming} (streaming request with tool use)`,
    wire: [
      messageStart,
      ...hello,
      blockStart(1, toolBlock("toolu_01T1x1fJ34qAmk2tNTrN7Up6")),
      inputDelta(1, '{"location":'),
      inputDelta(1, ' "San'),
      inputDelta(1, ' Francisco, CA"}'),
      blockStop(1),
      ...useTool,
    ],
    hub: [
      hubStart,
      ...helloInHub,
      call(0, "toolu_01T1x1fJ34qAmk2tNTrN7Up6"),
      input(0, '{"location":'),
      input(0, ' "San'),
      input(0, ' Francisco, CA"}'),
      ...toolEnd,
    ],
  },
  {
    name: "an empty first piece of input says nothing",
    source: `${streaming} (streaming request with tool use)`,
    wire: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, ""),
      inputDelta(0, '{"a":1}'),
      blockStop(0),
      ...useTool,
    ],
    hub: [hubStart, call(0, "t1"), input(0, '{"a":1}'), ...toolEnd],
    back: [messageStart, blockStart(0, toolBlock("t1")), inputDelta(0, '{"a":1}'), blockStop(0), ...useTool],
  },
  {
    name: "a call without input has an empty object",
    source: `${streaming} (input JSON delta)`,
    wire: [messageStart, blockStart(0, toolBlock("t1")), blockStop(0), ...useTool],
    hub: [hubStart, call(0, "t1"), input(0, "{}"), ...toolEnd],
    back: [messageStart, blockStart(0, toolBlock("t1")), inputDelta(0, "{}"), blockStop(0), ...useTool],
  },
  {
    name: "input that is all in the start of its block",
    source: compatible,
    wire: [messageStart, blockStart(0, toolBlock("t1", { location: "Paris" })), blockStop(0), ...useTool],
    hub: [hubStart, call(0, "t1"), input(0, '{"location":"Paris"}'), ...toolEnd],
    back: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, '{"location":"Paris"}'),
      blockStop(0),
      ...useTool,
    ],
  },
  {
    name: "two calls",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use",
    wire: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, '{"a":"}"}'),
      blockStop(0),
      blockStart(1, toolBlock("t2")),
      inputDelta(1, '{"b":[{}]}'),
      blockStop(1),
      ...useTool,
    ],
    hub: [hubStart, call(0, "t1"), input(0, '{"a":"}"}'), call(1, "t2"), input(1, '{"b":[{}]}'), ...toolEnd],
  },
  {
    name: "two calls whose pieces alternate keep apart",
    source: compatible,
    wire: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      blockStart(1, toolBlock("t2")),
      inputDelta(0, '{"a":'),
      inputDelta(1, '{"b":'),
      inputDelta(0, "1}"),
      inputDelta(1, "2}"),
      blockStop(0),
      blockStop(1),
      ...useTool,
    ],
    hub: [
      hubStart,
      call(0, "t1"),
      call(1, "t2"),
      input(0, '{"a":'),
      input(1, '{"b":'),
      input(0, "1}"),
      input(1, "2}"),
      ...toolEnd,
    ],
    back: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, '{"a":'),
      inputDelta(0, "1}"),
      blockStop(0),
      blockStart(1, toolBlock("t2")),
      inputDelta(1, '{"b":'),
      inputDelta(1, "2}"),
      blockStop(1),
      ...useTool,
    ],
  },
  {
    name: "huge input",
    source: fine,
    wire: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, `{"a":"${long}`),
      inputDelta(0, `${long}"}`),
      blockStop(0),
      ...useTool,
    ],
    hub: [hubStart, call(0, "t1"), input(0, `{"a":"${long}`), input(0, `${long}"}`), ...toolEnd],
  },
  {
    name: "input that the limit of tokens cut",
    source: `${fine} (max_tokens)`,
    wire: [
      messageStart,
      blockStart(0, toolBlock("t1")),
      inputDelta(0, '{"a":'),
      blockStop(0),
      messageDelta("max_tokens"),
      messageStop,
    ],
    hub: [hubStart, call(0, "t1"), input(0, '{"a":'), finish("length", "max_tokens"), usage],
  },
  {
    name: "thoughts, their signature and a text",
    source: `${streaming} (streaming request with extended thinking)`,
    wire: [
      messageStart,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "I need to find"),
      thinkingDelta(0, " the GCD"),
      signatureDelta(0, "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"),
      blockStop(0),
      blockStart(1, textBlock),
      textDelta(1, "21"),
      blockStop(1),
      ...endTurn,
    ],
    hub: [
      hubStart,
      reasoning("I need to find"),
      reasoning(" the GCD"),
      proven("EqQBCgIYAhIM1gbcDa9GJwZA2b3h"),
      text("21"),
      ...normalEnd,
    ],
  },
  {
    name: "thoughts that are not shown",
    source: `${thinking}, display omitted`,
    wire: [messageStart, blockStart(0, thinkingBlock), signatureDelta(0, "EosnCkYICxIM"), blockStop(0), ...endTurn],
    hub: [hubStart, proven("EosnCkYICxIM"), ...normalEnd],
  },
  {
    name: "redacted thoughts between others",
    source: `${thinking}, redaction`,
    wire: [
      messageStart,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Hm"),
      signatureDelta(0, "c2ln"),
      blockStop(0),
      blockStart(1, { type: "redacted_thinking", data: "EmwKAhgB" }),
      blockStop(1),
      blockStart(2, thinkingBlock),
      thinkingDelta(2, "Aha"),
      signatureDelta(2, "c2ln"),
      blockStop(2),
      ...endTurn,
    ],
    hub: [
      hubStart,
      reasoning("Hm"),
      proven("c2ln"),
      redacted("EmwKAhgB"),
      reasoning("Aha"),
      proven("c2ln"),
      ...normalEnd,
    ],
  },
  {
    name: "thoughts without a signature",
    source: compatible,
    wire: [messageStart, blockStart(0, thinkingBlock), thinkingDelta(0, "Hm"), blockStop(0), ...endTurn],
    hub: [hubStart, reasoning("Hm"), { kind: "end-of-reasoning", choice: 0 }, ...normalEnd],
  },
  {
    name: "thoughts before a call",
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking (interleaved thinking)",
    wire: [
      messageStart,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Hm"),
      signatureDelta(0, "c2ln"),
      blockStop(0),
      blockStart(1, toolBlock("t1")),
      inputDelta(1, "{}"),
      blockStop(1),
      ...useTool,
    ],
    hub: [hubStart, reasoning("Hm"), proven("c2ln"), call(0, "t1"), input(0, "{}"), ...toolEnd],
  },
  {
    name: "a citation",
    source: "https://platform.claude.com/docs/en/build-with-claude/citations (streaming support)",
    wire: [
      messageStart,
      blockStart(0, textBlock),
      textDelta(0, "The grass is green"),
      blockDelta(0, { type: "citations_delta", citation }),
      blockStop(0),
      ...endTurn,
    ],
    hub: [hubStart, text("The grass is green"), cited, ...normalEnd],
  },
  {
    name: "what Anthropic runs itself is not told",
    source: `${streaming} (streaming request with web search tool use)`,
    wire: [
      messageStart,
      blockStart(0, { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: {} }),
      inputDelta(0, '{"query":"q"}'),
      blockStop(0),
      blockStart(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_01", content: [] }),
      blockStop(1),
      blockStart(2, textBlock),
      textDelta(2, "Hello"),
      blockStop(2),
      ...endTurn,
    ],
    hub: [hubStart, text("Hello"), ...normalEnd],
    back: [messageStart, blockStart(0, textBlock), textDelta(0, "Hello"), blockStop(0), ...endTurn],
  },
  {
    name: "usage of the start and the end, cumulative",
    source: `${streaming} (message_delta usage is cumulative)`,
    wire: [messageStart, ...hello, messageDelta("end_turn", {}, { output_tokens: 15 }), messageStop],
    hub: [
      hubStart,
      ...helloInHub,
      finish("stop", "end_turn"),
      {
        kind: "usage",
        usage: { ...hubUsage, outputTokens: 15, totalTokens: 27, raw: { ...startUsage, output_tokens: 15 } },
      },
    ],
    back: [messageStart, ...hello, messageDelta("end_turn", {}, { ...plainUsage, output_tokens: 15 }), messageStop],
  },
  {
    name: "a stream without a start, and one with two",
    source: compatible,
    wire: [...hello, messageStart, messageStart, messageDelta("end_turn"), messageStop],
    hub: [{ kind: "start" }, ...helloInHub, ...normalEnd],
    back: [
      {
        type: "message_start",
        message: {
          id: "msg_a1b2c3d4e5f6a1b2c3d4e5f6",
          type: "message",
          role: "assistant",
          model: "claude-sonnet-4-5",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 42, output_tokens: 0 },
          provider: "anthropic",
        },
      },
      ...hello,
      ...endTurn,
    ],
  },
  {
    name: "blocks that were not ended, all with the same index",
    source: compatible,
    wire: [
      messageStart,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Hm"),
      signatureDelta(0, "c2ln"),
      blockStart(0, toolBlock("t1")),
      inputDelta(0, '{"a":1}'),
      blockStart(0, toolBlock("t2")),
      inputDelta(7, '{"b":2}'),
      ...useTool,
    ],
    hub: [
      hubStart,
      reasoning("Hm"),
      proven("c2ln"),
      call(0, "t1"),
      input(0, '{"a":1}'),
      call(1, "t2"),
      input(1, '{"b":2}'),
      ...toolEnd,
    ],
    back: [
      messageStart,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Hm"),
      signatureDelta(0, "c2ln"),
      blockStop(0),
      blockStart(1, toolBlock("t1")),
      inputDelta(1, '{"a":1}'),
      blockStop(1),
      blockStart(2, toolBlock("t2")),
      inputDelta(2, '{"b":2}'),
      blockStop(2),
      ...useTool,
    ],
  },
  {
    name: "blocks that were not begun and not ended",
    source: compatible,
    wire: [messageStart, textDelta(0, "Hello"), textDelta(0, "!"), ...endTurn],
    hub: [hubStart, ...helloInHub, ...normalEnd],
    back: [messageStart, ...hello, ...endTurn],
  },
];

export interface ForeignStream {
  readonly name: string;
  readonly source: string;
  readonly hub: readonly ChatEvent[];
  /** Written for a caller whose prompt is estimated at 42 tokens, by an `openai` provider. */
  readonly wire: readonly WireEvent[];
}

const estimated: WireEvent = {
  type: "message_start",
  message: {
    id: "msg_a1b2c3d4e5f6a1b2c3d4e5f6",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 42, output_tokens: 0 },
    provider: "openai",
  },
};
const thought: ProviderState = { issuer: "google", kind: "thought", value: "CpcB" };
/** The marks of {issuer, kind, value[, id]} as foreign-state.ts documents them: base64url of the JSON behind `gomodel.state.`. */
const mark = (state: object): string => `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
const encrypted: ProviderState = { issuer: "openai", kind: "encrypted", value: "gAAAA", id: "rs_1" };
const noUsage = { input_tokens: 42, output_tokens: 0 };

/** What other dialects' streams come to. */
export const foreignStreams: readonly ForeignStream[] = [
  {
    name: "a provider that tells nothing of itself: the prompt is estimated",
    source: streaming,
    hub: [{ kind: "start" }, text("Hello"), finish("stop", "stop")],
    wire: [
      estimated,
      blockStart(0, textBlock),
      textDelta(0, "Hello"),
      blockStop(0),
      messageDelta("end_turn", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "nothing but an end",
    source: streaming,
    hub: [],
    wire: [estimated, messageDelta("unknown", {}, noUsage), messageStop],
  },
  {
    name: "usage that comes at the end counts",
    source: streaming,
    hub: [
      { kind: "start" },
      text("Hello"),
      finish("stop", "stop"),
      { kind: "usage", usage: { ...hubUsage, inputTokens: 100, cachedInputTokens: 90, cacheIsExtra: false } },
    ],
    wire: [
      estimated,
      blockStart(0, textBlock),
      textDelta(0, "Hello"),
      blockStop(0),
      messageDelta("end_turn", {}, { ...plainUsage, input_tokens: 10, cache_read_input_tokens: 90 }),
      messageStop,
    ],
  },
  {
    name: "calls whose pieces alternate wait for each other, and a text behind them, too",
    source: `${streaming} (one block at a time)`,
    hub: [
      { kind: "start" },
      call(0, "c1"),
      call(1, "c2"),
      input(1, '{"b":1}'),
      text("Done"),
      input(0, '{"a":"\\"'),
      input(0, '}"}'),
      finish("tool-calls", "tool_calls"),
    ],
    wire: [
      estimated,
      blockStart(0, toolBlock("c1")),
      inputDelta(0, '{"a":"\\"'),
      inputDelta(0, '}"}'),
      blockStop(0),
      blockStart(1, toolBlock("c2")),
      inputDelta(1, '{"b":1}'),
      blockStop(1),
      blockStart(2, textBlock),
      textDelta(2, "Done"),
      blockStop(2),
      messageDelta("tool_use", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "unsigned reasoning ends where text begins",
    source: thinking,
    hub: [{ kind: "start" }, reasoning("Hm"), text("Hello"), finish("stop", "stop")],
    wire: [
      estimated,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Hm"),
      blockStop(0),
      blockStart(1, textBlock),
      textDelta(1, "Hello"),
      blockStop(1),
      messageDelta("end_turn", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "state of others is marked: with a text as its signature, without one as redacted",
    source: "decision of this gateway: state of foreign issuers",
    hub: [
      { kind: "start" },
      reasoning("Summary"),
      { kind: "end-of-reasoning", choice: 0, state: encrypted },
      { kind: "end-of-reasoning", choice: 0, state: encrypted },
      text("Hello"),
      { kind: "text-state", choice: 0, state: thought },
      { kind: "tool-call", choice: 0, call: 0, id: "c1", name: "get_weather", toolKind: "function", state: thought },
      input(0, "{}"),
      finish("stop", "STOP"),
    ],
    wire: [
      estimated,
      blockStart(0, thinkingBlock),
      thinkingDelta(0, "Summary"),
      signatureDelta(0, mark(encrypted)),
      blockStop(0),
      blockStart(1, { type: "redacted_thinking", data: mark(encrypted) }),
      blockStop(1),
      blockStart(2, textBlock),
      textDelta(2, "Hello"),
      blockStop(2),
      blockStart(3, { type: "redacted_thinking", data: mark(thought) }),
      blockStop(3),
      blockStart(4, { type: "redacted_thinking", data: mark({ ...thought, id: "c1" }) }),
      blockStop(4),
      blockStart(5, { ...toolBlock("c1"), extra_content: { google: { thought_signature: "CpcB" } } }),
      inputDelta(5, "{}"),
      blockStop(5),
      messageDelta("tool_use", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "a call without an id gets one, and one without input an empty object",
    source: streaming,
    hub: [{ kind: "start" }, call(0, ""), finish("tool-calls", "tool_calls")],
    wire: [
      estimated,
      blockStart(0, toolBlock("toolu_a1b2c3d4e5f6a1b2c3d4e5f6")),
      inputDelta(0, "{}"),
      blockStop(0),
      messageDelta("tool_use", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "a call of a tool that takes text is an object around it",
    source: streaming,
    hub: [
      { kind: "start" },
      { kind: "tool-call", choice: 0, call: 0, id: "c1", name: "get_weather", toolKind: "custom" },
      input(0, 'a "b'),
      input(0, "\nc"),
      finish("tool-calls", "tool_calls"),
    ],
    wire: [
      estimated,
      blockStart(0, toolBlock("c1")),
      inputDelta(0, '{"input":"a \\"b'),
      inputDelta(0, "\\nc"),
      inputDelta(0, '"}'),
      blockStop(0),
      messageDelta("tool_use", {}, noUsage),
      messageStop,
    ],
  },
  {
    name: "other choices, sound and the other dialects' references are not told",
    source: streaming,
    hub: [
      { kind: "start" },
      { kind: "text", choice: 1, text: "no" },
      { kind: "audio", choice: 0, value: { data: "AAAA" } },
      text("Hello"),
      {
        kind: "annotation",
        choice: 0,
        annotation: { kind: "url", url: "https://example.com", raw: { dialect: "responses", value: {} } },
      },
      finish("content-filter", "content_filter"),
    ],
    wire: [
      estimated,
      blockStart(0, textBlock),
      textDelta(0, "Hello"),
      blockStop(0),
      messageDelta("refusal", {}, noUsage),
      messageStop,
    ],
  },
];
