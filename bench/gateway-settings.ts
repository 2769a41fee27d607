// How the gateway is configured while it is measured: as shipped, save for what a scenario is about.

import type { BenchDialect } from "./dialect.ts";
import { requestedModel } from "./requests.ts";

export interface GatewayVariant {
  /** What its providers speak. Default: chat completions. */
  readonly provider?: BenchDialect;
  /** Which answer of `upstream.ts` the two targets of the virtual model get. */
  readonly targets: readonly [first: string, second: string];
  /** everything: request log, metrics and usage are on. bodies: with the bodies. nothing: all of it is off, and so are the log lines of requests. */
  readonly records: "everything" | "bodies" | "nothing";
}

export const masterKey = "sk-bench-0123456789abcdef";

const environments: Readonly<Record<GatewayVariant["records"], Readonly<Record<string, string>>>> = {
  everything: { LOGGING_LOG_BODIES: "false", METRICS_ENABLED: "true" },
  bodies: { METRICS_ENABLED: "true" },
  nothing: { LOGGING_ENABLED: "false", ENFORCE_RETURNING_USAGE_DATA: "false", LOG_LEVEL: "warn" },
};

export function gatewayEnvironment(
  variant: GatewayVariant,
  port: number,
  folder: string,
): Readonly<Record<string, string>> {
  return {
    HOST: "127.0.0.1",
    PORT: String(port),
    SQLITE_PATH: `${folder}/gomodel.db`,
    GOMODEL_MASTER_KEY: masterKey,
    ...environments[variant.records],
  };
}

/** Models that have a price: cost is computed for each request. */
const models = { openai: "gpt-4o-mini", anthropic: "claude-haiku-4-5" } as const;

export function gatewayYaml({ targets, provider }: GatewayVariant, upstreamPort: number): string {
  const names = ["first", "second"] as const;
  const type = provider === "messages" ? "anthropic" : "openai";
  const providers = names.map((name, index) => [
    name,
    {
      type,
      api_key: "sk-upstream-0123456789abcdef",
      base_url: `http://127.0.0.1:${upstreamPort}/${targets[index]}/v1`,
      // A first target that always fails would be left alone after five requests.
      ...(targets[index] === "broken" ? { resilience: { circuit_breaker: { enabled: false } } } : {}),
    },
  ]);
  const virtualModel = {
    source: requestedModel,
    strategy: "failover",
    targets: names.map((name) => ({ model: models[type], provider: name })),
  };
  // JSON is YAML.
  return JSON.stringify({ providers: Object.fromEntries(providers), virtual_models: [virtualModel] }, undefined, 2);
}
