// Chat streams and their events in the hub, written by hand from the pages and reports named beside them.

import type { ChatEvent } from "../../../src/core/chat-answer.ts";
import type { ProviderState } from "../../../src/core/chat-request.ts";
import { usage } from "./answers.ts";

export interface StreamCase {
  readonly name: string;
  /** The page, or the public report of what a provider really sends. */
  readonly source: string;
  /** Read, written, or both (the default). */
  readonly way?: "decode" | "encode";
  /** Of each chunk beside `id: "c1"`, `created: 1`, `model: "m"`; written ones come behind the one with the role. */
  readonly chunks: readonly Readonly<Record<string, unknown>>[];
  /** Behind the one that starts the answer. */
  readonly events: readonly ChatEvent[];
  /** Default: with the chunks' id, time and model. */
  readonly start?: ChatEvent;
  /** The caller asked for usage. */
  readonly wantsUsage?: boolean;
  /** The caller asked with `functions`. */
  readonly legacy?: boolean;
}

const openai = "https://platform.openai.com/docs/api-reference/chat/streaming";
const openrouter = "https://openrouter.ai/docs/use-cases/reasoning-tokens";
const anthropic = "https://docs.anthropic.com/en/docs/build-with-claude/streaming";
const gemini = "https://ai.google.dev/gemini-api/docs/openai";
const mistral = "https://docs.mistral.ai/capabilities/reasoning";
const deepseek = "https://api-docs.deepseek.com/guides/reasoning_model";
const sameIndex = "https://github.com/vercel/ai/issues/18440";
const interleaved = "https://github.com/QwenLM/Qwen-Agent/issues/943";

const chunk = (delta: object, index = 0, more: object = {}) => ({
  choices: [{ index, delta, logprobs: null, finish_reason: null, ...more }],
});
const end = (reason: string, index = 0) => ({
  choices: [{ index, delta: {}, logprobs: null, finish_reason: reason }],
});
const calls = (...pieces: object[]) => chunk({ tool_calls: pieces });
const named = (index: number, id: string, name: string) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: "" },
});
const more = (index: number, text: string) => ({ index, function: { arguments: text } });

const text = (said: string, choice = 0): ChatEvent => ({ kind: "text", choice, text: said });
const reasoning = (said: string): ChatEvent => ({ kind: "reasoning", choice: 0, text: said });
const endOf = (state?: ProviderState): ChatEvent => ({
  kind: "end-of-reasoning",
  choice: 0,
  ...(state === undefined ? {} : { state }),
});
const call = (number: number, id: string, name: string): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: number,
  id,
  name,
  toolKind: "function",
});
const args = (number: number, piece: string): ChatEvent => ({
  kind: "tool-arguments",
  choice: 0,
  call: number,
  text: piece,
});
const stopped = (choice = 0): ChatEvent => ({ kind: "finish", choice, finish: { reason: "stop", raw: "stop" } });
const called = (raw = "tool_calls"): ChatEvent => ({
  kind: "finish",
  choice: 0,
  finish: { reason: "tool-calls", raw },
});
const signed: ProviderState = { issuer: "anthropic", kind: "signature", value: "s" };
const redacted: ProviderState = { issuer: "anthropic", kind: "redacted", value: "r" };
const signedBlock = { type: "thinking", thinking: "hm", signature: "s" };
const redactedBlock = { type: "redacted_thinking", data: "r" };

const counts = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const counted: ChatEvent = {
  kind: "usage",
  usage: { ...usage, inputTokens: 5, outputTokens: 2, totalTokens: 7, raw: counts },
};

export const streamCases: readonly StreamCase[] = [
  {
    name: "text in pieces",
    source: openai,
    chunks: [chunk({ content: "Hel" }), chunk({ content: "lo" }), end("stop")],
    events: [text("Hel"), text("lo"), stopped()],
  },
  {
    name: "role and empty content say nothing",
    source: openai,
    way: "decode",
    chunks: [chunk({ role: "assistant", content: "", refusal: null }), chunk({ content: "Hi" }), end("stop")],
    events: [text("Hi"), stopped()],
  },
  {
    name: "the end in the chunk of the last text",
    source: openai,
    way: "decode",
    chunks: [chunk({ content: "Hi" }, 0, { finish_reason: "length" })],
    events: [text("Hi"), { kind: "finish", choice: 0, finish: { reason: "length", raw: "length" } }],
  },
  {
    name: "a refusal",
    source: openai,
    chunks: [chunk({ refusal: "No" }), chunk({ refusal: "." }), end("stop")],
    events: [{ kind: "refusal", choice: 0, text: "No" }, { kind: "refusal", choice: 0, text: "." }, stopped()],
  },
  {
    name: "one call in pieces",
    source: openai,
    chunks: [calls(named(0, "a", "f")), calls(more(0, '{"x"')), calls(more(0, ":1}")), end("tool_calls")],
    events: [call(0, "a", "f"), args(0, '{"x"'), args(0, ":1}"), called()],
  },
  {
    name: "parallel calls, one after the other, after text",
    source: openai,
    chunks: [
      chunk({ content: "Hi" }),
      calls(named(0, "a", "f")),
      calls(more(0, "{}")),
      calls(named(1, "b", "g")),
      calls(more(1, "{}")),
      end("tool_calls"),
    ],
    events: [text("Hi"), call(0, "a", "f"), args(0, "{}"), call(1, "b", "g"), args(1, "{}"), called()],
  },
  {
    name: "calls whose pieces alternate",
    source: interleaved,
    chunks: [
      calls(named(0, "a", "f")),
      calls(named(1, "b", "g")),
      calls(more(0, '{"x":')),
      calls(more(1, '{"y":')),
      calls(more(0, "1}")),
      calls(more(1, "2}")),
      end("tool_calls"),
    ],
    events: [
      call(0, "a", "f"),
      call(1, "b", "g"),
      args(0, '{"x":'),
      args(1, '{"y":'),
      args(0, "1}"),
      args(1, "2}"),
      called(),
    ],
  },
  {
    name: "a whole call in one piece",
    source: openai,
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, "{}"), called()],
  },
  {
    name: "whole calls that all have the index 0",
    source: sameIndex,
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"p":1}' } }),
      calls({ index: 0, id: "b", function: { name: "f", arguments: '{"p":2}' } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, '{"p":1}'), call(1, "b", "f"), args(1, '{"p":2}'), called()],
  },
  {
    name: "whole calls with the index 0 and no ids",
    source: sameIndex,
    way: "decode",
    chunks: [
      calls({ index: 0, id: "", function: { name: "f", arguments: '{"p":1}' } }),
      calls({ index: 0, id: "", function: { name: "f", arguments: '{"p":2}' } }),
      end("tool_calls"),
    ],
    events: [
      call(0, "call_c1_0_0", "f"),
      args(0, '{"p":1}'),
      call(1, "call_c1_0_1", "f"),
      args(1, '{"p":2}'),
      called(),
    ],
  },
  {
    name: "pieces without index and id belong to the open call",
    source: "https://github.com/apache/maka/issues/1976",
    way: "decode",
    chunks: [
      calls({ id: "a", function: { name: "f", arguments: "" } }),
      calls({ function: { arguments: '{"p":' } }),
      calls({ function: { arguments: "1}" } }),
      calls({ id: "b", function: { name: "g", arguments: "" } }),
      calls({ function: { arguments: "{}" } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, '{"p":'), args(0, "1}"), call(1, "b", "g"), args(1, "{}"), called()],
  },
  {
    name: "id and name repeated with each piece",
    source: "https://github.com/maximhq/bifrost/issues/1829",
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"p":' } }),
      calls({ index: 0, id: "a", function: { name: "f", arguments: "1}" } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, '{"p":'), args(0, "1}"), called()],
  },
  {
    name: "a new id with each piece of one call",
    source: "https://github.com/agno-agi/agno/issues/8880",
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"p":' } }),
      calls({ index: 0, id: "b", function: { arguments: "1}" } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, '{"p":'), args(0, "1}"), called()],
  },
  {
    name: "two calls with one id",
    source: sameIndex,
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
      calls({ index: 1, id: "a", function: { name: "g", arguments: "{}" } }),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, "{}"), call(1, "call_c1_0_1", "g"), args(1, "{}"), called()],
  },
  {
    name: "indices that begin with 1 become dense ones",
    source: "https://github.com/BerriAI/litellm/issues/5231",
    way: "decode",
    chunks: [
      calls(named(1, "a", "f")),
      calls(more(1, "{}")),
      calls(named(3, "b", "g")),
      calls(more(3, "{}")),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, "{}"), call(1, "b", "g"), args(1, "{}"), called()],
  },
  {
    name: "a name that comes after its id",
    source: openai,
    way: "decode",
    chunks: [
      calls({ index: 0, id: "a", type: "function" }),
      calls({ index: 0, function: { name: "f" } }),
      calls(more(0, "{}")),
      end("tool_calls"),
    ],
    events: [call(0, "a", "f"), args(0, "{}"), called()],
  },
  {
    name: "a call whose answer ends with stop",
    source: openai,
    way: "decode",
    chunks: [calls(named(0, "a", "f")), calls(more(0, "{}")), end("stop")],
    events: [call(0, "a", "f"), args(0, "{}"), called("stop")],
  },
  {
    name: "a call without arguments gets the empty object",
    source: openai,
    way: "encode",
    chunks: [calls(named(0, "a", "f")), calls(more(0, "{}")), end("tool_calls")],
    events: [call(0, "a", "f"), called()],
  },
  {
    name: "a call without id gets one",
    source: openai,
    way: "encode",
    chunks: [calls(named(0, "call_new1", "f")), calls(more(0, "{}")), end("tool_calls")],
    events: [call(0, "", "f"), args(0, "{}"), called()],
  },
  {
    name: "a custom call",
    source: openai,
    chunks: [
      calls({ index: 0, id: "a", type: "custom", custom: { name: "patch", input: "" } }),
      calls({ index: 0, custom: { input: "x" } }),
      end("tool_calls"),
    ],
    events: [
      { kind: "tool-call", choice: 0, call: 0, id: "a", name: "patch", toolKind: "custom" },
      args(0, "x"),
      called(),
    ],
  },
  {
    name: "a legacy call",
    source: openai,
    way: "decode",
    chunks: [
      chunk({ function_call: { name: "f", arguments: "" } }),
      chunk({ function_call: { arguments: "{}" } }),
      end("function_call"),
    ],
    events: [call(0, "call_c1_0_0", "f"), args(0, "{}"), called("function_call")],
  },
  {
    name: "a call for a legacy caller",
    source: openai,
    way: "encode",
    legacy: true,
    chunks: [
      chunk({ function_call: { name: "f", arguments: "" } }),
      chunk({ function_call: { arguments: "{}" } }),
      end("function_call"),
    ],
    events: [call(0, "a", "f"), args(0, "{}"), called()],
  },
  {
    name: "reasoning, then text",
    source: deepseek,
    chunks: [
      chunk({ reasoning_content: "h" }),
      chunk({ reasoning_content: "m" }),
      chunk({ content: "Hi" }),
      end("stop"),
    ],
    events: [reasoning("h"), reasoning("m"), text("Hi"), stopped()],
  },
  {
    name: "reasoning in the other spelling, with details that say the same",
    source: openrouter,
    way: "decode",
    chunks: [
      chunk({ content: "", reasoning: "h", reasoning_details: [{ type: "reasoning.text", text: "h", index: 0 }] }),
      chunk({ content: "", reasoning: "m", reasoning_details: [{ type: "reasoning.text", text: "m", index: 0 }] }),
      chunk({ content: "", reasoning_details: [{ type: "reasoning.text", signature: "s", index: 0 }] }),
      chunk({ content: "Hi" }),
      end("stop"),
    ],
    events: [
      reasoning("h"),
      reasoning("m"),
      endOf({
        issuer: "openrouter",
        kind: "signature",
        value: '{"type":"reasoning.text","signature":"s","index":0}',
      }),
      text("Hi"),
      stopped(),
    ],
  },
  {
    name: "details of two entries, the second one encrypted",
    source: openrouter,
    way: "decode",
    chunks: [
      chunk({ reasoning_details: [{ type: "reasoning.summary", summary: "sum", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "e", index: 1 }] }),
      end("stop"),
    ],
    events: [
      { kind: "reasoning", choice: 0, text: "sum", isSummary: true },
      endOf(),
      endOf({ issuer: "openrouter", kind: "encrypted", value: '{"type":"reasoning.encrypted","data":"e","index":1}' }),
      stopped(),
    ],
  },
  {
    name: "thinking in a list of parts",
    source: mistral,
    way: "decode",
    chunks: [
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
      chunk({ content: [{ type: "text", text: "Hi" }] }),
      chunk({ content: " you" }),
      end("stop"),
    ],
    events: [reasoning("hm"), text("Hi"), text(" you"), stopped()],
  },
  {
    name: "thinking blocks, cumulative, each when it is complete",
    source: anthropic,
    chunks: [
      chunk({ reasoning_content: "hm" }),
      chunk({ extra_content: { anthropic: { thinking_blocks: [signedBlock] } } }),
      chunk({ extra_content: { anthropic: { thinking_blocks: [signedBlock, redactedBlock] } } }),
      chunk({ content: "Hi" }),
      end("stop"),
    ],
    events: [reasoning("hm"), endOf(signed), endOf(redacted), text("Hi"), stopped()],
  },
  {
    name: "a second run of reasoning is kept apart from the first",
    source: anthropic,
    way: "encode",
    chunks: [
      chunk({ reasoning_content: "one" }),
      chunk({ reasoning_content: "\n\ntwo" }),
      chunk({ content: "Hi" }),
      chunk({ reasoning_content: "\n\nthree" }),
      end("stop"),
    ],
    events: [reasoning("one"), endOf(), reasoning("two"), text("Hi"), reasoning("three"), stopped()],
  },
  {
    name: "Google's signatures of a text and of a call",
    source: gemini,
    chunks: [
      chunk({ content: "Hi" }),
      chunk({ extra_content: { google: { thought_signature: "T" } } }),
      calls({ ...named(0, "a", "f"), extra_content: { google: { thought_signature: "S" } } }),
      calls(more(0, "{}")),
      end("tool_calls"),
    ],
    events: [
      text("Hi"),
      { kind: "text-state", choice: 0, state: { issuer: "google", kind: "thought", value: "T" } },
      {
        kind: "tool-call",
        choice: 0,
        call: 0,
        id: "a",
        name: "f",
        toolKind: "function",
        state: { issuer: "google", kind: "thought", value: "S" },
      },
      args(0, "{}"),
      called(),
    ],
  },
  {
    name: "a citation",
    source: openai,
    chunks: [
      chunk({ content: "Hi" }),
      chunk({
        annotations: [
          { type: "url_citation", url_citation: { url: "https://a.b", title: "T", start_index: 0, end_index: 2 } },
        ],
      }),
      end("stop"),
    ],
    events: [
      text("Hi"),
      {
        kind: "annotation",
        choice: 0,
        annotation: {
          kind: "url",
          url: "https://a.b",
          title: "T",
          startIndex: 0,
          endIndex: 2,
          raw: {
            dialect: "chat-completions",
            value: {
              type: "url_citation",
              url_citation: { url: "https://a.b", title: "T", start_index: 0, end_index: 2 },
            },
          },
        },
      },
      stopped(),
    ],
  },
  {
    name: "probabilities",
    source: openai,
    chunks: [chunk({ content: "Hi" }, 0, { logprobs: { content: [{ token: "Hi" }], refusal: null } }), end("stop")],
    events: [{ kind: "text", choice: 0, text: "Hi", logprobs: [{ token: "Hi" }] }, stopped()],
  },
  {
    name: "audio",
    source: "https://platform.openai.com/docs/guides/audio",
    chunks: [chunk({ audio: { id: "audio_1", data: "aGk=" } }), end("stop")],
    events: [{ kind: "audio", choice: 0, value: { id: "audio_1", data: "aGk=" } }, stopped()],
  },
  {
    name: "two choices",
    source: openai,
    way: "decode",
    chunks: [chunk({ content: "a" }), chunk({ content: "b" }, 1), end("stop"), end("stop", 1)],
    events: [text("a"), text("b", 1), stopped(), stopped(1)],
  },
  {
    name: "a role for each of two choices",
    source: openai,
    way: "encode",
    chunks: [
      chunk({ content: "a" }),
      chunk({ role: "assistant", content: "" }, 1),
      chunk({ content: "b" }, 1),
      end("stop"),
      end("stop", 1),
    ],
    events: [text("a"), text("b", 1), stopped(), stopped(1)],
  },
  {
    name: "usage behind the end",
    source: openai,
    way: "decode",
    chunks: [chunk({ content: "Hi" }), end("stop"), { choices: [], usage: counts }],
    events: [text("Hi"), stopped(), counted],
  },
  {
    name: "usage in the place that Groq has for it, and in the choice",
    source: "https://console.groq.com/docs/api-reference",
    way: "decode",
    chunks: [{ ...end("stop"), x_groq: { usage: counts } }, chunk({}, 0, { usage: counts })],
    events: [stopped(), counted, counted],
  },
  {
    name: "usage for who asked, in a chunk of its own at the end",
    source: openai,
    way: "encode",
    wantsUsage: true,
    chunks: [
      chunk({ content: "Hi" }),
      end("stop"),
      {
        choices: [],
        usage: {
          ...counts,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0 },
          raw_usage: counts,
        },
      },
    ],
    events: [counted, text("Hi"), stopped()],
  },
  {
    name: "usage for nobody who did not ask",
    source: openai,
    way: "encode",
    chunks: [chunk({ content: "Hi" }), end("stop")],
    events: [text("Hi"), stopped(), counted],
  },
  {
    name: "a terminal without any reason",
    source: openai,
    way: "decode",
    chunks: [chunk({ content: "Hi" })],
    events: [text("Hi"), { kind: "finish", choice: 0, finish: { reason: "unknown" } }],
  },
  {
    name: "calls and a terminal without any reason",
    source: openai,
    way: "decode",
    chunks: [calls(named(0, "a", "f"))],
    events: [call(0, "a", "f"), { kind: "finish", choice: 0, finish: { reason: "tool-calls" } }],
  },
  {
    name: "a verdict on the prompt before the answer",
    source: "https://learn.microsoft.com/azure/ai-services/openai/concepts/content-streaming",
    way: "decode",
    chunks: [
      { id: "", model: "", created: 0, choices: [], prompt_filter_results: [1] },
      chunk({ content: "Hi" }),
      end("stop"),
    ],
    start: { kind: "start", id: "c1", model: "m", created: 1, unknown: { prompt_filter_results: [1] } },
    events: [text("Hi"), stopped()],
  },
  {
    name: "an unknown reason goes out as it came",
    source: deepseek,
    chunks: [chunk({ content: "Hi" }), end("insufficient_system_resource")],
    events: [
      text("Hi"),
      { kind: "finish", choice: 0, finish: { reason: "unknown", raw: "insufficient_system_resource" } },
    ],
  },
  {
    name: "one end, and nothing of the choice behind it",
    source: openai,
    way: "encode",
    chunks: [chunk({ content: "Hi" }), end("stop")],
    events: [text("Hi"), stopped(), text("more"), stopped()],
  },
  {
    name: "an end for a choice that got none",
    source: openai,
    way: "encode",
    chunks: [chunk({ content: "Hi" }), end("unknown")],
    events: [text("Hi")],
  },
];
