// An operator closes a circuit by hand (behaviour 2.12).

import { expect, test } from "bun:test";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

function opened(scope: "provider" | "model"): Promise<SimulatedGateway> {
  return simulatedGateway({
    providers: { "eu west": { listed: ["m"] }, other: { listed: ["m"] } },
    resilience: {
      retry: { max_retries: 0 },
      circuit_breaker: { timeout: "1h", failure_threshold: 1, scope },
    },
  });
}

function reset(gateway: SimulatedGateway, name: string, method = "POST"): Promise<Response> {
  return fetch(`${gateway.url}/admin/providers/${encodeURIComponent(name)}/circuit-breaker/reset`, { method });
}

test.each(["provider", "model"] as const)(
  "an open circuit of scope %s serves at once after its reset",
  async (scope) => {
    await using gateway = await opened(scope);
    gateway.simulator("eu west").setFault("m", "status-500@1");
    expect((await gateway.chat("eu west/m")).status).toBe(500);
    expect((await gateway.chat("eu west/m")).status).toBe(503);
    const answer = await reset(gateway, "eu west");
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect((await gateway.chat("eu west/m")).status).toBe(200);
  },
);

test("the reset of a provider that is not configured is a 404 that says where the names are", async () => {
  await using gateway = await opened("provider");
  const answer = await reset(gateway, "nobody");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    error: {
      message: "no provider is named nobody: GET /admin/providers/status lists them",
      type: "not_found_error",
      param: null,
      code: "provider_not_found",
    },
  });
});

test("the reset is asked for with POST, and a name is one segment", async () => {
  await using gateway = await opened("provider");
  expect((await reset(gateway, "other", "GET")).status).toBe(405);
  expect((await fetch(`${gateway.url}/admin/providers/a/b/circuit-breaker/reset`, { method: "POST" })).status).toBe(
    404,
  );
  expect((await fetch(`${gateway.url}/admin/providers/%E0/circuit-breaker/reset`, { method: "POST" })).status).toBe(
    400,
  );
  expect((await reset(gateway, "other")).status).toBe(204);
});
