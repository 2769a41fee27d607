// Golden values: whole answers of Gemini, and the hub's.

import { counted } from "./counted.ts";
import type { AnswerCase } from "./golden-case.ts";

const response = "https://ai.google.dev/api/generate-content#GenerateContentResponse";
const signatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const content = (...parts: readonly unknown[]) => ({ role: "model", parts });
const said = (text: string) => [{ kind: "text", text }] as const;
const stop = { reason: "stop", raw: "STOP" } as const;
const state = (value: string) => ({ issuer: "google", kind: "thought", value }) as const;

const plainUsage = {
  promptTokenCount: 8,
  candidatesTokenCount: 3,
  totalTokenCount: 11,
  promptTokensDetails: [{ modality: "TEXT", tokenCount: 8 }],
};
const fullUsage = {
  promptTokenCount: 120,
  cachedContentTokenCount: 100,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 50,
  toolUsePromptTokenCount: 10,
  totalTokenCount: 210,
  promptTokensDetails: [
    { modality: "TEXT", tokenCount: 90 },
    { modality: "AUDIO", tokenCount: 30 },
  ],
  candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 25 }],
};
const partialUsage = { promptTokenCount: 4, futureTokenCount: 2 };

/** Reasons that Gemini gives besides those of the other cases, and what they come to. */
const otherReasons = [
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  ["MODEL_ARMOR", "content-filter"],
  ["LANGUAGE", "unknown"],
  ["OTHER", "unknown"],
  ["MALFORMED_FUNCTION_CALL", "unknown"],
  ["SOMETHING_NEW", "unknown"],
] as const;

export const answers: readonly AnswerCase[] = [
  {
    name: "a text with everything around it",
    source: response,
    body: {
      candidates: [{ content: content({ text: "Hello" }), finishReason: "STOP", index: 0, avgLogprobs: -0.1 }],
      usageMetadata: plainUsage,
      modelVersion: "gemini-2.5-flash",
      responseId: "r1",
    },
    expected: {
      id: "r1",
      model: "gemini-2.5-flash",
      choices: [{ index: 0, parts: said("Hello"), finish: stop }],
      usage: counted(plainUsage, { inputTokens: 8, outputTokens: 3, totalTokens: 11 }),
    },
  },
  {
    name: "parts of text in a row are one",
    source: response,
    body: { candidates: [{ content: content({ text: "Hel" }, { text: "" }, { text: "lo" }), finishReason: "STOP" }] },
    expected: { choices: [{ index: 0, parts: said("Hello"), finish: stop }] },
  },
  {
    name: "thoughts before the text",
    source: "https://ai.google.dev/gemini-api/docs/thinking#summaries",
    body: {
      candidates: [
        {
          content: content({ text: "**Plan**\n", thought: true }, { text: "Greet.", thought: true }, { text: "Hello" }),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [{ kind: "reasoning", text: "**Plan**\nGreet.", isSummary: true }, ...said("Hello")],
          finish: stop,
        },
      ],
    },
  },
  {
    name: "a text with its signature stays apart",
    source: signatures,
    body: {
      candidates: [
        { content: content({ text: "One" }, { text: "Two", thoughtSignature: "c2ln" }), finishReason: "STOP" },
      ],
    },
    expected: {
      choices: [
        { index: 0, parts: [...said("One"), { kind: "text", text: "Two", state: state("c2ln") }], finish: stop },
      ],
    },
  },
  {
    name: "a signature on an empty text, and one on nothing",
    source: signatures,
    body: {
      candidates: [
        {
          content: content({ text: "Hi" }, { text: "", thoughtSignature: "c2ln" }, { thoughtSignature: "c2ky" }),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            ...said("Hi"),
            { kind: "text", text: "", state: state("c2ln") },
            { kind: "text", text: "", state: state("c2ky") },
          ],
          finish: stop,
        },
      ],
    },
  },
  {
    name: "a call with its id and signature",
    source: signatures,
    body: {
      candidates: [
        {
          content: content({
            functionCall: { id: "fc-1", name: "weather", args: { city: "Oslo" } },
            thoughtSignature: "c2ln",
          }),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            {
              kind: "tool-call",
              id: "fc-1",
              name: "weather",
              arguments: '{"city":"Oslo"}',
              toolKind: "function",
              state: state("c2ln"),
            },
          ],
          finish: { reason: "tool-calls", raw: "STOP" },
        },
      ],
    },
  },
  {
    name: "parallel calls without ids after a text, one of them without arguments",
    source: "https://ai.google.dev/gemini-api/docs/function-calling#parallel_function_calling",
    body: {
      candidates: [
        {
          content: content(
            { text: "Let me see." },
            { functionCall: { name: "weather", args: { city: "Oslo" } } },
            { functionCall: { name: "clock", id: "" } },
          ),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            ...said("Let me see."),
            { kind: "tool-call", id: "new-1", name: "weather", arguments: '{"city":"Oslo"}', toolKind: "function" },
            { kind: "tool-call", id: "new-2", name: "clock", arguments: "{}", toolKind: "function" },
          ],
          finish: { reason: "tool-calls", raw: "STOP" },
        },
      ],
    },
  },
  {
    name: "the limit ends a call's turn as a limit",
    source: response,
    body: {
      candidates: [{ content: content({ functionCall: { name: "clock", args: {} } }), finishReason: "MAX_TOKENS" }],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [{ kind: "tool-call", id: "new-1", name: "clock", arguments: "{}", toolKind: "function" }],
          finish: { reason: "length", raw: "MAX_TOKENS" },
        },
      ],
    },
  },
  {
    name: "the limit was used up by thoughts",
    source: "https://ai.google.dev/gemini-api/docs/thinking",
    body: { candidates: [{ content: { role: "model" }, finishReason: "MAX_TOKENS", index: 0 }] },
    expected: { choices: [{ index: 0, parts: [], finish: { reason: "length", raw: "MAX_TOKENS" } }] },
  },
  ...otherReasons.map(([raw, reason]) => ({
    name: `the finish reason ${raw} is ${reason}`,
    source: "https://ai.google.dev/api/generate-content#FinishReason",
    body: { candidates: [{ content: content({ text: "Once" }), finishReason: raw, safetyRatings: [] }] },
    expected: { choices: [{ index: 0, parts: said("Once"), finish: { reason, raw } }] },
  })),
  {
    name: "a prompt that was not let through",
    source: "https://ai.google.dev/api/generate-content#PromptFeedback",
    body: {
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
      modelVersion: "gemini-2.5-flash",
    },
    expected: {
      model: "gemini-2.5-flash",
      choices: [{ index: 0, parts: [], finish: { reason: "content-filter", raw: "PROHIBITED_CONTENT" } }],
      usage: counted({ promptTokenCount: 5, totalTokenCount: 5 }, { inputTokens: 5, totalTokens: 5 }),
    },
  },
  {
    name: "several candidates",
    source: response,
    body: {
      candidates: [
        { content: content({ text: "A" }), finishReason: "STOP", index: 0 },
        { content: content({ text: "B" }), finishReason: "MAX_TOKENS", index: 1 },
      ],
    },
    expected: {
      choices: [
        { index: 0, parts: said("A"), finish: stop },
        { index: 1, parts: said("B"), finish: { reason: "length", raw: "MAX_TOKENS" } },
      ],
    },
  },
  {
    name: "usage with a cache, thoughts, tools that Google ran, and audio",
    source: "https://ai.google.dev/api/generate-content#UsageMetadata",
    body: { candidates: [{ content: content({ text: "A" }), finishReason: "STOP" }], usageMetadata: fullUsage },
    expected: {
      choices: [{ index: 0, parts: said("A"), finish: stop }],
      usage: counted(fullUsage, {
        inputTokens: 130,
        outputTokens: 80,
        totalTokens: 210,
        cachedInputTokens: 100,
        reasoningTokens: 50,
        audioInputTokens: 30,
        audioOutputTokens: 25,
      }),
    },
  },
  {
    name: "usage that leaves counts out and has one that nobody knows",
    source: "behaviour 1.17, unmapped token fields",
    body: { candidates: [{ content: content({ text: "A" }), finishReason: "STOP" }], usageMetadata: partialUsage },
    expected: {
      choices: [{ index: 0, parts: said("A"), finish: stop }],
      usage: counted(partialUsage, { inputTokens: 4, totalTokens: 4, unmappedFields: ["futureTokenCount"] }),
    },
  },
  {
    name: "an image, and a file by its place",
    source: "https://ai.google.dev/gemini-api/docs/image-generation",
    body: {
      candidates: [
        {
          content: content(
            { text: "Here: " },
            { inlineData: { mimeType: "image/png", data: "AA==" } },
            { fileData: { mimeType: "application/pdf", fileUri: "gs://b/a.pdf" } },
          ),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        { index: 0, parts: said("Here: ![image](data:image/png;base64,AA==)[file](gs://b/a.pdf)"), finish: stop },
      ],
    },
  },
  {
    name: "speech",
    source: "https://ai.google.dev/gemini-api/docs/speech-generation",
    body: {
      candidates: [
        {
          content: content({ inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: "AAAA" } }),
          finishReason: "STOP",
        },
      ],
    },
    expected: { choices: [{ index: 0, parts: [{ kind: "audio", data: "AAAA", format: "pcm16" }], finish: stop }] },
  },
  {
    name: "code that Google ran, and what came of it",
    source: "https://ai.google.dev/gemini-api/docs/code-execution",
    body: {
      candidates: [
        {
          content: content(
            { executableCode: { language: "PYTHON", code: "print(1)\n" } },
            { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
            { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "no" } },
          ),
          finishReason: "STOP",
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: said("\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\nOUTCOME_FAILED\nno\n```\n"),
          finish: stop,
        },
      ],
    },
  },
  {
    name: "sources of a text with letters of two and four bytes",
    source: "https://ai.google.dev/gemini-api/docs/google-search",
    body: {
      candidates: [
        {
          content: content({ text: "Å 🎉 won. Yes." }),
          finishReason: "STOP",
          groundingMetadata: {
            groundingChunks: [
              { web: { uri: "https://a.example", title: "A" } },
              { retrievedContext: { uri: "gs://b/c", title: "C", text: "it won" } },
              { web: { uri: "https://d.example" } },
            ],
            groundingSupports: [{ segment: { endIndex: 12, text: "Å 🎉 won." }, groundingChunkIndices: [0, 1] }],
          },
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            {
              kind: "text",
              text: "Å 🎉 won. Yes.",
              annotations: [
                {
                  kind: "url",
                  url: "https://a.example",
                  title: "A",
                  startIndex: 0,
                  endIndex: 9,
                  raw: {
                    dialect: "gemini",
                    value: {
                      web: { uri: "https://a.example", title: "A" },
                      segment: { endIndex: 12, text: "Å 🎉 won." },
                    },
                  },
                },
                {
                  kind: "document",
                  url: "gs://b/c",
                  title: "C",
                  citedText: "it won",
                  startIndex: 0,
                  endIndex: 9,
                  raw: {
                    dialect: "gemini",
                    value: {
                      retrievedContext: { uri: "gs://b/c", title: "C", text: "it won" },
                      segment: { endIndex: 12, text: "Å 🎉 won." },
                    },
                  },
                },
                {
                  kind: "url",
                  url: "https://d.example",
                  raw: { dialect: "gemini", value: { web: { uri: "https://d.example" } } },
                },
              ],
            },
          ],
          finish: stop,
          unknown: {
            groundingMetadata: {
              groundingChunks: [
                { web: { uri: "https://a.example", title: "A" } },
                { retrievedContext: { uri: "gs://b/c", title: "C", text: "it won" } },
                { web: { uri: "https://d.example" } },
              ],
              groundingSupports: [{ segment: { endIndex: 12, text: "Å 🎉 won." }, groundingChunkIndices: [0, 1] }],
            },
          },
        },
      ],
    },
  },
  {
    name: "a citation without a place to go to",
    source: "https://ai.google.dev/api/generate-content#CitationSource",
    body: {
      candidates: [
        {
          content: content({ text: "To be" }),
          finishReason: "STOP",
          citationMetadata: { citationSources: [{ startIndex: 3, endIndex: 5, license: "mit" }] },
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            {
              kind: "text",
              text: "To be",
              annotations: [
                {
                  kind: "other",
                  startIndex: 3,
                  endIndex: 5,
                  raw: { dialect: "gemini", value: { startIndex: 3, endIndex: 5, license: "mit" } },
                },
              ],
            },
          ],
          finish: stop,
        },
      ],
    },
  },
  {
    name: "log probabilities",
    source: "https://ai.google.dev/api/generate-content#LogprobsResult",
    body: {
      candidates: [
        {
          content: content({ text: "Å" }),
          finishReason: "STOP",
          logprobsResult: {
            chosenCandidates: [{ token: "Å", tokenId: 5, logProbability: -0.25 }],
            topCandidates: [
              {
                candidates: [
                  { token: "Å", logProbability: -0.25 },
                  { token: "A", logProbability: -2 },
                ],
              },
            ],
          },
        },
      ],
    },
    expected: {
      choices: [
        {
          index: 0,
          parts: [
            {
              kind: "text",
              text: "Å",
              logprobs: [
                {
                  token: "Å",
                  logprob: -0.25,
                  bytes: [195, 133],
                  top_logprobs: [
                    { token: "Å", logprob: -0.25, bytes: [195, 133] },
                    { token: "A", logprob: -2, bytes: [65] },
                  ],
                },
              ],
            },
          ],
          finish: stop,
        },
      ],
    },
  },
  {
    name: "members that nobody knows, at their level; the time of Vertex",
    source:
      "behaviour 1.16, rule 1; https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference",
    body: {
      candidates: [
        {
          content: content({ text: "A", videoMetadata: { fps: 1 } }),
          finishReason: "STOP",
          finishMessage: "done",
          x: 1,
        },
      ],
      createTime: "2026-11-30T12:00:00.5Z",
      y: [2],
    },
    expected: {
      created: 1_796_040_000,
      choices: [
        {
          index: 0,
          parts: [{ kind: "text", text: "A", unknown: { videoMetadata: { fps: 1 } } }],
          finish: stop,
          unknown: { finishMessage: "done", x: 1 },
        },
      ],
      unknown: { y: [2] },
    },
  },
  {
    name: "a part of a kind that nobody knows",
    source: "behaviour 1.16, rule 1",
    body: { candidates: [{ content: content({ hologram: { z: 1 } }), finishReason: "STOP" }] },
    expected: {
      choices: [
        {
          index: 0,
          parts: [{ kind: "opaque", dialect: "gemini", type: "hologram", value: { hologram: { z: 1 } } }],
          finish: stop,
        },
      ],
    },
  },
  {
    name: "members that are missing",
    source: "behaviour 2.9, schema drift",
    body: { candidates: [{}] },
    expected: { choices: [{ index: 0, parts: [], finish: { reason: "unknown" } }] },
  },
];
