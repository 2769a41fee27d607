// A second turn with the first one's answer in its history, just as each SDK gave it: state goes back to its issuer and to nobody else.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from "ai";
import type OpenAI from "openai";
import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import type { SimulatedGateway } from "../../support/simulated-gateway.ts";
import { anthropicClient } from "./anthropic.ts";
import { toolDescription, toolName, toolSchema } from "./ask.ts";
import { undocumentedMembers } from "./documented-members.ts";
import type { Mode } from "./driver.ts";
import { openaiClient } from "./openai-chat.ts";
import { type ProviderName, sdkGateway } from "./sdk-gateway.ts";

/** What only its issuer can read, as the simulator gives it out in each dialect. */
const states = {
  openai: "gAAAAABzaW11bGF0ZWQgcmVhc29uaW5n",
  anthropic: "EqQBc2ltdWxhdGVkIHNpZ25hdHVyZQ==",
  gemini: "CiQBc2ltdWxhdGVkIHRob3VnaHQ=",
} satisfies Partial<Record<ProviderName, string>>;
type Issuer = keyof typeof states;
const issuers = ["openai", "anthropic", "gemini"] as const satisfies readonly Issuer[];

const first = "What is 6 times 7?";
const second = "Are you sure?";
const result = "it rains in Köln";

interface Conversation {
  readonly origin: string;
  /** Of the first and of the second turn. */
  readonly models: readonly [string, string];
  readonly mode: Mode;
  /** The first answer is a call of a tool, and the second turn its result. */
  readonly tools: boolean;
}

/** Gives the text of the second answer. */
type Talk = (conversation: Conversation) => Promise<string>;

async function chat({ origin, models: [one, two], mode, tools }: Conversation): Promise<string> {
  const { completions } = openaiClient({ origin, model: one }).chat;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: first }];
  const weather = { name: toolName, description: toolDescription, parameters: toolSchema };
  const settings = {
    reasoning_effort: "low" as const,
    max_completion_tokens: 99,
    ...(tools && { tools: [{ type: "function" as const, function: weather }] }),
  };
  const answer =
    mode === "buffered"
      ? await completions.create({ model: one, messages, ...settings })
      : await completions.stream({ model: one, messages, ...settings }).finalChatCompletion();
  const [choice] = answer.choices;
  if (choice === undefined) throw new Error("an answer without a choice");
  messages.push(choice.message);
  for (const { id } of choice.message.tool_calls ?? []) {
    messages.push({ role: "tool", tool_call_id: id, content: result });
  }
  if (!tools) messages.push({ role: "user", content: second });
  const last = await completions.create({ model: two, messages, ...settings });
  return last.choices[0]?.message.content ?? "";
}

async function responses({ origin, models: [one, two], mode, tools }: Conversation): Promise<string> {
  const client = openaiClient({ origin, model: one });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: first }];
  const weather = { type: "function" as const, name: toolName, description: toolDescription, parameters: toolSchema };
  const settings = {
    reasoning: { effort: "low" as const },
    include: ["reasoning.encrypted_content" as const],
    store: false,
    ...(tools && { tools: [{ ...weather, strict: true }] }),
  };
  const { output } =
    mode === "buffered"
      ? await client.responses.create({ model: one, input, ...settings })
      : await client.responses.stream({ model: one, input, ...settings }).finalResponse();
  for (const item of output) {
    input.push(item as OpenAI.Responses.ResponseInputItem);
    if (item.type === "function_call") {
      input.push({ type: "function_call_output", call_id: item.call_id, output: result });
    }
  }
  if (!tools) input.push({ role: "user", content: second });
  return (await client.responses.create({ model: two, input, ...settings })).output_text;
}

async function messages({ origin, models: [one, two], mode, tools }: Conversation): Promise<string> {
  const client = anthropicClient({ origin, model: one });
  const asked: Anthropic.MessageParam[] = [{ role: "user", content: first }];
  const settings = {
    max_tokens: 4000,
    thinking: { type: "enabled" as const, budget_tokens: 2000 },
    ...(tools && { tools: [{ name: toolName, description: toolDescription, input_schema: toolSchema }] }),
  };
  const { content } =
    mode === "buffered"
      ? await client.messages.create({ model: one, messages: asked, ...settings })
      : await client.messages.stream({ model: one, messages: asked, ...settings }).finalMessage();
  const results = content.flatMap((block) =>
    block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: result }] : [],
  );
  asked.push({ role: "assistant", content }, { role: "user", content: tools ? results : second });
  const last = await client.messages.create({ model: two, messages: asked, ...settings });
  return last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

type ModelOf = (settings: { baseURL: string; apiKey: string }, model: string) => LanguageModel;
type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>;

function vercel(modelOf: ModelOf, providerOptions: ProviderOptions): Talk {
  return async ({ origin, models: [one, two], mode, tools }) => {
    const spoken = (model: string): LanguageModel => modelOf({ baseURL: `${origin}/v1`, apiKey: "k" }, model);
    const asked: ModelMessage[] = [{ role: "user", content: first }];
    const weather = tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema), execute: () => result });
    const offered = {
      maxOutputTokens: 4000,
      maxRetries: 0,
      providerOptions,
      ...(tools && { tools: { [toolName]: weather } }),
    };
    const opening = { model: spoken(one), messages: asked, ...offered };
    const answer = mode === "buffered" ? await generateText(opening) : streamText(opening);
    await answer.text;
    // The results of tools are among them.
    asked.push(...(await answer.response).messages);
    if (!tools) asked.push({ role: "user", content: second });
    return (await generateText({ model: spoken(two), messages: asked, ...offered })).text;
  };
}

const reasons = {
  reasoningEffort: "low",
  forceReasoning: true,
  store: false,
  include: ["reasoning.encrypted_content"],
};
const thinks = { thinking: { type: "enabled", budgetTokens: 2000 } };

interface Talker {
  readonly name: string;
  readonly talk: Talk;
  /** The provider of the SDK's own dialect, which gets what it says untouched. */
  readonly own: Issuer;
  /** Whose state this SDK hands back when it is in a message, and when it is at a call. */
  readonly keeps: { readonly thoughts: readonly Issuer[]; readonly calls: readonly Issuer[] };
}

/** Chat completions have no place for the state of OpenAI, and only Gemini gives calls some. */
const talkers: readonly Talker[] = [
  { name: "openai (chat)", talk: chat, own: "openai", keeps: { thoughts: ["anthropic", "gemini"], calls: ["gemini"] } },
  { name: "openai (responses)", talk: responses, own: "openai", keeps: { thoughts: issuers, calls: ["gemini"] } },
  {
    name: "@anthropic-ai/sdk",
    talk: messages,
    own: "anthropic",
    keeps: { thoughts: ["anthropic", "gemini"], calls: ["gemini"] },
  },
  {
    name: "ai with @ai-sdk/openai (responses)",
    talk: vercel((settings, model) => createOpenAI(settings).responses(model), { openai: reasons }),
    own: "openai",
    keeps: { thoughts: issuers, calls: ["gemini"] },
  },
  {
    name: "ai with @ai-sdk/anthropic",
    talk: vercel((settings, model) => createAnthropic(settings)(model), { anthropic: thinks }),
    own: "anthropic",
    keeps: { thoughts: ["anthropic", "gemini"], calls: ["gemini"] },
  },
  {
    // It hands thought signatures back under this name alone, and no thinking blocks at all.
    name: "ai with @ai-sdk/openai-compatible",
    talk: vercel((settings, model) => createOpenAICompatible({ ...settings, name: "google" })(model), {}),
    own: "openai",
    keeps: { thoughts: [], calls: ["gemini"] },
  },
];

let gateway: SimulatedGateway;
beforeAll(async () => {
  gateway = await sdkGateway(["reasoning", "tools", "ok"], []);
});
afterAll(() => gateway.stop());

const ways = issuers.flatMap((from) =>
  issuers.flatMap((to) => (["buffered", "stream"] as const).map((mode) => [from, to, mode] as const)),
);

describe.each(talkers)("$name", ({ talk, keeps, own }) => {
  const kinds = [
    { what: "thoughts", models: ["reasoning", "ok"], tools: false, says: second },
    { what: "calls", models: ["tools", "tools"], tools: true, says: result },
  ] as const;
  for (const { what, models, tools, says } of kinds) {
    test.each(ways)(`${what} of %s, then a turn of %s, %s`, async (from, to, mode) => {
      const [one, two] = models;
      const text = await talk({ origin: gateway.url, models: [`${from}/${one}`, `${to}/${two}`], mode, tools });
      expect(text).toBe(answerText(two));
      const sent = new TextDecoder().decode(gateway.simulator(to).calls.at(-1)?.body);
      expect(sent).toContain(first);
      expect(sent).toContain(says);
      if (to !== own) expect(undocumentedMembers(to, sent)).toEqual([]);
      for (const issuer of issuers) {
        const isOwn = issuer === from && issuer === to && keeps[what].includes(issuer);
        expect([issuer, sent.includes(states[issuer])]).toEqual([issuer, isOwn]);
      }
    });
  }
});
