// A caller of chat completions, answered by Gemini.

import {
  argues,
  calls,
  chatUsageGiven,
  choice,
  chunks,
  completion,
  functionTool,
  role,
  says,
  toolCall,
} from "./chat-wire.ts";
import { candidate, generated, generatedStream, geminiUsage, model, user } from "./gemini-wire.ts";
import { pages, type Pair } from "./pair.ts";

const between = { caller: "chat-completions", provider: "gemini" } as const;
const given = { id: "g1", model: "gemini-2.5-flash", provider: "gemini" };
const usage = geminiUsage(5, 2);
const city = { type: "object", properties: { city: { type: "string" } } };

export const chatToGemini: readonly Pair[] = [
  {
    name: "system, an image and a PDF as data, sampling, and two answers",
    source: [pages.chat, pages.gemini],
    ...between,
    request: {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "auto" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
          ],
        },
      ],
      n: 2,
      max_tokens: 100,
      temperature: 0.3,
      top_p: 0.9,
      stop: ["A", "B"],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      user: "u1",
    },
    upstream: {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        user({ text: "Hi" }),
        model({ text: "Hello" }),
        user(
          { text: "See" },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
        ),
      ],
      generationConfig: {
        maxOutputTokens: 100,
        stopSequences: ["A", "B"],
        temperature: 0.3,
        topP: 0.9,
        candidateCount: 2,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
    },
    dropped: ["user"],
    answer: generated([candidate([{ text: "One" }], "STOP"), candidate([{ text: "Two" }], "MAX_TOKENS", 1)], usage),
    given: completion(
      given,
      [choice({ content: "One" }, "stop"), choice({ content: "Two" }, "length", 1)],
      chatUsageGiven(5, 2, usage),
    ),
    stream: [
      generated([candidate([{ text: "O" }]), candidate([{ text: "T" }], undefined, 1)]),
      generated([candidate([{ text: "ne" }]), candidate([{ text: "wo" }], undefined, 1)]),
      generated([candidate([], "STOP"), candidate([], "MAX_TOKENS", 1)], usage),
    ],
    streamed: chunks(
      given,
      [role, says("O"), [{ role: "assistant", content: "" }, 1], says("T", 1), says("ne"), says("wo", 1)],
      [["stop"], ["length", 1]],
    ),
  },
  {
    name: "parallel calls and their results",
    source: [pages.chat, pages.geminiTools],
    ...between,
    request: {
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [toolCall("a", "weather", '{"city":"Rome"}'), toolCall("b", "weather", "{}")],
        },
        { role: "tool", tool_call_id: "a", content: '{"sky":"blue"}' },
        { role: "tool", tool_call_id: "b", content: "none", extra_content: { anthropic: { is_error: true } } },
      ],
      tools: [
        functionTool("weather", city, { description: "Tells it" }),
        functionTool("stop", { type: "object", properties: {} }),
      ],
      tool_choice: { type: "function", function: { name: "weather" } },
      parallel_tool_calls: false,
      stream_options: { include_usage: true },
    },
    upstream: {
      contents: [
        user({ text: "Weather?" }),
        model(
          { functionCall: { id: "a", name: "weather", args: { city: "Rome" } } },
          { functionCall: { id: "b", name: "weather", args: {} } },
        ),
        user(
          { functionResponse: { id: "a", name: "weather", response: { sky: "blue" } } },
          { functionResponse: { id: "b", name: "weather", response: { error: "none" } } },
        ),
      ],
      tools: [
        {
          functionDeclarations: [
            { name: "weather", description: "Tells it", parametersJsonSchema: city },
            { name: "stop" },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } },
    },
    dropped: ["parallel_tool_calls"],
    answer: generated(
      [
        candidate(
          [
            { functionCall: { id: "c", name: "weather", args: { city: "Oslo" } } },
            { functionCall: { id: "d", name: "stop" } },
          ],
          "STOP",
        ),
      ],
      usage,
    ),
    given: completion(
      given,
      [
        choice(
          { content: null, tool_calls: [toolCall("c", "weather", '{"city":"Oslo"}'), toolCall("d", "stop", "{}")] },
          "tool_calls",
        ),
      ],
      chatUsageGiven(5, 2, usage),
    ),
    stream: generatedStream(
      [
        [{ functionCall: { id: "c", name: "weather", args: { city: "Oslo" } } }],
        [{ functionCall: { id: "d", name: "stop" } }],
      ],
      "STOP",
      usage,
    ),
    streamed: chunks(
      given,
      [role, calls(0, "c", "weather"), argues(0, '{"city":"Oslo"}'), calls(1, "d", "stop"), argues(1, "{}")],
      [["tool_calls"]],
      chatUsageGiven(5, 2, usage),
    ),
  },
  {
    name: "thoughts and thought signatures, there and back",
    source: [pages.chat, pages.geminiThinking, pages.geminiSignatures],
    ...between,
    target: { model: "gemini-3-pro-preview" },
    request: {
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { ...toolCall("a", "weather", "{}"), extra_content: { google: { thought_signature: "S1" } } },
            toolCall("b", "weather", "{}"),
          ],
        },
        { role: "tool", tool_call_id: "a", content: "rain" },
        { role: "tool", tool_call_id: "b", content: "sun" },
        { role: "assistant", content: "Both.", extra_content: { google: { thought_signature: "S2" } } },
        { role: "user", content: "Thanks" },
      ],
      tools: [functionTool("weather", city)],
      reasoning_effort: "low",
      temperature: 0.5,
    },
    upstream: {
      contents: [
        user({ text: "Weather?" }),
        model(
          { functionCall: { id: "a", name: "weather", args: {} }, thoughtSignature: "S1" },
          { functionCall: { id: "b", name: "weather", args: {} } },
        ),
        user(
          { functionResponse: { id: "a", name: "weather", response: { output: "rain" } } },
          { functionResponse: { id: "b", name: "weather", response: { output: "sun" } } },
        ),
        model({ text: "Both.", thoughtSignature: "S2" }),
        user({ text: "Thanks" }),
      ],
      tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: city }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
    },
    dropped: ["temperature"],
    answer: generated(
      [
        candidate(
          [
            { text: "Hm", thought: true },
            { functionCall: { id: "c", name: "weather", args: {} }, thoughtSignature: "S3" },
          ],
          "STOP",
        ),
      ],
      geminiUsage(5, 2, { thoughtsTokenCount: 3, totalTokenCount: 10, cachedContentTokenCount: 4 }),
    ),
    given: completion(
      given,
      [
        choice(
          {
            content: null,
            reasoning_content: "Hm",
            tool_calls: [{ ...toolCall("c", "weather", "{}"), extra_content: { google: { thought_signature: "S3" } } }],
          },
          "tool_calls",
        ),
      ],
      chatUsageGiven(
        5,
        5,
        geminiUsage(5, 2, { thoughtsTokenCount: 3, totalTokenCount: 10, cachedContentTokenCount: 4 }),
        { prompt: { cached_tokens: 4 }, completion: { reasoning_tokens: 3 } },
      ),
    ),
    stream: generatedStream(
      [
        [{ text: "H", thought: true }],
        [{ text: "m", thought: true }],
        [{ text: "Sun" }],
        [{ text: "", thoughtSignature: "S4" }],
      ],
      "STOP",
      usage,
    ),
    streamed: chunks(
      given,
      [
        role,
        [{ reasoning_content: "H" }],
        [{ reasoning_content: "m" }],
        says("Sun"),
        [{ extra_content: { google: { thought_signature: "S4" } } }],
      ],
      [["stop"]],
    ),
  },
  {
    name: "structured output, and a prompt that is not let through",
    source: [pages.chat, pages.geminiFormat, pages.gemini],
    ...between,
    request: {
      messages: [{ role: "user", content: "Bad" }],
      response_format: { type: "json_schema", json_schema: { name: "x", schema: city } },
      logprobs: true,
      top_logprobs: 2,
    },
    upstream: {
      contents: [user({ text: "Bad" })],
      generationConfig: {
        responseLogprobs: true,
        logprobs: 2,
        responseMimeType: "application/json",
        responseJsonSchema: city,
      },
    },
    answer: {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
      modelVersion: "gemini-2.5-flash",
      responseId: "g1",
    },
    given: completion(
      given,
      [choice({ content: "" }, "content_filter")],
      chatUsageGiven(5, 0, { promptTokenCount: 5, totalTokenCount: 5 }),
    ),
    stream: [
      {
        promptFeedback: { blockReason: "SAFETY" },
        usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
        modelVersion: "gemini-2.5-flash",
        responseId: "g1",
      },
    ],
    streamed: chunks(given, [role], [["content_filter"]]),
  },
];
