// The two worked examples of the owner's page "Ausfallsicherheit", as they stand there; only their durations are shorter.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let first: Simulator;
let second: Simulator;
let gateway: RunningGateway;

beforeEach(() => {
  first = startSimulator({ models: ["model1", "model2", "deepseek-v3", "fast"] });
  second = startSimulator({ models: ["gpt-4o-mini"] });
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop()]);
});

const calledAt = (simulator: Simulator): (string | undefined)[] =>
  simulator.calls.filter(({ method }) => method === "POST").map(({ model }) => model);

/** Who answered `resilient-chat`, or the status of its error. */
async function ask(fields: Record<string, unknown> = {}): Promise<string> {
  const response = await gateway.chat("resilient-chat", fields);
  await response.text();
  return response.ok ? `${response.headers.get("x-gomodel-model")}` : `${response.status}`;
}

describe("Cloudflare timeouts: retry, then another model", () => {
  beforeEach(async () => {
    gateway = await startGateway(`
providers:
  cloudflare:
    type: openai
    base_url: ${first.baseUrl}
    resilience:
      retry:
        max_retries: 2
        retry_on_statuses: [429, 502, 503, 504, 522, 524]
        initial_backoff: 5ms
      circuit_breaker:
        scope: model
        failure_on_statuses: [429, 5xx]
        failure_threshold: 5

logging: {enabled: false}
virtual_models:
  - source: resilient-chat
    strategy: failover
    targets:
      - model: cloudflare/model1
      - model: cloudflare/model2

failover:
  enabled: true
  retry_on_statuses: [429, 5xx]
`);
    for (const model of ["model1", "model2"]) first.setFault(model, "ok");
  });

  test.each([524, 522])("a %i is tried three times at model1, then model2 answers", async (status) => {
    first.setFault("model1", `status-${status}`);
    expect(await ask()).toBe("model2");
    expect(calledAt(first)).toEqual(["model1", "model1", "model1", "model2"]);
  });

  test("model2 has a retry budget of its own", async () => {
    first.setFault("model1", "status-524");
    first.setFault("model2", "status-522@2");
    expect(await ask()).toBe("model2");
    expect(calledAt(first)).toEqual(["model1", "model1", "model1", "model2", "model2", "model2"]);
  });

  test("after five failed rows model1 is skipped without blocking model2", async () => {
    first.setFault("model1", "status-524");
    for (let sent = 0; sent < 5; sent++) expect(await ask()).toBe("model2");
    first.reset();
    expect(await ask()).toBe("model2");
    expect(calledAt(first)).toEqual(["model2"]);
  });

  test("a stream goes to model2 after one attempt at model1", async () => {
    first.setFault("model1", "status-524");
    expect(await ask({ stream: true })).toBe("model2");
    expect(calledAt(first)).toEqual(["model1", "model2"]);
  });
});

describe("away from a slow provider", () => {
  const slow = "slow-first-250";

  beforeEach(async () => {
    gateway = await startGateway(`
resilience:
  circuit_breaker:
    timeout: 100ms
providers:
  opencode:
    type: openai
    base_url: ${first.baseUrl}
    resilience:
      circuit_breaker:
        scope: model
        slow_call_threshold: 200ms
        failure_threshold: 3
  openai:
    type: openai
    base_url: ${second.baseUrl}

logging: {enabled: false}
virtual_models:
  - source: resilient-chat
    strategy: failover
    targets:
      - model: opencode/deepseek-v3
      - model: openai/gpt-4o-mini

failover:
  enabled: true
`);
    first.setFault("fast", "ok");
    second.setFault("gpt-4o-mini", "ok");
  });

  test("three slow calls are answered, then traffic goes to the second target without waiting", async () => {
    first.setFault("deepseek-v3", slow);
    for (let sent = 0; sent < 3; sent++) expect(await ask()).toBe("deepseek-v3");
    first.reset();
    expect(await ask()).toBe("gpt-4o-mini");
    expect(calledAt(first)).toEqual([]);
  });

  test("traffic returns once two probes were fast enough", async () => {
    first.setFault("deepseek-v3", slow);
    for (let sent = 0; sent < 3; sent++) await ask();
    first.setFault("deepseek-v3", "ok");
    await eventually("a probe", async () => (await ask()) === "deepseek-v3");
    expect(await ask()).toBe("deepseek-v3");
    expect(await ask()).toBe("deepseek-v3");
  });

  test("a slow probe is answered and opens it again", async () => {
    first.setFault("deepseek-v3", slow);
    for (let sent = 0; sent < 3; sent++) await ask();
    await eventually("a probe", async () => (await ask()) === "deepseek-v3");
    expect(await ask()).toBe("gpt-4o-mini");
  });

  test("a fast answer in between keeps it closed", async () => {
    for (const fault of [slow, slow, "ok", slow, slow, "ok"]) {
      first.setFault("deepseek-v3", fault);
      expect(await ask()).toBe("deepseek-v3");
    }
  });

  test("a fast model of the same provider does not reset the slow one's count", async () => {
    first.setFault("deepseek-v3", slow);
    for (let sent = 0; sent < 3; sent++) {
      await ask();
      expect((await gateway.chat("opencode/fast")).status).toBe(200);
    }
    expect(await ask()).toBe("gpt-4o-mini");
  });
});
