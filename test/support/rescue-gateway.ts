// A gateway whose virtual models go on with broken streams, in front of simulators, with what a caller sees of one stream.

import { type SeenStream, seenStream } from "./chat-events.ts";
import { type SimulatedGateway, simulatedGateway } from "./simulated-gateway.ts";

/**
 * What each target of a virtual model does, in order: `provider/model`, and a fault. Providers are `a`, `b` and `c`, which are not asked to go on,
 * and `p`, which is. Models of one name say the same text, whatever their provider.
 */
export type Rescue = readonly (readonly [target: string, fault: string])[];

export interface RescueGateway extends SimulatedGateway {
  /** Asks for a stream and reads it to its end. */
  stream(virtualModel: string, fields?: object, init?: RequestInit): Promise<SeenStream & { readonly ms: number }>;
}

export interface RescueOptions {
  readonly recovery?: "continue" | "buffer";
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** `rescues` by the name of the virtual model. Silence within a stream may last 300 ms. */
export async function rescueGateway(
  rescues: Readonly<Record<string, Rescue>>,
  { recovery = "continue", config = {}, env = {} }: RescueOptions = {},
): Promise<RescueGateway> {
  const targets = Object.values(rescues).flat();
  const provider = (name: string, block: object = {}) => ({
    listed: [
      ...new Set(targets.filter(([target]) => target.startsWith(`${name}/`)).map(([target]) => modelOf(target))),
    ],
    ...block,
  });
  const gateway = await simulatedGateway(
    {
      providers: { a: provider("a"), b: provider("b"), c: provider("c"), p: provider("p", { supports_prefill: true }) },
      http: { stream_idle_timeout: "300ms" },
      resilience: { circuit_breaker: { enabled: false } },
      virtual_models: Object.entries(rescues).map(([source, rescue]) => ({
        source,
        strategy: "failover",
        stream_recovery: recovery,
        targets: rescue.map(([target]) => target),
      })),
      ...config,
    },
    env,
  );
  for (const [target, fault] of targets) gateway.simulator(target.slice(0, 1)).setFault(modelOf(target), fault);
  return {
    ...gateway,
    async stream(virtualModel, fields = {}, init = {}) {
      const begun = performance.now();
      const response = await gateway.chat(virtualModel, { stream: true, ...fields }, init);
      const bytes = await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${bytes}`);
      return { ...seenStream(bytes), ms: performance.now() - begun };
    },
  };
}

function modelOf(target: string): string {
  return target.slice(target.indexOf("/") + 1);
}
