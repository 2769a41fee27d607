// A caller of Messages, answered by Gemini.

import { candidate, generated, generatedStream, geminiUsage, model, user } from "./gemini-wire.ts";
import {
  ended,
  estimated,
  inputDelta,
  message,
  messageEvents,
  messagesUsage,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  tool,
  toolUse,
} from "./messages-wire.ts";
import { pages, type Pair } from "./pair.ts";
import { marked } from "./responses-wire.ts";

const between = { caller: "messages", provider: "gemini" } as const;
const source = [pages.messages, pages.messagesStream, pages.gemini];
const given = { id: "msg_g1", model: "gemini-2.5-flash", provider: "gemini" };
const usage = geminiUsage(5, 2);
const city = { type: "object", properties: { city: { type: "string" } } };
const beside = (value: string, id: string) => ({
  type: "redacted_thinking",
  data: marked({ issuer: "google", kind: "thought", value, id }),
});

export const messagesToGemini: readonly Pair[] = [
  {
    name: "system, documents, sampling and a structured answer",
    source: [...source, pages.claudeFormat, pages.geminiFormat],
    ...between,
    request: {
      max_tokens: 50,
      system: [text("Be brief."), text("Be kind.")],
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "Once." }, title: "tale" },
            text("Tell."),
          ],
        },
      ],
      temperature: 0.5,
      top_k: 5,
      stop_sequences: ["END"],
      output_config: { format: { type: "json_schema", schema: city } },
      metadata: { user_id: "session_1" },
    },
    upstream: {
      systemInstruction: { parts: [{ text: "Be brief." }, { text: "Be kind." }] },
      contents: [
        user(
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
          { text: "tale\n\nOnce." },
          { text: "Tell." },
        ),
      ],
      generationConfig: {
        maxOutputTokens: 50,
        stopSequences: ["END"],
        temperature: 0.5,
        topK: 5,
        responseMimeType: "application/json",
        responseJsonSchema: city,
      },
    },
    dropped: ["metadata.user_id"],
    answer: generated(
      [candidate([{ text: '{"city":"Zü' }], "MAX_TOKENS")],
      geminiUsage(50, 2, { cachedContentTokenCount: 20 }),
    ),
    given: message(given, [text('{"city":"Zü')], ended("max_tokens"), {
      ...messagesUsage(30, 2),
      cache_read_input_tokens: 20,
    }),
    stream: generatedStream([[{ text: '{"city":' }], [{ text: '"Zü' }]], "MAX_TOKENS", usage),
    streamed: messageEvents(given, [[text(""), textDelta('{"city":'), textDelta('"Zü')]], ended("max_tokens"), [
      estimated,
      messagesUsage(5, 2),
    ]),
  },
  {
    name: "thoughts, and a signature of a call that comes back beside it",
    source: [...source, pages.geminiThinking, pages.geminiSignatures],
    ...between,
    target: { model: "gemini-3-flash-preview" },
    request: {
      max_tokens: 5000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: [
            thinking("a thought", ""),
            beside("S1", "a"),
            toolUse("a", "weather", {}),
            toolUse("b", "weather", {}),
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: "rain" },
            { type: "tool_result", tool_use_id: "b", content: "no city", is_error: true },
          ],
        },
      ],
      tools: [tool("weather", city)],
      tool_choice: { type: "auto" },
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
          { functionResponse: { id: "b", name: "weather", response: { error: "no city" } } },
        ),
      ],
      tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: city }] }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: { maxOutputTokens: 5000, thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
    },
    answer: generated(
      [
        candidate(
          [
            { text: "Hm", thought: true },
            { text: "Once more." },
            { functionCall: { id: "c", name: "weather", args: { city: "Bonn" } }, thoughtSignature: "S2" },
          ],
          "STOP",
        ),
      ],
      geminiUsage(5, 2, { thoughtsTokenCount: 3, totalTokenCount: 10 }),
    ),
    given: message(
      given,
      [
        thinking("Hm", ""),
        text("Once more."),
        beside("S2", "c"),
        toolUse("c", "weather", { city: "Bonn" }, { extra_content: { google: { thought_signature: "S2" } } }),
      ],
      ended("tool_use"),
      { ...messagesUsage(5, 5), output_tokens_details: { thinking_tokens: 3 } },
    ),
    stream: generatedStream(
      [
        [{ text: "Hm", thought: true }],
        [{ functionCall: { id: "c", name: "weather", args: { city: "Bonn" } }, thoughtSignature: "S2" }],
      ],
      "STOP",
      usage,
    ),
    streamed: messageEvents(
      given,
      [
        [thinking("", ""), thinkingDelta("Hm")],
        [beside("S2", "c")],
        [
          toolUse("c", "weather", {}, { extra_content: { google: { thought_signature: "S2" } } }),
          inputDelta('{"city":"Bonn"}'),
        ],
      ],
      ended("tool_use"),
      [estimated, messagesUsage(5, 2)],
    ),
  },
  {
    name: "an answer that a safety filter kept back",
    source: [...source, pages.claudeStops],
    ...between,
    request: { max_tokens: 50, messages: [{ role: "user", content: "Bad" }], thinking: { type: "disabled" } },
    upstream: {
      contents: [user({ text: "Bad" })],
      generationConfig: { maxOutputTokens: 50, thinkingConfig: { thinkingBudget: 0 } },
    },
    answer: generated([{ finishReason: "SAFETY", index: 0 }], { promptTokenCount: 5, totalTokenCount: 5 }),
    given: message(given, [], ended("refusal"), messagesUsage(5, 0)),
    stream: [generated([{ finishReason: "SAFETY", index: 0 }], { promptTokenCount: 5, totalTokenCount: 5 })],
    streamed: messageEvents(given, [], ended("refusal"), [messagesUsage(5, 0), messagesUsage(5, 0)]),
  },
];
