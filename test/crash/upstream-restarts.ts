// A provider that goes away and comes back under load, again and again, alone and with a second one behind it.

import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { startGateway } from "../support/start-gateway.ts";
import { type Answer, startLoad } from "./steady-load.ts";

export interface RestartFigures {
  readonly answers: readonly Answer[];
  /** Moments of `performance.now()`. */
  readonly downtimes: readonly { readonly from: number; readonly to: number }[];
  /** Lines of the log that say error. */
  readonly errors: readonly Record<string, unknown>[];
}

export interface RestartOptions {
  readonly restarts: number;
  readonly downMs: number;
  readonly upMs: number;
}

export const breakerTimeoutMs = 300;
/** Alone, and through a virtual model whose second target stays up. */
export const askedModels = { alone: ["flaky/ok", "flaky/paced-5-10"], covered: ["safe", "safe-paced"] };

export async function restartUpstream({ restarts, downMs, upMs }: RestartOptions): Promise<RestartFigures> {
  let flaky: Simulator = startSimulator({ recordCalls: false });
  const steady = startSimulator({ recordCalls: false });
  const { port } = flaky;
  const gateway = await startGateway(`
providers:
  flaky: { type: openai, base_url: "${flaky.baseUrl}", api_key: k, models: [ok, paced-5-10] }
  steady: { type: openai, base_url: "${steady.baseUrl}", api_key: k, models: [ok, paced-5-10] }
models: { configured_provider_models_mode: allowlist }
resilience:
  retry: { max_retries: 1, initial_backoff: 20ms }
  circuit_breaker: { failure_threshold: 3, success_threshold: 1, timeout: ${breakerTimeoutMs}ms }
virtual_models:
  - { source: safe, strategy: failover, targets: [flaky/ok, steady/ok] }
  - { source: safe-paced, strategy: failover, targets: [flaky/paced-5-10, steady/paced-5-10] }
`);
  const downtimes: { from: number; to: number }[] = [];
  try {
    const load = startLoad({
      url: gateway.url,
      callers: 12,
      pauseMs: 5,
      models: [...askedModels.alone, ...askedModels.covered],
      prefix: "req-",
    });
    await Bun.sleep(upMs);
    for (let restart = 0; restart < restarts; restart++) {
      const from = performance.now();
      await flaky.stop();
      await Bun.sleep(downMs);
      flaky = startSimulator({ port, recordCalls: false });
      downtimes.push({ from, to: performance.now() });
      await Bun.sleep(upMs);
    }
    await load.stop();
    const errors = gateway.logLines.filter((line) => line["level"] === "error");
    return { answers: load.answers, downtimes, errors };
  } finally {
    await gateway.stop();
    await Promise.all([flaky.stop(), steady.stop()]);
  }
}
