// The metrics of the process and its runtime, as the metrics library names and collects them.

import collectDefaultMetrics from "prom-client/lib/defaultMetrics.js";
import Registry from "prom-client/lib/registry.js";

export interface RuntimeMetrics {
  readonly contentType: string;
  /** As they are now, its last line complete. */
  text(): Promise<string>;
}

/** Each call starts collectors of its own. */
export function createRuntimeMetrics(): RuntimeMetrics {
  const registry = new Registry();
  // Every 100 ms is often enough to see a blocked event loop; the default of 10 ms costs an idle gateway 1 % of a core.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  return { contentType: registry.contentType, text: () => registry.metrics() };
}
