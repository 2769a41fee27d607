// Golden values: messages of a request, towards Gemini.

import type { RequestCase } from "./golden-case.ts";

const contents = "https://ai.google.dev/api/caching#Content";
const text = (words: string) => ({ kind: "text", text: words }) as const;
const user = (words: string) => ({ role: "user", parts: [text(words)] }) as const;
const userTurn = (words: string) => ({ role: "user", parts: [{ text: words }] });
const png = "iVBORw0KGgo=";
const call = {
  kind: "tool-call",
  id: "call_1",
  name: "weather",
  arguments: '{"city":"Oslo"}',
  toolKind: "function",
} as const;

export const messageRequests: readonly RequestCase[] = [
  {
    name: "a text",
    source: "https://ai.google.dev/gemini-api/docs/text-generation",
    request: { messages: [user("Hello")] },
    expected: { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
  },
  {
    name: "instructions of both kinds are hoisted in their order",
    source: "https://ai.google.dev/gemini-api/docs/text-generation#system-instructions",
    request: {
      messages: [
        { role: "system", parts: [text("Be brief.")] },
        user("Hello"),
        { role: "developer", parts: [text("Be kind.")] },
      ],
    },
    expected: {
      systemInstruction: { parts: [{ text: "Be brief." }, { text: "Be kind." }] },
      contents: [userTurn("Hello")],
    },
  },
  {
    name: "instructions alone are what the user says",
    source: contents,
    request: { messages: [{ role: "system", parts: [text("Say hello.")] }] },
    expected: { contents: [userTurn("Say hello.")] },
  },
  {
    name: "several turns",
    source: "https://ai.google.dev/gemini-api/docs/text-generation#multi-turn-conversations",
    request: {
      messages: [user("I have 2 dogs."), { role: "assistant", parts: [text("Great!")] }, user("How many paws?")],
    },
    expected: {
      contents: [
        userTurn("I have 2 dogs."),
        { role: "model", parts: [{ text: "Great!" }] },
        userTurn("How many paws?"),
      ],
    },
  },
  {
    name: "messages of one side in a row are one turn, and empty texts are left out",
    source: contents,
    request: {
      messages: [
        user("One"),
        user("Two"),
        { role: "assistant", parts: [text("")] },
        { role: "assistant", parts: [text("Three"), { kind: "refusal", text: "No." }] },
        { role: "assistant", parts: [text("Four")] },
      ],
    },
    expected: {
      contents: [
        { role: "user", parts: [{ text: "One" }, { text: "Two" }] },
        { role: "model", parts: [{ text: "Three" }, { text: "No." }, { text: "Four" }] },
      ],
    },
  },
  {
    name: "an image, its detail and a cache hint",
    source: "https://ai.google.dev/gemini-api/docs/image-understanding#inline-image",
    request: {
      messages: [
        {
          role: "user",
          parts: [
            { kind: "text", text: "What is it?", cacheControl: { type: "ephemeral" } },
            { kind: "image", source: { from: "data", mediaType: "image/png", data: png }, detail: "low" },
          ],
        },
      ],
    },
    expected: {
      contents: [
        { role: "user", parts: [{ text: "What is it?" }, { inlineData: { mimeType: "image/png", data: png } }] },
      ],
    },
    dropped: ["cache_control", "detail"],
  },
  {
    name: "an image as a data URL",
    source: "https://ai.google.dev/gemini-api/docs/image-understanding#inline-image",
    request: {
      messages: [
        { role: "user", parts: [{ kind: "image", source: { from: "url", url: `data:image/webp;base64,${png}` } }] },
      ],
    },
    expected: { contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/webp", data: png } }] }] },
  },
  {
    name: "a remote image",
    source: "behaviour 3.6, Gemini",
    request: {
      messages: [
        { role: "user", parts: [{ kind: "image", source: { from: "url", url: "https://example.com/a.png" } }] },
      ],
    },
    refused: {
      message:
        "`image_url` is not supported by provider google: remote images are not loaded, send the image inline as base64 data",
      param: "image_url",
    },
  },
  {
    name: "a remote image of a Messages caller",
    source: "behaviour 3.6, Gemini",
    request: {
      dialect: "messages",
      messages: [
        { role: "user", parts: [{ kind: "image", source: { from: "url", url: "https://example.com/a.png" } }] },
      ],
    },
    refused: {
      message:
        "`source.url` is not supported by provider google: remote images are not loaded, send the image inline as base64 data",
      param: "source.url",
    },
  },
  {
    name: "a PDF",
    source: "https://ai.google.dev/gemini-api/docs/document-processing#inline_data",
    request: {
      messages: [
        {
          role: "user",
          parts: [
            {
              kind: "file",
              source: { from: "data", mediaType: "application/pdf", data: "JVBERi0xLjcK" },
              filename: "a.pdf",
            },
            text("Sum it up"),
          ],
        },
      ],
    },
    expected: {
      contents: [
        {
          role: "user",
          parts: [{ inlineData: { mimeType: "application/pdf", data: "JVBERi0xLjcK" } }, { text: "Sum it up" }],
        },
      ],
    },
  },
  {
    name: "a document as text, with its title",
    source: "behaviour 4.5, documents inline only",
    request: {
      dialect: "messages",
      messages: [{ role: "user", parts: [{ kind: "file", source: { from: "text", text: "Once." }, title: "Tale" }] }],
    },
    expected: { contents: [userTurn("Tale\n\nOnce.")] },
  },
  {
    name: "a document of a type that is not read",
    source: "https://ai.google.dev/gemini-api/docs/document-processing",
    request: {
      messages: [
        {
          role: "user",
          parts: [{ kind: "file", source: { from: "data", mediaType: "application/zip", data: "UEsDBA==" } }],
        },
      ],
    },
    refused: {
      message:
        "`file_data` is not supported by provider google: a document of type application/zip is not read, send a PDF or text",
      param: "file_data",
    },
  },
  {
    name: "a file that another provider stores",
    source: "behaviour 1.16, rule 5",
    request: {
      messages: [
        { role: "user", parts: [{ kind: "file", source: { from: "file-id", id: "file-1", issuer: "openai" } }] },
      ],
    },
    refused: {
      message:
        "`file_id` is not supported by provider google: the file is stored at another provider, send it inline as base64 data",
      param: "file_id",
    },
  },
  {
    name: "audio",
    source: "https://ai.google.dev/gemini-api/docs/audio#inline-audio",
    request: { messages: [{ role: "user", parts: [{ kind: "audio", data: "UklGRg==", format: "wav" }] }] },
    expected: { contents: [{ role: "user", parts: [{ inlineData: { mimeType: "audio/wav", data: "UklGRg==" } }] }] },
  },
  {
    name: "a call and its result",
    source: "https://ai.google.dev/gemini-api/docs/function-calling",
    request: {
      messages: [
        user("Weather?"),
        { role: "assistant", parts: [call] },
        { role: "tool", callId: "call_1", toolKind: "function", parts: [text("Rain, 7 degrees")], isError: false },
      ],
    },
    expected: {
      contents: [
        userTurn("Weather?"),
        { role: "model", parts: [{ functionCall: { id: "call_1", name: "weather", args: { city: "Oslo" } } }] },
        {
          role: "user",
          parts: [{ functionResponse: { id: "call_1", name: "weather", response: { output: "Rain, 7 degrees" } } }],
        },
      ],
    },
  },
  {
    name: "parallel calls, one result an object and one an error, then a text",
    source: "https://ai.google.dev/api/caching#FunctionResponse",
    request: {
      messages: [
        user("Weather?"),
        { role: "assistant", parts: [text("Let me see."), call, { ...call, id: "call_2", arguments: "" }] },
        { role: "tool", callId: "call_1", toolKind: "function", parts: [text('{"celsius":7}')], isError: false },
        { role: "tool", callId: "call_2", toolKind: "function", parts: [text("no city")], isError: true },
        user("And?"),
      ],
    },
    expected: {
      contents: [
        userTurn("Weather?"),
        {
          role: "model",
          parts: [
            { text: "Let me see." },
            { functionCall: { id: "call_1", name: "weather", args: { city: "Oslo" } } },
            { functionCall: { id: "call_2", name: "weather", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "call_1", name: "weather", response: { celsius: 7 } } },
            { functionResponse: { id: "call_2", name: "weather", response: { error: "no city" } } },
            { text: "And?" },
          ],
        },
      ],
    },
  },
  {
    name: "calls at Vertex have no ids",
    source: "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/function-calling",
    target: { providerType: "vertex" },
    request: {
      messages: [
        { role: "assistant", parts: [call] },
        { role: "tool", callId: "call_1", toolKind: "function", parts: [text("Rain")], isError: false },
      ],
    },
    expected: {
      contents: [
        { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Oslo" } } }] },
        { role: "user", parts: [{ functionResponse: { name: "weather", response: { output: "Rain" } } }] },
      ],
    },
  },
  {
    name: "a result without its call",
    source: "https://ai.google.dev/api/caching#FunctionResponse",
    request: {
      messages: [{ role: "tool", callId: "call_9", toolKind: "function", parts: [text("x")], isError: false }],
    },
    refused: {
      message: "the tool result for `call_9` has no tool call before it in the history",
      param: "tool_call_id",
    },
  },
  {
    name: "an image in a result, inside it from Gemini 3 on",
    source: "https://ai.google.dev/gemini-api/docs/function-calling#multimodal",
    target: { model: "gemini-3.1-pro-preview" },
    request: {
      messages: [
        { role: "assistant", parts: [{ ...call, state: { issuer: "google", kind: "thought", value: "c2ln" } }] },
        {
          role: "tool",
          callId: "call_1",
          toolKind: "function",
          parts: [text("the map"), { kind: "image", source: { from: "data", mediaType: "image/png", data: png } }],
          isError: false,
        },
      ],
    },
    expected: {
      contents: [
        {
          role: "model",
          parts: [
            { functionCall: { id: "call_1", name: "weather", args: { city: "Oslo" } }, thoughtSignature: "c2ln" },
          ],
        },
        {
          role: "user",
          parts: [
            {
              functionResponse: {
                id: "call_1",
                name: "weather",
                response: { output: "the map" },
                parts: [{ inlineData: { mimeType: "image/png", data: png } }],
              },
            },
          ],
        },
      ],
    },
  },
  {
    name: "Gemini 3 gets a placeholder for the first of the calls that another model made",
    source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
    target: { model: "gemini-3-flash-preview" },
    request: {
      messages: [
        user("Weather?"),
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "hm", state: { issuer: "anthropic", kind: "signature", value: "abc" } },
            { ...call, state: { issuer: "openai", kind: "encrypted", value: "xyz" } },
            { ...call, id: "call_2" },
          ],
        },
      ],
    },
    expected: {
      contents: [
        userTurn("Weather?"),
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "call_1", name: "weather", args: { city: "Oslo" } },
              thoughtSignature: "skip_thought_signature_validator",
            },
            { functionCall: { id: "call_2", name: "weather", args: { city: "Oslo" } } },
          ],
        },
      ],
    },
  },
  {
    name: "signatures of Google go back to where they were: a text, an empty text, a thought",
    source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
    target: { model: "gemini-3.8-flash" },
    request: {
      messages: [
        user("Hi"),
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "Greet.", state: { issuer: "google", kind: "thought", value: "czA=" } },
            { kind: "text", text: "Hello", state: { issuer: "google", kind: "thought", value: "czE=" } },
            { kind: "text", text: "", state: { issuer: "google", kind: "thought", value: "czI=" } },
          ],
        },
      ],
    },
    expected: {
      contents: [
        userTurn("Hi"),
        {
          role: "model",
          parts: [
            { text: "Greet.", thought: true, thoughtSignature: "czA=" },
            { text: "Hello", thoughtSignature: "czE=" },
            { text: "", thoughtSignature: "czI=" },
          ],
        },
      ],
    },
  },
  {
    name: "the history of a turn with a tool, as gemini-cli 0.61.0 writes it",
    source: "a recorded request of gemini-cli; https://ai.google.dev/gemini-api/docs/function-calling",
    target: { model: "gemini-3.8-flash" },
    request: {
      messages: [
        user("What is in the file?"),
        {
          role: "assistant",
          parts: [
            {
              kind: "tool-call",
              id: "read_file_1796030168559_0",
              name: "read_file",
              arguments: '{"absolute_path":"/a","file_path":"/a"}',
              toolKind: "function",
              state: { issuer: "google", kind: "thought", value: "Eqm0ck9uzagwsxP1UCxgAxG44UwNfX4SMpxU9oPB4wHNlX" },
            },
          ],
        },
        {
          role: "tool",
          callId: "read_file_1796030168559_0",
          toolKind: "function",
          parts: [text("secret word: PAPAYA-77\n")],
          isError: false,
        },
      ],
    },
    expected: {
      contents: [
        userTurn("What is in the file?"),
        {
          role: "model",
          parts: [
            {
              functionCall: {
                id: "read_file_1796030168559_0",
                args: { absolute_path: "/a", file_path: "/a" },
                name: "read_file",
              },
              thoughtSignature: "Eqm0ck9uzagwsxP1UCxgAxG44UwNfX4SMpxU9oPB4wHNlX",
            },
          ],
        },
        {
          role: "user",
          parts: [
            {
              functionResponse: {
                name: "read_file",
                response: { output: "secret word: PAPAYA-77\n" },
                id: "read_file_1796030168559_0",
              },
            },
          ],
        },
      ],
    },
  },
  {
    name: "a block of another dialect",
    source: "behaviour 4.2, server tools and their history blocks",
    request: {
      dialect: "messages",
      messages: [
        { role: "assistant", parts: [{ kind: "opaque", dialect: "messages", type: "server_tool_use", value: {} }] },
      ],
    },
    refused: {
      message:
        "`server_tool_use` is not supported by provider google: blocks of the type server_tool_use cannot be translated, leave them out",
      param: "server_tool_use",
    },
  },
  {
    name: "unknown members stay at their level",
    source: "behaviour 1.16, rule 1",
    request: {
      messages: [
        {
          role: "user",
          name: "ann",
          parts: [{ kind: "text", text: "Hi", unknown: { mediaResolution: { level: "LOW" } } }],
          unknown: { extra: 1 },
        },
      ],
      unknown: { safetySettings: [], generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" } },
      maxTokens: 5,
    },
    expected: {
      safetySettings: [],
      generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW", maxOutputTokens: 5 },
      contents: [{ extra: 1, role: "user", parts: [{ mediaResolution: { level: "LOW" }, text: "Hi" }] }],
    },
    dropped: ["name"],
  },
];
