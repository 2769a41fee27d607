// A caller of Responses, answered by Gemini.

import { candidate, generated, generatedStream, geminiUsage, model, user } from "./gemini-wire.ts";
import { pages, type Pair } from "./pair.ts";
import {
  callItem,
  completed,
  incomplete,
  marked,
  messageItem,
  outputText,
  reasoningItem,
  response,
  responseEvents,
  responsesUsage,
  stateless,
  streamedCall,
  streamedReasoning,
  streamedText,
} from "./responses-wire.ts";

const between = { caller: "responses", provider: "gemini" } as const;
const source = [pages.responses, pages.responsesStream, pages.gemini];
const given = { id: "resp_new", model: "gemini-2.5-flash", provider: "gemini" };
const usage = geminiUsage(5, 2);
const city = { type: "object", properties: { city: { type: "string" } } };
const thought = (value: string, callId?: string) =>
  reasoningItem("rs_new", "", {
    encrypted_content: marked({
      issuer: "google",
      kind: "thought",
      value,
      ...(callId === undefined ? {} : { text: callId }),
    }),
  });
const extra = (value: string) => ({ extra_content: { google: { thought_signature: value } } });
const format = { format: { type: "json_schema", name: "place", schema: city, strict: true } };

export const responsesToGemini: readonly Pair[] = [
  {
    name: "instructions, an image as data, and structured output",
    source: [...source, pages.geminiFormat],
    ...between,
    request: {
      instructions: "Be brief.",
      input: [
        {
          role: "user",
          content: [
            { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
            { type: "input_text", text: "Where?" },
          ],
        },
      ],
      max_output_tokens: 100,
      text: format,
    },
    upstream: {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [user({ inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "Where?" })],
      generationConfig: { maxOutputTokens: 100, responseMimeType: "application/json", responseJsonSchema: city },
    },
    answer: generated([candidate([{ text: '{"city":' }], "MAX_TOKENS")], usage),
    given: response(
      { ...given, instructions: "Be brief.", max_output_tokens: 100, text: format },
      [messageItem("msg_new", [outputText('{"city":')], "incomplete")],
      incomplete("max_output_tokens"),
      responsesUsage(5, 2),
    ),
    stream: generatedStream([[{ text: '{"ci' }], [{ text: 'ty":' }]], "MAX_TOKENS", usage),
    streamed: responseEvents(
      { ...given, instructions: "Be brief.", max_output_tokens: 100, text: format },
      [streamedText("msg_new", ['{"ci', 'ty":'], "incomplete")],
      incomplete("max_output_tokens"),
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "thoughts, and a signature of a call that comes back as an item beside it",
    source: [...source, pages.geminiThinking, pages.geminiSignatures, pages.geminiTools],
    ...between,
    target: { model: "gemini-3-pro-preview" },
    request: {
      input: [
        { role: "user", content: "Weather?" },
        thought("S1", "a"),
        { type: "function_call", call_id: "a", name: "weather", arguments: '{"city":"Rome"}' },
        { type: "function_call_output", call_id: "a", output: '{"sky":"blue"}' },
      ],
      tools: [{ type: "function", name: "weather", parameters: city, strict: false }],
      tool_choice: "auto",
      reasoning: { effort: "high", summary: "auto" },
    },
    upstream: {
      contents: [
        user({ text: "Weather?" }),
        model({ functionCall: { id: "a", name: "weather", args: { city: "Rome" } }, thoughtSignature: "S1" }),
        user({ functionResponse: { id: "a", name: "weather", response: { sky: "blue" } } }),
      ],
      tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: city }] }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true } },
    },
    answer: generated(
      [
        candidate(
          [
            { text: "Hm", thought: true },
            { functionCall: { id: "c", name: "weather", args: { city: "Bonn" } }, thoughtSignature: "S2" },
          ],
          "STOP",
        ),
      ],
      geminiUsage(5, 2, { thoughtsTokenCount: 3, totalTokenCount: 10, cachedContentTokenCount: 4 }),
    ),
    given: response(
      {
        ...given,
        tools: [{ type: "function", name: "weather", parameters: city, strict: false }],
        reasoning: { effort: "high", summary: "auto" },
      },
      [
        reasoningItem("rs_new", "Hm", { encrypted_content: stateless }),
        thought("S2", "c"),
        callItem("fc_new", "c", "weather", '{"city":"Bonn"}', extra("S2")),
      ],
      completed,
      responsesUsage(5, 5, { cached: 4, reasoning: 3 }),
    ),
    stream: generatedStream(
      [
        [{ text: "H", thought: true }],
        [{ text: "m", thought: true }],
        [{ functionCall: { id: "c", name: "weather", args: { city: "Bonn" } }, thoughtSignature: "S2" }],
      ],
      "STOP",
      usage,
    ),
    streamed: responseEvents(
      {
        ...given,
        tools: [{ type: "function", name: "weather", parameters: city, strict: false }],
        reasoning: { effort: "high", summary: "auto" },
      },
      [
        streamedReasoning("rs_new", ["H", "m"], { encrypted_content: stateless }),
        { added: thought("S2", "c"), between: [], done: thought("S2", "c") },
        streamedCall("fc_new", "c", "weather", ['{"city":"Bonn"}'], extra("S2")),
      ],
      completed,
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "a filter that ends an answer",
    source,
    ...between,
    request: { input: "Bad", temperature: 0.1 },
    upstream: { contents: [user({ text: "Bad" })], generationConfig: { temperature: 0.1 } },
    answer: generated([candidate([{ text: "So" }], "PROHIBITED_CONTENT")], usage),
    given: response(
      { ...given, temperature: 0.1 },
      [messageItem("msg_new", [outputText("So")], "incomplete")],
      incomplete("content_filter"),
      responsesUsage(5, 2),
    ),
    stream: generatedStream([[{ text: "So" }], []], "PROHIBITED_CONTENT", usage),
    streamed: responseEvents(
      { ...given, temperature: 0.1 },
      [streamedText("msg_new", ["So"], "incomplete")],
      incomplete("content_filter"),
      responsesUsage(5, 2),
      true,
    ),
  },
];
