// Golden values: tools and settings of a request, towards Gemini.

import type { RequestCase } from "./golden-case.ts";

const config = "https://ai.google.dev/api/generate-content#generationconfig";
const thinking = "https://ai.google.dev/gemini-api/docs/thinking";
const messages = [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }] as const;
const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const weather = {
  kind: "function",
  name: "weather",
  description: "Of a city",
  parameters: schema,
  strict: true,
} as const;
const clock = { kind: "function", name: "clock", parameters: { type: "object", properties: {} } } as const;
const declarations = [{ name: "weather", description: "Of a city", parametersJsonSchema: schema }, { name: "clock" }];
const withTools = { messages, tools: [weather, clock] };
const choosing = (functionCallingConfig: unknown) => ({
  contents,
  tools: [{ functionDeclarations: declarations }],
  toolConfig: { functionCallingConfig },
});
const calling = "https://ai.google.dev/api/caching#FunctionCallingConfig";

export const settingRequests: readonly RequestCase[] = [
  {
    name: "tools, one of them without parameters",
    source: "https://ai.google.dev/api/caching#FunctionDeclaration",
    request: withTools,
    expected: { contents, tools: [{ functionDeclarations: declarations }] },
  },
  {
    name: "any tool or none",
    source: calling,
    request: { ...withTools, toolChoice: { kind: "auto" } },
    expected: choosing({ mode: "AUTO" }),
  },
  {
    name: "some tool has to be called",
    source: calling,
    request: { ...withTools, toolChoice: { kind: "required" } },
    expected: choosing({ mode: "ANY" }),
  },
  {
    name: "no tool may be called",
    source: calling,
    request: { ...withTools, toolChoice: { kind: "none" } },
    expected: choosing({ mode: "NONE" }),
  },
  {
    name: "a named tool has to be called, and parallel calls cannot be switched off",
    source: calling,
    request: {
      ...withTools,
      toolChoice: { kind: "named", toolKind: "function", name: "clock" },
      parallelToolCalls: false,
    },
    expected: choosing({ mode: "ANY", allowedFunctionNames: ["clock"] }),
    dropped: ["parallel_tool_calls"],
  },
  {
    name: "some of the tools may be called",
    source: calling,
    request: { ...withTools, toolChoice: { kind: "allowed", required: false, names: ["clock"] } },
    expected: choosing({ mode: "VALIDATED", allowedFunctionNames: ["clock"] }),
  },
  {
    name: "one of some of the tools has to be called",
    source: calling,
    request: { ...withTools, toolChoice: { kind: "allowed", required: true, names: ["clock", "weather"] } },
    expected: choosing({ mode: "ANY", allowedFunctionNames: ["clock", "weather"] }),
  },
  {
    name: "a tool that takes any text is a function with one text",
    source: "https://ai.google.dev/api/caching#FunctionDeclaration",
    request: {
      dialect: "responses",
      messages: [
        ...messages,
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "c1", name: "patch", arguments: "*** Begin", toolKind: "custom" }],
        },
      ],
      tools: [{ kind: "custom", name: "patch", description: "Edits files" }],
    },
    expected: {
      contents: [
        ...contents,
        { role: "model", parts: [{ functionCall: { id: "c1", name: "patch", args: { input: "*** Begin" } } }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: "patch",
              description: "Edits files",
              parametersJsonSchema: {
                type: "object",
                properties: { input: { type: "string", description: "The input of the tool, as plain text." } },
                required: ["input"],
              },
            },
          ],
        },
      ],
    },
  },
  {
    name: "a tool of OpenAI's own is left out for Responses, and so is the choice of it",
    source: "behaviour 4.4, hosted tools",
    request: {
      dialect: "responses",
      messages,
      tools: [{ kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } }],
      toolChoice: { kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } },
    },
    expected: { contents },
    dropped: ["tools of the type web_search", "tool_choice of the type web_search"],
  },
  {
    name: "a tool of Anthropic's own",
    source: "behaviour 4.2, server tools",
    request: {
      dialect: "messages",
      messages,
      tools: [{ kind: "hosted", dialect: "messages", type: "web_search_20250305", value: {} }],
    },
    refused: {
      message:
        "`tools` is not supported by provider google: it does not run the tool `web_search_20250305`, leave it out or ask a provider that does",
      param: "tools",
    },
  },
  {
    name: "limits and sampling before Gemini 3",
    source: config,
    request: {
      messages,
      maxTokens: 100,
      temperature: 0,
      topP: 0.9,
      topK: 40,
      stop: ["END", "", "STOP"],
      seed: 7,
      choices: 3,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
      logprobs: true,
      topLogprobs: 2,
    },
    expected: {
      contents,
      generationConfig: {
        maxOutputTokens: 100,
        stopSequences: ["END", "STOP"],
        temperature: 0,
        topP: 0.9,
        topK: 40,
        candidateCount: 3,
        seed: 7,
        presencePenalty: 0.5,
        frequencyPenalty: -0.5,
        responseLogprobs: true,
        logprobs: 2,
      },
    },
  },
  {
    name: "sampling from Gemini 3 on",
    source: "behaviour 3.6, Gemini",
    target: { model: "gemini-3.5-flash" },
    request: { messages, temperature: 0.2, topP: 0.9, topK: 40, choices: 2, presencePenalty: 0.5, seed: 1 },
    expected: { contents, generationConfig: { seed: 1, presencePenalty: 0.5 } },
    dropped: ["temperature", "top_p", "top_k", "n"],
  },
  {
    name: "a seed of more than 32 bits",
    source: config,
    request: { messages, seed: 4_294_967_296 },
    expected: { contents },
    dropped: ["seed"],
  },
  {
    name: "six stop sequences",
    source: config,
    request: { messages, stop: ["a", "b", "c", "d", "e", "f"] },
    refused: {
      message: "`stop` is not supported by provider google: at most 5 stop sequences are taken, the request has 6",
      param: "stop",
    },
  },
  {
    name: "any JSON",
    source: "https://ai.google.dev/gemini-api/docs/structured-output",
    request: { messages, format: { kind: "json" } },
    expected: { contents, generationConfig: { responseMimeType: "application/json" } },
  },
  {
    name: "JSON of a schema",
    source: "https://ai.google.dev/gemini-api/docs/structured-output",
    request: { messages, format: { kind: "json-schema", name: "city", description: "A city", schema, strict: true } },
    expected: { contents, generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema } },
    dropped: ["description of the schema"],
  },
  ...(
    [
      ["gemini-3-pro-preview", "none", "LOW", ["reasoning_effort"]],
      ["gemini-3-pro-preview", "medium", "HIGH", []],
      ["gemini-3.1-pro-preview", "minimal", "LOW", []],
      ["gemini-3.1-pro-preview", "medium", "MEDIUM", []],
      ["gemini-3-flash-preview", "minimal", "MINIMAL", []],
      ["gemini-3-flash-preview", "xhigh", "HIGH", []],
      ["gemini-3.1-flash-lite", "none", "MINIMAL", ["reasoning_effort"]],
      ["gemini-3.8-flash", "minimal", "LOW", []],
      ["gemini-flash-latest", "low", "LOW", []],
    ] as const
  ).map(([model, effort, thinkingLevel, dropped]) => ({
    name: `the effort ${effort} of ${model} is a level`,
    source: thinking,
    target: { model },
    request: { messages, reasoning: { effort } },
    expected: {
      contents,
      generationConfig: { thinkingConfig: { thinkingLevel, ...(effort === "none" ? {} : { includeThoughts: true }) } },
    },
    dropped,
  })),
  ...(
    [
      ["gemini-2.5-flash", "none", 0, []],
      ["gemini-2.5-pro", "none", 128, ["reasoning_effort"]],
      ["gemini-2.5-flash-lite", "low", 1024, []],
      ["gemini-2.5-flash", "medium", 8192, []],
      ["gemini-2.5-flash", "high", 24_576, []],
      ["gemini-2.5-pro", "max", 32_768, []],
    ] as const
  ).map(([model, effort, thinkingBudget, dropped]) => ({
    name: `the effort ${effort} of ${model} is a budget`,
    source: "https://ai.google.dev/gemini-api/docs/openai#thinking",
    target: { model },
    request: { messages, reasoning: { effort } },
    expected: {
      contents,
      generationConfig: { thinkingConfig: { thinkingBudget, ...(effort === "none" ? {} : { includeThoughts: true }) } },
    },
    dropped,
  })),
  {
    name: "the budget of a Messages caller, whose thinking is not to be shown",
    source: "behaviour 4.2, thinking config",
    target: { model: "gemini-3.1-pro-preview" },
    request: {
      dialect: "messages",
      messages,
      reasoning: { mode: "enabled", budgetTokens: 12_000, display: "omitted" },
    },
    expected: { contents, generationConfig: { thinkingConfig: { thinkingLevel: "MEDIUM" } } },
  },
  {
    name: "adaptive thinking with an effort",
    source: "behaviour 4.2, output_config.effort",
    request: { dialect: "messages", messages, reasoning: { mode: "adaptive", effort: "high" } },
    expected: {
      contents,
      generationConfig: { thinkingConfig: { thinkingBudget: 24_576, includeThoughts: true } },
    },
  },
  {
    name: "a model that does not think",
    source: thinking,
    target: { model: "gemini-2.0-flash" },
    request: { messages, reasoning: { effort: "high", budgetTokens: 500 } },
    expected: { contents },
    dropped: ["reasoning.budget_tokens", "reasoning_effort"],
  },
  {
    name: "what harms nobody is left out",
    source: "behaviour 1.16, rule 4",
    request: {
      messages,
      user: "u",
      metadata: { run: "r1" },
      serviceTier: "auto",
      store: false,
      promptCacheKey: "k",
      verbosity: "low",
      own: [{ name: "prediction", value: {}, weight: "harmless" }],
      logitBias: {},
    },
    expected: { contents },
    dropped: ["verbosity", "user", "service_tier", "store", "prompt_cache_key", "metadata", "prediction"],
  },
  {
    name: "metadata are labels at Vertex",
    source: "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/add-labels-to-api-calls",
    target: { providerType: "vertex" },
    request: { messages, metadata: { team: "search", Run: "x", note: "Two words" } },
    expected: { contents, labels: { team: "search" } },
    dropped: ["metadata.Run", "metadata.note"],
  },
  {
    name: "a context that another provider keeps",
    source: "behaviour 4.4, previous_response_id",
    request: { dialect: "responses", messages, previousResponseId: "resp_1" },
    refused: {
      message:
        "`previous_response_id` is not supported by provider google: it keeps no earlier responses, send the whole conversation in the request",
      param: "previous_response_id",
    },
  },
  {
    name: "a bias",
    source: "behaviour 1.16, rule 5",
    request: { messages, logitBias: { "50256": -100 } },
    refused: { message: "`logit_bias` is not supported by provider google: leave it out", param: "logit_bias" },
  },
  {
    name: "a field of another dialect that changes the result",
    source: "behaviour 1.16, rule 5",
    request: { messages, own: [{ name: "modalities", value: ["audio"], weight: "changes-result" }] },
    refused: { message: "`modalities` is not supported by provider google: leave it out", param: "modalities" },
  },
];
