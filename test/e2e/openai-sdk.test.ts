// The official openai SDK gets from the gateway what it gets straight from the provider.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { answerText, answerUsage } from "../../src/upstream-simulator/answer-text.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

type Params = Omit<ChatCompletionCreateParamsNonStreaming, "model" | "messages">;

const messages = [{ role: "user" as const, content: "Hello" }];
const tools = [
  { type: "function" as const, function: { name: "get_weather", parameters: { type: "object", properties: {} } } },
];

const listed = [
  "ok",
  "meta-llama/Llama-3.1-8B",
  ...["ok-7", "ok-20", "two-choices", "tools", "parallel-tools", "reasoning", "refusal", "finish-length", "no-content"],
  ...[
    "status-500",
    "choices-empty",
    "error-first-503",
    "terminal-in-text",
    "hidden-null",
    "bytes",
    "random-pieces",
    "events",
    "error-null",
    "no-finish",
  ],
];

let gateway: SimulatedGateway;
/** The name of a model; through the gateway that of the virtual model in front of it, if there is one. */
type Name = (model: string, virtualModel?: string) => string;
/** Through the gateway and straight at the simulator. */
let routes: readonly { readonly client: OpenAI; readonly name: Name }[];

beforeAll(async () => {
  gateway = await simulatedGateway({
    providers: { sim: { listed } },
    resilience: { circuit_breaker: { enabled: false } },
    virtual_models: [
      {
        source: "safe",
        strategy: "failover",
        targets: ["sim/status-500", "sim/choices-empty", "sim/error-first-503", "sim/ok-20"],
      },
      { source: "safe-tools", strategy: "failover", targets: ["sim/status-500", "sim/parallel-tools"] },
    ],
  });
  const clientOf = (baseURL: string): OpenAI => new OpenAI({ apiKey: "sk-any", baseURL, maxRetries: 0 });
  routes = [
    { client: clientOf(`${gateway.url}/v1`), name: (model, virtualModel) => virtualModel ?? `sim/${model}` },
    { client: clientOf(gateway.simulator("sim").baseUrl), name: (model) => model },
  ];
});
afterAll(() => gateway.stop());

/** What `ask` gives on both ways, the gateway's first. */
async function both<Seen>(ask: (client: OpenAI, name: Name) => Promise<Seen>): Promise<Seen[]> {
  return [...(await Promise.all(routes.map(({ client, name }) => ask(client, name))))];
}

async function same<Seen>(ask: (client: OpenAI, name: Name) => Promise<Seen>): Promise<Seen> {
  const [seen, straight] = await both(ask);
  expect(seen).toEqual(straight as Seen);
  return seen as Seen;
}

describe("a whole answer", () => {
  const create = (model: string, params: Params = {}): Promise<OpenAI.ChatCompletion> =>
    same((client, name) => client.chat.completions.create({ model: name(model), messages, ...params }));

  test("of 20 words is the same object, its text and usage included", async () => {
    const answer = await create("ok-20");
    expect(answer.choices[0]?.message.content).toBe(answerText("ok-20", 20));
    expect(answer.usage).toEqual(answerUsage(20));
  });

  test("of two choices has both", async () => {
    const answer = await create("two-choices", { n: 2 });
    expect(answer.choices.map(({ message }) => message.content)).toEqual([
      "choice 0 of two-choices",
      "choice 1 of two-choices",
    ]);
  });

  test("with a tool call has its name and arguments", async () => {
    const answer = await create("tools", { tools });
    expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
    expect(answer.choices[0]?.message.tool_calls).toEqual([
      { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Köln"}' } },
    ]);
  });

  test("with parallel tool calls has both", async () => {
    const answer = await create("parallel-tools", { tools, parallel_tool_calls: true });
    expect(answer.choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(["call_1", "call_2"]);
  });

  test("keeps reasoning_content, which the API itself does not have", async () => {
    const answer = await create("reasoning");
    expect(answer.choices[0]?.message).toMatchObject({
      content: "done thinking",
      reasoning_content: "let me think",
    });
  });

  test.each(["refusal", "finish-length", "no-content", "terminal-in-text", "hidden-null"])(
    "%s is the same object",
    async (model) => {
      expect((await create(model)).object).toBe("chat.completion");
    },
  );
});

describe("a stream", () => {
  const chunks = (model: string, params: object = {}): Promise<OpenAI.ChatCompletionChunk[]> =>
    same(async (client, name) => {
      const stream = await client.chat.completions.create({ model: name(model), messages, stream: true, ...params });
      return Array.fromAsync(stream);
    });

  test("of 20 words is the same chunks, which add up to its text", async () => {
    const all = await chunks("ok-20");
    expect(all.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(answerText("ok-20", 20));
    expect(all.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  test("has a usage chunk when stream_options ask for it, and none when they do not", async () => {
    const asked = await chunks("ok-7", { stream_options: { include_usage: true } });
    expect(asked.at(-1)?.usage).toEqual(answerUsage(7));
    expect((await chunks("ok-7")).filter(({ usage }) => usage !== undefined)).toEqual([]);
    expect(
      (await chunks("ok-7", { stream_options: { include_usage: false } })).filter(({ usage }) => usage !== undefined),
    ).toEqual([]);
  });

  test.each(["bytes", "random-pieces", "events", "two-choices", "reasoning", "error-null", "no-finish"])(
    "%s is the same chunks",
    async (model) => {
      expect((await chunks(model)).length).toBeGreaterThan(2);
    },
  );
});

describe("the SDK's own assembly of a stream", () => {
  const assembled = (model: string): Promise<OpenAI.ChatCompletion> =>
    same((client, name) =>
      client.chat.completions.stream({ model: name(model), messages, tools }).finalChatCompletion(),
    );

  test("gives one tool call from its pieces", async () => {
    const answer = await assembled("tools");
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Köln"}' } }]);
  });

  test("gives two parallel tool calls from pieces that alternate", async () => {
    const answer = await assembled("parallel-tools");
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([
      { id: "call_1", function: { name: "get_weather", arguments: '{"city":"Köln"}' } },
      { id: "call_2", function: { name: "get_weather", arguments: '{"city":"大阪"}' } },
    ]);
  });

  test("gives both of two choices", async () => {
    const answer = await assembled("two-choices");
    expect(answer.choices.map(({ message }) => message.content)).toEqual([
      "choice 0 of two-choices",
      "choice 1 of two-choices",
    ]);
  });
});

describe("after a failover", () => {
  test("a whole answer is the same object as straight from the target that answered", async () => {
    const answer = await same((client, name) =>
      client.chat.completions.create({ model: name("ok-20", "safe"), messages }),
    );
    expect(answer.choices[0]?.message.content).toBe(answerText("ok-20", 20));
  });

  test("a stream is the same chunks", async () => {
    const chunks = await same(async (client, name) => {
      const model = name("ok-20", "safe");
      return Array.fromAsync(await client.chat.completions.create({ model, messages, stream: true }));
    });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(answerText("ok-20", 20));
  });

  test("parallel tool calls are assembled from the stream of the second target", async () => {
    const answer = await same((client, name) =>
      client.chat.completions
        .stream({ model: name("parallel-tools", "safe-tools"), messages, tools })
        .finalChatCompletion(),
    );
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(2);
  });
});

describe("models", () => {
  test("are listed with the providers' names before theirs", async () => {
    const [seen] = routes;
    const all = await Array.fromAsync((await seen?.client.models.list()) ?? []);
    expect(all.map(({ id }) => id)).toEqual(["safe", "safe-tools", ...listed.map((model) => `sim/${model}`)]);
    expect(all[2]).toMatchObject({ object: "model", owned_by: "upstream-simulator" });
  });

  test("are retrieved by an id with slashes, which the SDK writes as %2F", async () => {
    const [seen] = routes;
    expect(await seen?.client.models.retrieve("sim/meta-llama/Llama-3.1-8B")).toMatchObject({
      id: "sim/meta-llama/Llama-3.1-8B",
      object: "model",
    });
  });

  test("are retrieved by an id whose slashes stand in the path as they are", async () => {
    const response = await fetch(`${gateway.url}/v1/models/sim/meta-llama/Llama-3.1-8B`);
    expect(((await response.json()) as { id: string }).id).toBe("sim/meta-llama/Llama-3.1-8B");
  });

  test("that nobody serves are a NotFoundError with code model_not_found", async () => {
    const [seen] = routes;
    const error = await seen?.client.models.retrieve("sim/none").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: "model_not_found", type: "not_found_error" });
  });
});

describe("embeddings", () => {
  test("asked for as floats are the same object", async () => {
    const answer = await same((client, name) =>
      client.embeddings.create({ model: name("ok"), input: "text", encoding_format: "float" }),
    );
    expect(answer.data[0]?.embedding).toEqual([0.25, -0.5, 0.125, 1]);
    expect(answer.usage).toEqual({ prompt_tokens: 11, total_tokens: 11 });
  });
});
