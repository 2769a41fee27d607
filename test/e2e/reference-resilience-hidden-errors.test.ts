// The owner's page "Ausfallsicherheit": errors hidden behind HTTP 200 act as the errors that they are.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { contentOf, seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

/** The answer's model, the status it stands for, and how often it is called with one retry. */
const hidden = [
  ["hidden-400", 400, 1],
  ["hidden-401", 401, 1],
  ["hidden-403", 403, 1],
  ["hidden-404", 404, 1],
  ["hidden-422", 422, 1],
  ["hidden-429", 429, 2],
  ["hidden-500", 500, 1],
  ["hidden-502", 502, 2],
  ["hidden-503", 503, 2],
  ["hidden-504", 504, 2],
  ["hidden-524", 524, 2],
  ["hidden-quoted-429", 429, 2],
  ["hidden-quoted-503", 503, 2],
  ["hidden-42", 502, 2],
  ["hidden-200", 502, 2],
  ["hidden-named", 502, 2],
  ["hidden-uncoded", 502, 2],
  ["hidden-text", 502, 2],
] as const;

const failsOver = (status: number): boolean => status === 429 || status >= 500;

let gateway: SimulatedGateway;

beforeAll(async () => {
  gateway = await simulatedGateway({
    providers: {
      first: { listed: hidden.map(([model]) => model), resilience: { circuit_breaker: { enabled: false } } },
      counting: {
        listed: hidden.map(([model]) => model),
        resilience: {
          retry: { max_retries: 0 },
          circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
        },
      },
      second: { listed: ["ok"] },
    },
    resilience: { retry: { max_retries: 1 } },
    virtual_models: hidden.map(([model]) => ({
      source: `safe-${model}`,
      strategy: "failover",
      targets: [`first/${model}`, "second/ok"],
    })),
  });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.simulator("first").reset());

describe("an error behind 200", () => {
  test.each(hidden)("%s is a %i for the caller", async (model, status) => {
    const error = await seenError(await gateway.chat(`first/${model}`));
    expect(error.status).toBe(status);
    expect(error.message).toContain("simulated error behind 200");
  });

  test.each(hidden)("%s is a %i for the retries: %i calls", async (model, _status, calls) => {
    await (await gateway.chat(`first/${model}`)).text();
    expect(gateway.called("first")).toHaveLength(calls);
  });

  test.each(hidden)("%s is a %i for the failover", async (model, status) => {
    const response = await gateway.chat(`safe-${model}`);
    expect(response.status).toBe(failsOver(status) ? 200 : status);
    await response.text();
  });

  test.each(hidden)("%s is a %i for the circuit breaker", async (model, status) => {
    await (await gateway.chat(`counting/${model}`)).text();
    const error = await seenError(await gateway.chat(`counting/${model}`));
    expect(error.code === "circuit_open").toBe(failsOver(status));
  });

  test("fails over in front of a stream as well", async () => {
    const response = await gateway.chat("safe-hidden-429", { stream: true });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gomodel-provider")).toBe("second");
    expect((await response.text()).endsWith("data: [DONE]\n\n")).toBe(true);
  });

  test("that is null is none", async () => {
    await using other = await simulatedGateway({ providers: { sim: { listed: ["hidden-null"] } } });
    expect((await contentOf(await other.chat("sim/hidden-null"))).startsWith("[hidden-null]")).toBe(true);
  });
});
