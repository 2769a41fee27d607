// One gateway in front of one simulator for each provider that a request can reach; lives for a single case.

import { startApplication } from "./application.ts";
import { withOrigins } from "./doctor-config.ts";
import { wireOf } from "./doctor-wire.ts";
import type { Config } from "./config/config.ts";
import type { Clock } from "./core/clock.ts";
import type { Target } from "./core/target.ts";
import { startSimulator } from "./upstream-simulator/simulator.ts";

export interface DoctorInstance {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Who was called, in order. */
  calls(): readonly Target[];
  /** From now on. */
  setFault(target: Target, fault: string): void;
  /** What the gateway logged as errors of its own. */
  readonly bugs: readonly string[];
  /** The address that a caller would have read in a message, instead of the simulator's. */
  realAddresses(message: string): string;
  stop(): Promise<void>;
}

/** Nobody listens here; what has no target is never called. */
const nowhere = "http://127.0.0.1:9";

/** What the models behind a provider make of a text that they are to go on from: what its type says of them. */
function prefillOf(config: Config, providerName: string, clock: Clock): "go-on" | "echo" {
  return wireOf(config, providerName, clock)?.prefill?.rule === "fresh" ? "echo" : "go-on";
}

/** `config` is isolated. Targets answer right until they are told otherwise. */
export function startInstance(config: Config, targets: readonly Target[], clock: Clock): DoctorInstance {
  const providerNames = [...new Set(targets.map(({ providerName }) => providerName))];
  const simulators = new Map(providerNames.map((name) => [name, startSimulator({ clock })]));
  const originOf = (name: string): string => {
    const simulator = simulators.get(name);
    return simulator === undefined ? nowhere : new URL(simulator.baseUrl).origin;
  };
  const setFault = ({ providerName, model }: Target, fault: string): void =>
    simulators.get(providerName)?.setFault(model, `${fault}~prefill=${prefillOf(config, providerName, clock)}`);
  for (const target of targets) setFault(target, "ok");
  const bugs: string[] = [];
  const application = startApplication({
    config: withOrigins(config, originOf),
    // No proxy of this machine is asked.
    env: {},
    clock,
    logger: {
      debug() {},
      info() {},
      infoAt() {},
      warn() {},
      error(message, fields = {}) {
        const { error } = fields;
        bugs.push(error instanceof Error ? `${message}: ${error.message}` : message);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${application.port}`,
    calls: () =>
      [...simulators]
        .flatMap(([providerName, { calls }]) =>
          calls.map(({ model = "", startedAt }) => ({ providerName, model, startedAt })),
        )
        .toSorted((left, right) => left.startedAt - right.startedAt)
        .map(({ providerName, model }) => ({ providerName, model })),
    setFault,
    bugs,
    realAddresses(message) {
      let text = message;
      for (const { name, baseUrl } of config.providers) {
        const simulated = new URL(originOf(name));
        const real = new URL(baseUrl);
        text = text.replaceAll(simulated.origin, real.origin).replaceAll(simulated.host, real.host);
      }
      return text;
    },
    async stop() {
      await application.stop();
      await Promise.all([...simulators.values()].map((simulator) => simulator.stop()));
    },
  };
}
