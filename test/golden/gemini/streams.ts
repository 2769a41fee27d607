// Golden values: streamed answers of Gemini, and the hub's events.

import { counted } from "./counted.ts";
import type { StreamCase } from "./golden-case.ts";

const streaming = "https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent";
const signatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const parts = (...list: readonly unknown[]) => ({ content: { role: "model", parts: list } });
const event = (...candidates: readonly unknown[]) => ({ candidates });
const start = { kind: "start" } as const;
const text = (words: string, choice = 0) => ({ kind: "text", choice, text: words }) as const;
const stop = { kind: "finish", choice: 0, finish: { reason: "stop", raw: "STOP" } } as const;
const calls = { kind: "finish", choice: 0, finish: { reason: "tool-calls", raw: "STOP" } } as const;
const state = (value: string) => ({ issuer: "google", kind: "thought", value }) as const;
const toolCall = (call: number, id: string, name: string) =>
  ({ kind: "tool-call", choice: 0, call, id, name, toolKind: "function" }) as const;
const toolArguments = (call: number, words: string) =>
  ({ kind: "tool-arguments", choice: 0, call, text: words }) as const;

const firstUsage = { promptTokenCount: 8, totalTokenCount: 8 };
const lastUsage = { promptTokenCount: 8, candidatesTokenCount: 4, thoughtsTokenCount: 2, totalTokenCount: 14 };

export const streams: readonly StreamCase[] = [
  {
    name: "a text in pieces, with usage from the first event on",
    source: streaming,
    events: [
      {
        ...event({ ...parts({ text: "Hel" }), index: 0 }),
        usageMetadata: firstUsage,
        modelVersion: "gemini-2.5-flash",
        responseId: "r1",
      },
      {
        ...event({ ...parts({ text: "lo" }), finishReason: "STOP", index: 0 }),
        usageMetadata: lastUsage,
        modelVersion: "gemini-2.5-flash",
        responseId: "r1",
      },
    ],
    expected: [
      {
        kind: "start",
        id: "r1",
        model: "gemini-2.5-flash",
        usage: counted(firstUsage, { inputTokens: 8, totalTokens: 8 }),
      },
      text("Hel"),
      text("lo"),
      stop,
      {
        kind: "usage",
        usage: counted(lastUsage, { inputTokens: 8, outputTokens: 6, reasoningTokens: 2, totalTokens: 14 }),
      },
    ],
  },
  {
    name: "the finish alone in the last event",
    source: streaming,
    events: [event(parts({ text: "Hi" })), event({ finishReason: "STOP" })],
    expected: [start, text("Hi"), stop],
  },
  {
    name: "an empty text with the finish",
    source: streaming,
    events: [event(parts({ text: "Hi" })), event({ ...parts({ text: "" }), finishReason: "STOP" })],
    expected: [start, text("Hi"), stop],
  },
  {
    name: "usage alone after the finish",
    source: streaming,
    events: [event({ ...parts({ text: "Hi" }), finishReason: "STOP" }), { usageMetadata: firstUsage }],
    expected: [
      start,
      text("Hi"),
      stop,
      { kind: "usage", usage: counted(firstUsage, { inputTokens: 8, totalTokens: 8 }) },
    ],
  },
  {
    name: "a finish in every event, as earlier models write it",
    source: "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference",
    events: [
      event({ ...parts({ text: "Hi" }), finishReason: "STOP" }),
      event({ ...parts({ functionCall: { name: "clock", args: {} } }), finishReason: "STOP" }),
    ],
    expected: [start, text("Hi"), toolCall(0, "new-1", "clock"), toolArguments(0, "{}"), calls],
  },
  {
    name: "thoughts, then the text",
    source: "https://ai.google.dev/gemini-api/docs/thinking#summaries",
    events: [
      event(parts({ text: "Plan", thought: true })),
      event(parts({ text: "ning", thought: true })),
      event({ ...parts({ text: "Hi" }), finishReason: "STOP" }),
    ],
    expected: [
      start,
      { kind: "reasoning", choice: 0, text: "Plan", isSummary: true },
      { kind: "reasoning", choice: 0, text: "ning", isSummary: true },
      { kind: "end-of-reasoning", choice: 0 },
      text("Hi"),
      stop,
    ],
  },
  {
    name: "thoughts alone, up to the limit",
    source: "https://ai.google.dev/gemini-api/docs/thinking#summaries",
    events: [event(parts({ text: "Hm", thought: true })), event({ finishReason: "MAX_TOKENS" })],
    expected: [
      start,
      { kind: "reasoning", choice: 0, text: "Hm", isSummary: true },
      { kind: "end-of-reasoning", choice: 0 },
      { kind: "finish", choice: 0, finish: { reason: "length", raw: "MAX_TOKENS" } },
    ],
  },
  {
    name: "thoughts with a signature",
    source: signatures,
    events: [
      event({
        ...parts({ text: "Hm", thought: true, thoughtSignature: "czA=" }, { text: "Hi" }),
        finishReason: "STOP",
      }),
    ],
    expected: [
      start,
      { kind: "reasoning", choice: 0, text: "Hm", isSummary: true },
      { kind: "end-of-reasoning", choice: 0, state: state("czA=") },
      text("Hi"),
      stop,
    ],
  },
  {
    name: "the signature of a text in an empty part at the end",
    source: signatures,
    events: [
      event(parts({ text: "Hi" })),
      event({ ...parts({ text: "", thoughtSignature: "c2ln" }), finishReason: "STOP" }),
    ],
    expected: [start, text("Hi"), { kind: "text-state", choice: 0, state: state("c2ln") }, stop],
  },
  {
    name: "a signature on the last piece of a text",
    source: signatures,
    events: [event({ ...parts({ text: "Hi", thoughtSignature: "c2ln" }), finishReason: "STOP" })],
    expected: [start, text("Hi"), { kind: "text-state", choice: 0, state: state("c2ln") }, stop],
  },
  {
    name: "a call with id and signature",
    source: signatures,
    events: [
      event({
        ...parts({ functionCall: { id: "fc-1", name: "weather", args: { city: "Oslo" } }, thoughtSignature: "c2ln" }),
        finishReason: "STOP",
      }),
    ],
    expected: [
      start,
      { ...toolCall(0, "fc-1", "weather"), state: state("c2ln") },
      toolArguments(0, '{"city":"Oslo"}'),
      calls,
    ],
  },
  {
    name: "parallel calls in one event, without ids",
    source: "https://ai.google.dev/gemini-api/docs/function-calling#parallel_function_calling",
    events: [
      event(
        parts({ functionCall: { name: "weather", args: { city: "Oslo" } } }, { functionCall: { name: "weather" } }),
      ),
      event({ finishReason: "STOP" }),
    ],
    expected: [
      start,
      toolCall(0, "new-1", "weather"),
      toolArguments(0, '{"city":"Oslo"}'),
      toolCall(1, "new-2", "weather"),
      toolArguments(1, "{}"),
      calls,
    ],
  },
  {
    name: "calls in several events, after thoughts and a text",
    source: "https://ai.google.dev/gemini-api/docs/function-calling",
    events: [
      event(parts({ text: "Hm", thought: true }, { functionCall: { id: "a", name: "f", args: { n: 1 } } })),
      event(parts({ text: "and" })),
      event({ ...parts({ functionCall: { id: "b", name: "g", args: { n: 2 } } }), finishReason: "STOP" }),
    ],
    expected: [
      start,
      { kind: "reasoning", choice: 0, text: "Hm", isSummary: true },
      { kind: "end-of-reasoning", choice: 0 },
      toolCall(0, "a", "f"),
      toolArguments(0, '{"n":1}'),
      text("and"),
      toolCall(1, "b", "g"),
      toolArguments(1, '{"n":2}'),
      calls,
    ],
  },
  {
    name: "the limit",
    source: "https://ai.google.dev/api/generate-content#FinishReason",
    events: [event({ ...parts({ text: "Once" }), finishReason: "MAX_TOKENS" })],
    expected: [start, text("Once"), { kind: "finish", choice: 0, finish: { reason: "length", raw: "MAX_TOKENS" } }],
  },
  {
    name: "a filter in the middle",
    source: "https://ai.google.dev/api/generate-content#FinishReason",
    events: [event(parts({ text: "Once" })), event({ finishReason: "SAFETY", safetyRatings: [] })],
    expected: [start, text("Once"), { kind: "finish", choice: 0, finish: { reason: "content-filter", raw: "SAFETY" } }],
  },
  {
    name: "a prompt that was not let through",
    source: "https://ai.google.dev/api/generate-content#PromptFeedback",
    events: [{ promptFeedback: { blockReason: "SAFETY" }, usageMetadata: firstUsage }],
    expected: [
      { kind: "start", usage: counted(firstUsage, { inputTokens: 8, totalTokens: 8 }) },
      { kind: "finish", choice: 0, finish: { reason: "content-filter", raw: "SAFETY" } },
      { kind: "usage", usage: counted(firstUsage, { inputTokens: 8, totalTokens: 8 }) },
    ],
  },
  {
    name: "a broken call after a text",
    source: "https://ai.google.dev/api/generate-content#FinishReason",
    events: [event(parts({ text: "I call." })), event({ finishReason: "MALFORMED_FUNCTION_CALL" })],
    expected: [
      start,
      text("I call."),
      { kind: "finish", choice: 0, finish: { reason: "unknown", raw: "MALFORMED_FUNCTION_CALL" } },
    ],
  },
  {
    name: "a reason that nobody knows",
    source: "https://ai.google.dev/api/generate-content#FinishReason",
    events: [event({ ...parts({ text: "Hi" }), finishReason: "NEW" })],
    expected: [start, text("Hi"), { kind: "finish", choice: 0, finish: { reason: "unknown", raw: "NEW" } }],
  },
  {
    name: "two candidates by turns",
    source: streaming,
    events: [
      event({ ...parts({ text: "A" }), index: 0 }, { ...parts({ text: "B" }), index: 1 }),
      event({ ...parts({ text: "b" }), index: 1, finishReason: "MAX_TOKENS" }),
      event({ ...parts({ text: "a" }), index: 0, finishReason: "STOP" }),
    ],
    expected: [
      start,
      text("A"),
      text("B", 1),
      text("b", 1),
      text("a"),
      stop,
      { kind: "finish", choice: 1, finish: { reason: "length", raw: "MAX_TOKENS" } },
    ],
  },
  {
    name: "sources in the last event, counted in bytes over the whole text",
    source: "https://ai.google.dev/gemini-api/docs/google-search",
    events: [
      event(parts({ text: "Å " })),
      event({
        ...parts({ text: "won" }),
        finishReason: "STOP",
        groundingMetadata: {
          groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
          groundingSupports: [{ segment: { startIndex: 3, endIndex: 6, text: "won" }, groundingChunkIndices: [0] }],
        },
      }),
    ],
    expected: [
      start,
      text("Å "),
      text("won"),
      {
        kind: "annotation",
        choice: 0,
        annotation: {
          kind: "url",
          url: "https://a.example",
          title: "A",
          startIndex: 2,
          endIndex: 5,
          raw: {
            dialect: "gemini",
            value: {
              web: { uri: "https://a.example", title: "A" },
              segment: { startIndex: 3, endIndex: 6, text: "won" },
            },
          },
        },
      },
      stop,
    ],
  },
  {
    name: "an image between texts",
    source: "https://ai.google.dev/gemini-api/docs/image-generation",
    events: [
      event(parts({ text: "Here" }, { inlineData: { mimeType: "image/png", data: "AA==" } })),
      event({ finishReason: "STOP" }),
    ],
    expected: [start, text("Here"), text("![image](data:image/png;base64,AA==)"), stop],
  },
  {
    name: "speech",
    source: "https://ai.google.dev/gemini-api/docs/speech-generation",
    events: [event({ ...parts({ inlineData: { mimeType: "audio/wav", data: "AAAA" } }), finishReason: "STOP" })],
    expected: [start, { kind: "audio", choice: 0, value: { data: "AAAA" } }, stop],
  },
  {
    name: "code that Google ran",
    source: "https://ai.google.dev/gemini-api/docs/code-execution",
    events: [
      event(parts({ executableCode: { language: "PYTHON", code: "print(1)" } })),
      event({ ...parts({ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }), finishReason: "STOP" }),
    ],
    expected: [start, text("\n```python\nprint(1)\n```\n"), text("\n```\n1\n```\n"), stop],
  },
  {
    name: "log probabilities with each piece",
    source: "https://ai.google.dev/api/generate-content#LogprobsResult",
    events: [
      event({
        ...parts({ text: "A" }),
        finishReason: "STOP",
        logprobsResult: { chosenCandidates: [{ token: "A", logProbability: -1 }] },
      }),
    ],
    expected: [start, { ...text("A"), logprobs: [{ token: "A", logprob: -1, bytes: [65], top_logprobs: [] }] }, stop],
  },
  {
    name: "letters of every length, line ends and quotes",
    source: streaming,
    events: [
      event(parts({ text: "ÅÄ🎉" })),
      event({ ...parts({ text: 'a\r\n"data: b"\u2028' }), finishReason: "STOP" }),
    ],
    expected: [start, text("ÅÄ🎉"), text('a\r\n"data: b"\u2028'), stop],
  },
  {
    name: "a call with many arguments",
    source: "https://ai.google.dev/gemini-api/docs/function-calling",
    events: [
      event({
        ...parts({
          functionCall: { id: "a", name: "write", args: { text: "x".repeat(70_000), deep: [{ a: null }, -0.5] } },
        }),
        finishReason: "STOP",
      }),
    ],
    expected: [
      start,
      toolCall(0, "a", "write"),
      toolArguments(0, `{"text":"${"x".repeat(70_000)}","deep":[{"a":null},-0.5]}`),
      calls,
    ],
  },
  {
    name: "members that nobody knows at the start",
    source: "behaviour 1.16, rule 1",
    events: [{ ...event({ ...parts({ text: "A" }), finishReason: "STOP" }), x: 1 }],
    expected: [{ kind: "start", unknown: { x: 1 } }, text("A"), stop],
  },
];
