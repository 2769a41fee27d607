// A gateway whose virtual models go from a provider of one dialect to one of another, in front of simulators.

import { type SimulatedGateway, simulatedGateway } from "./simulated-gateway.ts";

/** Types of providers by what they are asked in. */
export const providerKinds = ["groq", "openai", "anthropic", "gemini"] as const;
export type ProviderKind = (typeof providerKinds)[number];

export const model = "m";

export interface DialectGatewayOptions {
  /** Default: continue. */
  readonly recovery?: "continue" | "buffer" | "off";
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * First providers `first-KIND`, second ones `second-KIND`, that start afresh, and `prefill-KIND`, that are asked to go on, `vllm` among them. All have the model `m`, which says the same
 * text everywhere, at 1, 100 and 10 dollars for a million tokens in, and ten times as much out. `FIRST-to-SECOND` names a virtual model of two targets, `FIRST-alone` one of a single one, `FIRST-to-prefill-KIND` one that goes on.
 */
export async function dialectGateway({
  recovery = "continue",
  config = {},
  env = {},
}: DialectGatewayOptions = {}): Promise<SimulatedGateway> {
  const provider = (type: string, prefill: boolean, price: number) => ({
    type,
    models: [{ id: model, metadata: { pricing: { input_per_mtok: price, output_per_mtok: 10 * price } } }],
    api_key: "k",
    listed: [model],
    supports_prefill: prefill,
  });
  const goingOn = [...providerKinds, "vllm"];
  const virtual = (source: string, ...targets: readonly string[]) => ({
    source,
    strategy: "failover",
    stream_recovery: recovery,
    targets: targets.map((target) => `${target}/${model}`),
  });
  return simulatedGateway(
    {
      http: { stream_idle_timeout: "300ms" },
      ...config,
      providers: Object.fromEntries([
        ...providerKinds.flatMap((kind) => [
          [`first-${kind}`, provider(kind, false, 1)],
          [`second-${kind}`, provider(kind, false, 100)],
        ]),
        ...goingOn.map((kind) => [`prefill-${kind}`, provider(kind, true, 10)]),
      ]),
      resilience: { circuit_breaker: { enabled: false }, retry: { max_retries: 0 } },
      virtual_models: providerKinds.flatMap((first) => [
        virtual(`${first}-alone`, `first-${first}`),
        ...providerKinds.map((second) => virtual(`${first}-to-${second}`, `first-${first}`, `second-${second}`)),
        ...goingOn.map((second) => virtual(`${first}-to-prefill-${second}`, `first-${first}`, `prefill-${second}`)),
      ]),
    },
    env,
  );
}
