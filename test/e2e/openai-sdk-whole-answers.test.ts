// Every whole answer that the simulator can give, however oddly it is sent, is for the official openai SDK what it is straight from it, or better.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { faults } from "../../src/upstream-simulator/faults.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
/** Endings that the SDK alone would wait for without end, and answers that take seconds. */
const endless = /hang|heartbeats|trickle/;

const cases = faults
  .filter(({ whole }) => whole)
  .flatMap(({ examples, modes }) => examples.flatMap((model) => modes.map((mode) => [mode, model] as const)))
  .filter(([, model]) => !endless.test(model));

let gateway: SimulatedGateway;

beforeAll(async () => {
  gateway = await simulatedGateway({
    providers: { sim: { listed: [...new Set(cases.map(([, model]) => model))] } },
    resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
  });
});
afterAll(() => gateway.stop());

/** The object or the chunks that the SDK gives, or that it gives none. */
async function seen(baseURL: string, model: string, mode: "buffered" | "stream"): Promise<unknown> {
  const client = new OpenAI({ apiKey: "sk-any", baseURL, maxRetries: 0 });
  try {
    if (mode === "buffered") return await client.chat.completions.create({ model, messages });
    const stream_options = { include_usage: true };
    return await Array.fromAsync(
      await client.chat.completions.create({ model, messages, stream: true, stream_options }),
    );
  } catch (error) {
    return error;
  }
}

const isAnswer = (value: unknown): boolean => typeof value === "object" && !(value instanceof Error);

describe("a whole answer", () => {
  test.each(cases)("%s %s", async (mode, model) => {
    const [through, straight] = await Promise.all([
      seen(`${gateway.url}/v1`, `sim/${model}`, mode),
      seen(gateway.simulator("sim").baseUrl, model, mode),
    ]);
    expect(through).toSatisfy(isAnswer);
    // Where the SDK alone fails, at a connection that breaks after the end or at a missing content type, the gateway must not.
    if (isAnswer(straight)) expect(through).toEqual(straight);
  });

  test("is one that the SDK alone can read in all but a few cases", async () => {
    const outcomes = await Promise.all(
      cases.map(async ([mode, model]) => isAnswer(await seen(gateway.simulator("sim").baseUrl, model, mode))),
    );
    expect(outcomes.filter((read) => read).length).toBeGreaterThan(cases.length - 12);
    expect(cases.length).toBeGreaterThan(90);
  });
});
