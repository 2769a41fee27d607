// A gateway whose providers speak every dialect, with a virtual model in front of each pair of a faulty target and a healthy one.

import { type SimulatedGateway, simulatedGateway } from "../../support/simulated-gateway.ts";

/** Providers by what they are asked in. `chat` speaks nothing else. */
const providers = {
  openai: { type: "openai", api_key: "k" },
  chat: { type: "chutes", api_key: "k" },
  anthropic: { type: "anthropic", api_key: "k" },
  gemini: { type: "gemini", api_key: "k" },
} as const;

export type ProviderName = keyof typeof providers;

export interface Chain {
  readonly from: ProviderName;
  readonly fault: string;
  readonly to: ProviderName;
}

/** The virtual model that goes from a faulty target to this one. */
export function chainName({ from, fault, to }: Chain, model: string): string {
  return `${from}-${fault}-then-${to}-${model}`;
}

/** `chains`: each with the model of its healthy target. */
export function sdkGateway(
  models: readonly string[],
  chains: readonly (Chain & { readonly model: string })[],
): Promise<SimulatedGateway> {
  const listed = [...new Set([...models, ...chains.map(({ fault }) => fault)])];
  const virtual = new Map(
    chains.map((chain) => [
      chainName(chain, chain.model),
      [`${chain.from}/${chain.fault}`, `${chain.to}/${chain.model}`],
    ]),
  );
  return simulatedGateway(
    {
      providers: Object.fromEntries(Object.entries(providers).map(([name, block]) => [name, { ...block, listed }])),
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
      virtual_models: [...virtual].map(([source, targets]) => ({ source, strategy: "failover", targets })),
    },
    { BODY_SIZE_LIMIT: "4M" },
  );
}
