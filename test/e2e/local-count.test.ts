// A count of tokens that the gateway makes itself says nothing about the provider it was asked for.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let simulator: Simulator;
let gateway: RunningGateway;
beforeAll(async () => {
  simulator = startSimulator();
  gateway = await startGateway(`
providers:
  sim: { type: groq, base_url: "${simulator.baseUrl}", api_key: k, models: [status-503] }
models: { configured_provider_models_mode: allowlist }
resilience:
  retry: { max_retries: 0 }
  circuit_breaker: { failure_threshold: 2 }
`);
});
afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
});

test("failures on both sides of an estimated count are two in a row, and open the circuit", async () => {
  const status = async () => (await gateway.chat("sim/status-503")).json() as Promise<{ error: { code: string } }>;
  await status();
  const counted = await fetch(`${gateway.url}/v1/messages/count_tokens`, {
    method: "POST",
    body: JSON.stringify({ model: "sim/status-503", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) });
  await status();
  expect((await status()).error.code).toBe("circuit_open");
});
