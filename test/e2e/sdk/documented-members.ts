// Which members of a request a provider documents: the real ones refuse others, so a translated request must hold none.

import type { ProviderName } from "./sdk-gateway.ts";

/** The members of an object, each entry of a list, or `any` for what is the caller's own. */
type Shape = "any" | { readonly [member: string]: Shape };

const cacheControl = { cache_control: "any" } as const;
const mediaSource = { type: "any", media_type: "any", data: "any", url: "any" } as const;
const block: Shape = {
  type: "any",
  ...cacheControl,
  text: "any",
  citations: "any",
  source: mediaSource,
  title: "any",
  thinking: "any",
  signature: "any",
  data: "any",
  id: "any",
  name: "any",
  input: "any",
  tool_use_id: "any",
  content: { type: "any", text: "any", source: mediaSource, ...cacheControl },
  is_error: "any",
};

/** https://docs.claude.com/en/api/messages */
const messages: Shape = {
  model: "any",
  max_tokens: "any",
  messages: { role: "any", content: block },
  system: block,
  tools: { type: "any", name: "any", description: "any", input_schema: "any", strict: "any", ...cacheControl },
  tool_choice: { type: "any", name: "any", disable_parallel_tool_use: "any" },
  stop_sequences: "any",
  stream: "any",
  temperature: "any",
  top_p: "any",
  thinking: { type: "any", budget_tokens: "any", display: "any" },
  output_config: { effort: "any", format: { type: "any", schema: "any" } },
};

const part: Shape = {
  text: "any",
  thought: "any",
  thoughtSignature: "any",
  inlineData: { mimeType: "any", data: "any" },
  functionCall: { id: "any", name: "any", args: "any" },
  functionResponse: { id: "any", name: "any", response: "any" },
};

/** https://ai.google.dev/api/generate-content */
const gemini: Shape = {
  contents: { role: "any", parts: part },
  systemInstruction: { role: "any", parts: part },
  tools: { functionDeclarations: { name: "any", description: "any", parameters: "any", parametersJsonSchema: "any" } },
  toolConfig: { functionCallingConfig: { mode: "any", allowedFunctionNames: "any" } },
  generationConfig: {
    maxOutputTokens: "any",
    temperature: "any",
    stopSequences: "any",
    candidateCount: "any",
    responseMimeType: "any",
    responseSchema: "any",
    responseJsonSchema: "any",
    thinkingConfig: { thinkingBudget: "any", thinkingLevel: "any", includeThoughts: "any" },
  },
};

/** https://platform.openai.com/docs/api-reference/chat/create; `reasoning_content` is of those who imitate it. */
const chat: Shape = {
  model: "any",
  messages: {
    role: "any",
    content: {
      type: "any",
      text: "any",
      image_url: { url: "any", detail: "any" },
      file: { filename: "any", file_data: "any" },
    },
    reasoning_content: "any",
    refusal: "any",
    tool_calls: { id: "any", type: "any", function: { name: "any", arguments: "any" } },
    tool_call_id: "any",
  },
  max_tokens: "any",
  max_completion_tokens: "any",
  tools: { type: "any", function: { name: "any", description: "any", parameters: "any", strict: "any" } },
  tool_choice: { type: "any", function: { name: "any" } },
  parallel_tool_calls: "any",
  response_format: { type: "any", json_schema: { name: "any", schema: "any", strict: "any", description: "any" } },
  stop: "any",
  temperature: "any",
  reasoning_effort: "any",
  stream: "any",
  stream_options: { include_usage: "any" },
  store: "any",
};

const shapes: Readonly<Record<ProviderName, Shape>> = { anthropic: messages, gemini, openai: chat, chat };

/** The paths of those that the provider's pages do not name, as they stand in a translated request. */
export function undocumentedMembers(target: ProviderName, body: string): string[] {
  return undocumented(JSON.parse(body), shapes[target], "");
}

function undocumented(value: unknown, shape: Shape, path: string): string[] {
  if (shape === "any" || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => undocumented(entry, shape, path));
  return Object.entries(value).flatMap(([member, inner]) => {
    const known = Object.hasOwn(shape, member) ? shape[member] : undefined;
    const at = `${path}.${member}`;
    return known === undefined ? [at] : undocumented(inner, known, at);
  });
}
