// The built-in provider for a first look: the upstream simulator, and a virtual model whose first target is broken on purpose.

import type { Config } from "./config/config.ts";
import type { ProviderConfig } from "./core/provider-config.ts";
import type { VirtualModel } from "./core/virtual-model.ts";
import { type Simulator, startSimulator } from "./upstream-simulator/simulator.ts";

export interface Demo {
  readonly provider: ProviderConfig;
  readonly virtualModel: VirtualModel;
  readonly simulator: Simulator;
}

/** Opens a port on the loopback address. The broken target answers 500, which is not retried: the failover is seen at once. */
export function startDemo(global: Pick<Config, "resilience" | "upstreamLimits" | "streamRecovery">): Demo {
  const simulator = startSimulator({ models: ["chat", "broken"], recordCalls: false });
  simulator.setFault("chat", "ok");
  simulator.setFault("broken", "status-500");
  return {
    simulator,
    provider: {
      name: "demo",
      type: "openai",
      baseUrl: simulator.baseUrl,
      apiKeys: [],
      proxyUrl: undefined,
      apiVersion: undefined,
      customUpstreamHeaders: [],
      models: [],
      // A breaker that opens after five curls would make the second look at the failover a different one.
      resilience: { ...global.resilience, breaker: { ...global.resilience.breaker, enabled: false } },
      limits: global.upstreamLimits,
      supportsPrefill: undefined,
    },
    virtualModel: {
      source: "demo-failover",
      strategy: "failover",
      targets: [
        { model: "demo/broken", provider: undefined, weight: 1 },
        { model: "demo/chat", provider: undefined, weight: 1 },
      ],
      failover: true,
      streamRecovery: global.streamRecovery,
      description: "Its first target fails on purpose.",
      enabled: true,
      declaredAt: "--demo",
    },
  };
}
