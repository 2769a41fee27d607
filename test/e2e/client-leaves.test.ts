// A client that leaves, in whatever phase, takes its upstream call with it and says nothing about the provider.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProviderStatusReport } from "../../src/admin/contract.ts";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { modelRequest, openRawConnection, type RawConnection } from "../support/raw-exchange.ts";
import { type RawUpstream, startRawUpstream } from "../support/raw-upstream.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

/** How long an upstream socket may outlive its caller on a busy machine; the promise is 100 ms. */
const limitMs = 1000;

let simulator: Simulator;
let silent: RawUpstream;
let gateway: RunningGateway;
const measured: number[] = [];

beforeAll(async () => {
  simulator = startSimulator({ models: ["listed"] });
  silent = startRawUpstream({});
  // One failure opens the circuit, so a verdict that should not have been given is seen by the next request.
  gateway = await startGateway(`
resilience:
  retry: { max_retries: 3, initial_backoff: 20s }
  circuit_breaker: { failure_threshold: 1, timeout: 1h, failure_on_statuses: [500] }
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k }
  tls: { type: openai, base_url: "https://127.0.0.1:${silent.port}/v1", api_key: k, models: [any] }
  listing: { type: openai, base_url: "http://127.0.0.1:${silent.port}/v1", api_key: k, models: [any] }
models: { configured_provider_models_mode: allowlist }
virtual_models:
  - { source: hang-then-ok, strategy: failover, targets: [sim/hang-before-answer, sim/second.ok] }
  - { source: refused-then-hang, strategy: failover, targets: [sim/status-501, sim/hang-before-answer] }
`.replace(/\nmodels: .*/, ""));
}, 20_000);

afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
  silent.stop();
  measured.sort((left, right) => left - right);
  console.log(
    `upstream closed after the caller left: median ${measured[measured.length >> 1]?.toFixed(1)} ms, ` +
      `worst ${measured.at(-1)?.toFixed(1)} ms of ${measured.length}`,
  );
});
