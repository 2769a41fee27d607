// What the SDKs build on their calls works at every target: parsed output, agents that run their tools, counts of tokens, listings.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from "ai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import type { SimulatedGateway } from "../../support/simulated-gateway.ts";
import { anthropicClient } from "./anthropic.ts";
import { toolDescription, toolName, toolSchema } from "./ask.ts";
import { undocumentedMembers } from "./documented-members.ts";
import { openaiClient } from "./openai-chat.ts";
import { chainName, type ProviderName, sdkGateway } from "./sdk-gateway.ts";

const City = z.object({ city: z.string(), celsius: z.number() });
const cologne = { city: "Köln", celsius: -3.5 };
const agents = ["tools", "parallel-tools"] as const;
const cities = { tools: ["Köln"], "parallel-tools": ["Köln", "大阪"] };

const chains = [
  { from: "openai", fault: "status-503", to: "anthropic" },
  { from: "anthropic", fault: "status-503", to: "openai" },
  { from: "openai", fault: "status-503", to: "gemini" },
] as const;
/** Each target alone, and behind a faulty one of another dialect. */
const targets: readonly (readonly [name: string, last: ProviderName, modelOf: (model: string) => string])[] = [
  ...(["openai", "anthropic", "gemini"] as const).map(
    (name) => [name, name, (model: string) => `${name}/${model}`] as const,
  ),
  ...chains.map(
    (chain) => [`${chain.to} after ${chain.from}`, chain.to, (model: string) => chainName(chain, model)] as const,
  ),
];

let gateway: SimulatedGateway;
beforeAll(async () => {
  const models = ["json-text", ...agents, "ok"];
  gateway = await sdkGateway(
    models,
    chains.flatMap((chain) => models.map((model) => ({ ...chain, model }))),
  );
});
afterAll(() => gateway.stop());

const lastBody = (provider: ProviderName): string =>
  new TextDecoder().decode(gateway.simulator(provider).calls.at(-1)?.body);
const openai = () => openaiClient({ origin: gateway.url, model: "" });
const anthropic = () => anthropicClient({ origin: gateway.url, model: "" });
const hello = [{ role: "user" as const, content: "Hello" }];

type Vercel = (model: string) => LanguageModel;
const settings = () => ({ baseURL: `${gateway.url}/v1`, apiKey: "k" });
const vercels: readonly (readonly [name: string, model: Vercel])[] = [
  ["ai with @ai-sdk/openai (responses)", (model) => createOpenAI(settings()).responses(model)],
  ["ai with @ai-sdk/openai (chat)", (model) => createOpenAI(settings()).chat(model)],
  ["ai with @ai-sdk/anthropic", (model) => createAnthropic(settings())(model)],
  [
    "ai with @ai-sdk/openai-compatible",
    (model) => createOpenAICompatible({ ...settings(), name: "x", supportsStructuredOutputs: true })(model),
  ],
];
const anthropicFormat = { anthropic: { structuredOutputMode: "outputFormat" } };

const Place = z.object({ city: z.string() });
const readCity = (text: string): { city: string } => Place.parse(JSON.parse(text));

describe.each(targets)("at %s", (name, last, modelOf) => {
  describe("structured output is the schema's object", () => {
    test("openai (chat)", async () => {
      const asked = { model: modelOf("json-text"), messages: hello, response_format: zodResponseFormat(City, "city") };
      const whole = await openai().chat.completions.parse(asked);
      expect(whole.choices[0]?.message.parsed).toEqual(cologne);
      const streamed = await openai().chat.completions.stream(asked).finalChatCompletion();
      expect(streamed.choices[0]?.message.parsed).toEqual(cologne);
    });

    test("openai (responses)", async () => {
      const asked = { model: modelOf("json-text"), input: "Hello", text: { format: zodTextFormat(City, "city") } };
      expect((await openai().responses.parse(asked)).output_parsed).toEqual(cologne);
      expect((await openai().responses.stream(asked).finalResponse()).output_parsed).toEqual(cologne);
    });

    test("@anthropic-ai/sdk", async () => {
      const format = { format: zodOutputFormat(City) };
      const asked = { model: modelOf("json-text"), max_tokens: 99, messages: hello, output_config: format };
      expect((await anthropic().messages.parse(asked)).parsed_output).toEqual(cologne);
      expect((await anthropic().messages.stream(asked).finalMessage()).parsed_output).toEqual(cologne);
    });

    test.each(vercels)("%s", async (_name, model) => {
      const output = Output.object({ schema: City });
      const asked = {
        model: model(modelOf("json-text")),
        prompt: "Hello",
        output,
        maxRetries: 0,
        providerOptions: anthropicFormat,
      };
      expect((await generateText(asked)).output).toEqual(cologne);
      expect(await streamText(asked).output).toEqual(cologne);
    });
  });

  describe.each(agents)("an agent whose model gives %s runs them and ends with its text", (model) => {
    let called: string[] = [];
    const run = ({ city }: { city: string }): string => {
      called.push(city);
      return "rain";
    };
    /** The last request, its history included. */
    const expectEnd = (text: string | null | undefined, own: ProviderName): void => {
      expect(text).toBe(answerText(model));
      expect(called).toEqual(cities[model]);
      if (last !== own) expect(undocumentedMembers(last, lastBody(last))).toEqual([]);
      called = [];
    };

    test.each([false, true])("openai (chat), stream: %p", async (stream) => {
      // The parsing of zodFunction would read the pieces of calls that alternate too early.
      const weather = {
        name: toolName,
        description: toolDescription,
        parameters: toolSchema,
        function: run,
        parse: readCity,
      };
      const asked = {
        model: modelOf(model),
        messages: hello,
        tools: [{ type: "function" as const, function: weather }],
      };
      const { completions } = openai().chat;
      const runner = stream ? completions.runTools({ ...asked, stream }) : completions.runTools(asked);
      expectEnd(await runner.finalContent(), "openai");
    });

    test.each([false, true])("@anthropic-ai/sdk, stream: %p", async (stream) => {
      const weather = betaTool({
        name: toolName,
        description: toolDescription,
        inputSchema: toolSchema,
        run: (input) => run(Place.parse(input)),
      });
      // Without it a conversation would be held by the first target of a chain, and the next turn would be that one's alone.
      const thread = name.includes("after") ? ({ thread: false } as const) : {};
      const asked = { model: modelOf(model), max_tokens: 99, messages: hello, tools: [weather], ...thread };
      const { content } = await anthropic()
        .beta.messages.toolRunner({ ...asked, stream })
        .runUntilDone();
      expectEnd(content.map((block) => (block.type === "text" ? block.text : "")).join(""), "anthropic");
    });

    test.each(vercels)("%s", async (sdk, spoken) => {
      const weather = tool({ inputSchema: Place, execute: run });
      const asked = {
        model: spoken(modelOf(model)),
        prompt: "Hello",
        tools: { [toolName]: weather },
        stopWhen: stepCountIs(4),
        maxRetries: 0,
      };
      const own = sdk.includes("anthropic") ? "anthropic" : "openai";
      expectEnd((await generateText(asked)).text, own);
      expectEnd(await streamText(asked).text, own);
    });
  });

  test("@anthropic-ai/sdk counts tokens: those of the provider where it counts, an estimate elsewhere", async () => {
    const asked = { model: modelOf("ok"), messages: hello };
    const { input_tokens: tokens } = await anthropic().messages.countTokens(asked);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(50);
  });
});
