// The real process with upstream simulators in the test's process, and whether it comes back to what it held open at its start.

import { startSimulator, type Simulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { figuresOf, type ProcessFigures } from "./process-figures.ts";

export interface WatchedGateway extends AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly simulator: Simulator;
  /** After its first answers, with no call under way. */
  readonly atRest: ProcessFigures;
  now(): ProcessFigures;
  /**
   * Resolves when as many descriptors are open as at rest, those of kept connections to the upstream aside. Rejects after 5 s, and
   * for a line in the log that says error.
   */
  backToRest(): Promise<void>;
}

/** `env` beside one provider `openai` with these models, which are faults of its simulator. */
export async function watchedGateway(
  models: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<WatchedGateway> {
  const simulator = startSimulator({ recordCalls: false });
  const gateway = await startGatewayProcess([], {
    OPENAI_BASE_URL: simulator.baseUrl,
    OPENAI_API_KEY: "k",
    OPENAI_MODELS: ["ok", ...models].join(","),
    CONFIGURED_PROVIDER_MODELS_MODE: "allowlist",
    METRICS_ENABLED: "true",
    LOGGING_LOG_BODIES: "false",
    CIRCUIT_BREAKER_ENABLED: "false",
    ...env,
  });
  for (let call = 0; call < 20; call++) {
    const body = JSON.stringify({ model: "openai/ok", stream: call % 2 === 0, messages: [] });
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body });
    await response.text();
  }
  const now = (): ProcessFigures => figuresOf(gateway.pid);
  const own = (): number => now().descriptors - simulator.openSockets;
  let atRest = own();
  // Connections of the calls above may still be closing.
  await eventually("rest", async () => {
    await Bun.sleep(50);
    const before = atRest;
    atRest = own();
    return atRest === before;
  });
  return {
    gateway,
    simulator,
    atRest: now(),
    now,
    async backToRest() {
      await eventually(`${atRest} descriptors again`, () => own() <= atRest).catch((error: unknown) => {
        throw new Error(`${own()} descriptors are open, at rest ${atRest}`, { cause: error });
      });
      const errors = gateway.lines.filter((line) => line["level"] === "error");
      if (errors.length > 0) throw new Error(JSON.stringify(errors.slice(0, 3)));
    },
    async [Symbol.asyncDispose]() {
      await gateway.dispose();
      await simulator.stop();
    },
  };
}
