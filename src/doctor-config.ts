// The user's configuration made fit to run in front of simulated providers: nothing stored, nobody listed, no secret in it.

import { bundledPrice } from "./catalog/bundled-prices.ts";
import type { Config } from "./config/config.ts";
import { Failure } from "./core/failure.ts";
import type { ProviderConfig } from "./core/provider-config.ts";
import { splitSelector, type Target, targetName } from "./core/target.ts";
import { createPrices } from "./catalog/prices.ts";
import type { Clock } from "./core/clock.ts";
import { createRouter } from "./routing/router.ts";
import { pin, redirectsOf } from "./routing/target-meaning.ts";

/** A name that callers can ask for, and who answers it in which order. */
export interface TestedModel {
  readonly name: string;
  /** Undefined for a concrete model. */
  readonly strategy: string | undefined;
  readonly failover: boolean;
  /** Of the first request. */
  readonly targets: readonly Target[];
  /** Of later ones too, whose turn begins elsewhere. */
  readonly reachable: readonly Target[];
}

export interface IsolatedConfig {
  readonly config: Config;
  /** What had to be assumed, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Base URLs still are the real ones; `withBaseUrls` replaces them. Custom headers are dropped, for they may hold keys and no simulated
 * provider looks at them. `more` are concrete models that somebody asked for.
 */
export function isolated(config: Config, more: readonly Target[]): IsolatedConfig {
  const { models, notes } = neededModels(config, more);
  const isolatedConfig: Config = {
    ...config,
    server: {
      ...config.server,
      port: 0,
      host: "127.0.0.1",
      basePath: "",
      masterKey: undefined,
      masterKeyDisabled: false,
      // The caller is this program, and as slow as the machine is busy.
      streamStallTimeoutMs: 0,
      shutdownGraceMs: 0,
    },
    // Nobody is asked for a list: its connection would be a used one for the first request.
    models: { ...config.models, configuredProviderModelsMode: "allowlist" },
    discovery: { refreshIntervalMs: 0, recheckIntervalMs: 0 },
    logging: { ...config.logging, enabled: false },
    metrics: { ...config.metrics, enabled: false },
    admin: { endpointsEnabled: false },
    providers: config.providers.map((provider) => ({
      ...provider,
      apiKeys: keysOf(provider).map((_, index) => `simulated-key-${index + 1}`),
      proxyUrl: undefined,
      customUpstreamHeaders: [],
      options: withoutCredentials(provider.options ?? {}),
      models: withModels(provider, models.get(provider.name) ?? []),
    })),
  };
  return { config: isolatedConfig, notes };
}

/** They would use the credentials of the machine; with a key they do not. */
const typesWithCredentials: ReadonlySet<string> = new Set(["vertex", "bedrock-mantle"]);

function keysOf({ type, apiKeys }: ProviderConfig): readonly string[] {
  return typesWithCredentials.has(type) && apiKeys.length === 0 ? ["token"] : apiKeys;
}

function withoutCredentials(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([variable]) => !/SERVICE_ACCOUNT|CREDENTIALS|ACCESS_KEY|SESSION_TOKEN/.test(variable),
    ),
  );
}

function withModels({ models }: ProviderConfig, ids: readonly string[]): ProviderConfig["models"] {
  const known = new Set(models.map(({ id }) => id));
  const added = [...new Set(ids)].filter((id) => !known.has(id));
  return [
    ...models,
    ...added.map((id) => ({ id, price: undefined, contextWindow: undefined, supportsPrefill: undefined })),
  ];
}

/** Models by provider that a listing would have brought. Where only configured ones may be served, none is added. */
function neededModels(
  config: Config,
  more: readonly Target[],
): { readonly models: ReadonlyMap<string, readonly string[]>; readonly notes: readonly string[] } {
  const names = new Set(config.providers.map(({ name }) => name));
  const redirects = redirectsOf(config.virtualModels);
  const models = new Map<string, string[]>();
  const notes = new Set<string>();
  const add = ({ providerName, model }: Target): void => {
    const listed = models.get(providerName);
    if (listed === undefined) models.set(providerName, [model]);
    else listed.push(model);
  };
  const mayAdd = config.models.configuredProviderModelsMode !== "allowlist";
  for (const { targets, source } of mayAdd ? redirects.values() : []) {
    for (const { provider, model } of targets) {
      const split = provider === undefined ? splitSelector(model) : pin(provider, model);
      if (split !== undefined && names.has(split.providerName)) add(split);
      else if (!redirects.has(model) || model === source) {
        const server = serverOf(model, config.providers);
        if (server === undefined) continue;
        add({ providerName: server.name, model });
        if (!server.models.some(({ id }) => id === model)) {
          notes.add(`${model} (a target of ${source}) names no provider: taken to be served by ${server.name}`);
        }
      }
    }
  }
  if (mayAdd) for (const target of more) add(target);
  return { models, notes: [...notes] };
}

/** Who lists a bare name, is known for it by the price list, or comes first. */
function serverOf(model: string, providers: readonly ProviderConfig[]): ProviderConfig | undefined {
  return (
    providers.find(({ models }) => models.some(({ id }) => id === model)) ??
    providers.find(({ type }) => bundledPrice(type, model, 0).price !== undefined) ??
    providers[0]
  );
}

/** The same with each provider at another origin; paths stay, for some types read them. */
export function withOrigins(config: Config, originOf: (providerName: string) => string): Config {
  return {
    ...config,
    providers: config.providers.map((provider) => ({
      ...provider,
      baseUrl: `${originOf(provider.name)}${new URL(provider.baseUrl).pathname.replace(/\/+$/, "")}`,
    })),
  };
}

/** What there is to test: every virtual model that is on, or else every model that a provider is configured with. */
export function testableNames({ virtualModels, providers }: Config): string[] {
  const sources = [...redirectsOf(virtualModels).keys()];
  if (sources.length > 0) return sources;
  return providers.flatMap(({ name, models }) => models.map(({ id }) => `${name}/${id}`));
}

/** Requests whose targets are looked at: rotations without failover name one at a time. */
const lookedAhead = 100;

/** The route of each name in an instance that has just started; a sentence where there is none. */
export async function testedModels(
  config: Config,
  names: readonly string[],
  clock: Clock,
): Promise<readonly (TestedModel | string)[]> {
  const prices = createPrices({ providers: config.providers, lookUp: bundledPrice, clock });
  const inventory = {
    version: 1,
    providers: config.providers.map(({ name, type, models }) => ({
      providerName: name,
      providerType: type,
      models: models.map(({ id }) => ({ id, created: undefined, ownedBy: undefined })),
      state: "configured" as const,
      lastFetchAt: undefined,
      lastSuccessAt: undefined,
      lastError: undefined,
    })),
  };
  const redirects = redirectsOf(config.virtualModels);
  return Promise.all(
    names.map(async (name) => {
      // A router of its own for each: rotations begin where they begin in every instance.
      const router = createRouter({
        virtualModels: config.virtualModels,
        providers: config.providers,
        inventory: () => inventory,
        onInventoryChange: () => () => {},
        recheck: async () => {},
        priceOf: (target) => prices.priceOf(target),
        clock,
      });
      const route = await router.resolve(name, undefined);
      if (route instanceof Failure) return `${name} cannot be served by any configured provider: ${route.message}`;
      const reachable = new Map(route.targets.map((target) => [targetName(target), target]));
      for (let request = 1; request < lookedAhead; request++) {
        const later = await router.resolve(name, undefined);
        if (later instanceof Failure) continue;
        for (const target of later.targets) reachable.set(targetName(target), target);
      }
      return {
        name,
        strategy: redirects.get(name)?.strategy,
        failover: route.failover,
        targets: route.targets,
        reachable: [...reachable.values()],
      };
    }),
  );
}
