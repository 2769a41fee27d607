// Builds every object of a running gateway and wires them; nothing else knows them all.

import { createAdminRoutes } from "./admin/admin-routes.ts";
import { AfterRequests, type EndedRequest } from "./after-requests.ts";
import { createDiscovery } from "./catalog/discovery.ts";
import { bundledPrice } from "./catalog/bundled-prices.ts";
import { createModelList } from "./catalog/model-list.ts";
import { createMetadata } from "./catalog/model-metadata.ts";
import { createPrices } from "./catalog/prices.ts";
import { createRequestHealth } from "./catalog/request-health.ts";
import type { Config } from "./config/config.ts";
import { addCost } from "./core/add-usage.ts";
import type { Clock } from "./core/clock.ts";
import type { ProviderInventory } from "./core/inventory.ts";
import type { ProviderConfig } from "./core/provider-config.ts";
import type { Observer, RequestRecord } from "./core/record.ts";
import type { Target } from "./core/target.ts";
import type { Cost } from "./core/usage.ts";
import { createGateway } from "./gateway/gateway.ts";
import { createAuthenticator } from "./http/auth.ts";
import { createRoutes } from "./http/routes.ts";
import { type Server, startServer } from "./http/server.ts";
import { createProvider, type ListingProvider } from "./providers/create-provider.ts";
import { providerTypes } from "./providers/registry.ts";
import { createClients } from "./provider-clients.ts";
import { statusInputs } from "./provider-status-inputs.ts";
import { createBreakers } from "./resilience/breakers.ts";
import { createRouter } from "./routing/router.ts";
import { createRequestLog } from "./store/request-log.ts";
import { createKnownModels } from "./known-models.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { logRequest } from "./telemetry/request-line.ts";

/** What the request log may hold back in memory while the database does not take it. */
const logBufferBytes = 64 * 1024 * 1024;
const logFlushRows = 250;
/** Bytes of a body that are kept for the log; one more shows that there was more. */
const keptBodyBytes = 1_048_576 + 1;

export interface Application {
  readonly port: number;
  /** As it is now, in the order of the configuration. */
  inventory(): readonly ProviderInventory[];
  /** Resolves when every provider has been listed once, well or badly. */
  firstListings(): Promise<void>;
  /** Model calls that have not ended. */
  readonly inFlight: number;
  /** Sockets to providers. */
  readonly upstreamSockets: number;
  /** Readiness off, drain, rows flushed, everything closed. */
  stop(): Promise<void>;
}

export interface ApplicationOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Serves at once; listings come in later. Throws when the port or a provider's address cannot be used. */
export function startApplication({ config, env, clock, logger }: ApplicationOptions): Application {
  const clients = createClients(env, clock);
  const providers = config.providers.map((provider) =>
    createProvider(provider, typeOf(provider), {
      http: clients.of(provider),
      askStreamUsage: config.usage.enforceReturningUsageData,
      clock,
      debug: (message, fields) => logger.debug(message, fields),
    }),
  );
  const breakers = createBreakers({
    providers: config.providers.map(({ name, resilience }) => ({ name, policy: resilience.breaker })),
    clock,
    onTransition({ providerName, model, from, to }) {
      const fields = { provider: providerName, ...(model === undefined ? {} : { model }), from };
      if (to === "open") logger.warn("circuit breaker opened", fields);
      else logger.info(to === "closed" ? "circuit breaker closed" : "circuit breaker is probing", fields);
    },
  });
  const discovery = createDiscovery({
    providers: config.providers.map(({ name, type, models }, index) => ({
      name,
      type,
      configuredModels: models,
      list: (cancellation) => listingOf(providers, index).listModels(cancellation),
    })),
    mode: config.models.configuredProviderModelsMode,
    refreshIntervalMs: config.discovery.refreshIntervalMs,
    recheckIntervalMs: config.discovery.recheckIntervalMs,
    clock,
    log: (level, message, fields) => logger[level](message, fields),
  });
  const prices = createPrices({ providers: config.providers, lookUp: bundledPrice, clock });
  /** Of everything that was answered, the beginnings of broken streams too. */
  const costOf = ({ facts, answeredBy, brokenParts }: RequestRecord): Cost | undefined => {
    let cost: Cost | undefined;
    if (facts?.usage !== undefined && answeredBy !== undefined) cost = prices.costOf(facts.usage, answeredBy);
    for (const part of brokenParts) {
      if (part.facts.usage === undefined) continue;
      const more = prices.costOf(part.facts.usage, part.target);
      cost = cost === undefined ? more : addCost(more, cost);
    }
    return cost;
  };
  const router = createRouter({
    virtualModels: config.virtualModels,
    providers: config.providers,
    inventory: () => discovery.snapshot(),
    onInventoryChange: (listener) => discovery.onChange(listener),
    recheck: (providerName) => discovery.recheck(providerName),
    priceOf: (target) => prices.priceOf(target),
    clock,
  });
  const health = createRequestHealth(clock);
  const types = new Map(config.providers.map(({ name, type }) => [name, type]));
  const requestLog = createRequestLog({
    path: config.storage.sqlitePath,
    settings: { ...config.logging, bufferBytes: logBufferBytes, flushRows: logFlushRows },
    clock,
    log: (level, message, fields) => logger[level](message, fields),
    providerTypeOf: (name) => types.get(name),
  });
  const metrics = config.metrics.enabled
    ? createMetrics({
        isKnownModel: createKnownModels(() => discovery.snapshot()),
        breakerStates: () =>
          breakers.views().map(({ providerName, state }) => ({ provider: providerName, state: gaugeOf[state] })),
        logQueueRows: () => requestLog.queuedRows,
        logRowsDropped: () => requestLog.droppedRows,
      })
    : undefined;
  logger.info(
    metrics === undefined ? "prometheus metrics disabled" : "prometheus metrics enabled",
    metrics === undefined ? {} : { endpoint: config.metrics.endpoint },
  );
  const observer: Observer = {
    turnStart: (target, operation, stream) => metrics?.turnStart(target, operation, stream),
    turnEnd(turn, operation, stream) {
      metrics?.turnEnd(turn, operation, stream);
      health.turnEnd(turn);
      const reason = turn.failure?.emptyReason;
      if (reason !== undefined) warnEmpty(logger, turn.target, reason);
    },
  };
  const { logBodies, logHeaders, onlyModelInteractions } = config.logging;
  const finish = ({ record, wire }: EndedRequest): void => {
    record.cost = costOf(record);
    metrics?.requestEnd(record);
    requestLog.record(record);
    warnOfAnswers(logger, record);
    if (!onlyModelInteractions || record.modelRoute) logRequest(logger, record, wire);
  };
  const onBug = (error: unknown, requestId: string): void =>
    logger.error("unexpected error", { request_id: requestId, error });
  const afterRequests = new AfterRequests(clock, finish, onBug);
  const gateway = createGateway({
    admission: breakers,
    clock,
    random: Math.random,
    observer,
    router,
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    failover: config.failover,
    earlyCommitAfterMs: config.server.earlyCommitAfterMs,
  });
  let draining = false;
  const routes = createRoutes({
    models: createModelList({
      inventory: () => discovery.snapshot(),
      virtualModels: config.virtualModels,
      isOff: (target) => router.isOff(target),
      firstTarget: (source) => router.firstTarget(source),
      metadataOf: createMetadata({ providers: config.providers, priceOf: (target) => prices.priceOf(target) }),
      createdFallback: Math.floor(clock.wallNow() / 1000),
      unqualified: config.models.unqualifiedModelIdsAtModelsEndpoint,
      onlyAliases: config.models.keepOnlyAliasesAtModelsEndpoint,
    }),
    modelCalls: {
      gateway,
      bodySizeLimitBytes: config.server.bodySizeLimitBytes,
      requestDeadlineMs: config.server.requestDeadlineMs,
      adviseNoRetry: config.server.adviseNoRetry,
      streamStallTimeoutMs: config.server.streamStallTimeoutMs,
      keepBodyBytes: requestLog.enabled && logBodies ? keptBodyBytes : 0,
      onBug,
    },
    admin: config.admin.endpointsEnabled
      ? createAdminRoutes({
          requestLog,
          wallNow: () => clock.wallNow(),
          resetBreaker(name) {
            breakers.reset(name);
            return types.has(name);
          },
          providers: () => statusInputs(config.providers, discovery.snapshot().providers, breakers, health, clock),
        })
      : [],
    adminNeedsKey: config.server.masterKey !== undefined || config.server.masterKeyDisabled,
    metrics:
      metrics === undefined
        ? undefined
        : {
            path: config.metrics.endpoint,
            render() {
              afterRequests.finishAll();
              return metrics.render();
            },
          },
    readiness() {
      const storage = requestLog.ready();
      const status = draining ? "not_ready" : storage === "ok" ? "ready" : "degraded";
      return { status, components: { storage, cache: "ok" } };
    },
  });
  const server: Server = startServer({
    hostname: config.server.host,
    port: config.server.port,
    basePath: config.server.basePath,
    routes,
    authenticate: createAuthenticator({
      masterKey: config.server.masterKey,
      keyRequired: config.server.masterKeyDisabled,
    }),
    clock,
    keepHeaders: requestLog.enabled && logHeaders,
    onEnd({ record, request, bytesIn, bytesOut }) {
      const host = request.headers.get("host") ?? "";
      afterRequests.add({ record, wire: { uri: request.target, host, bytesIn, bytesOut } });
    },
    onBug,
  });
  discovery.start();

  return {
    port: server.port,
    inventory: () => discovery.snapshot().providers,
    firstListings: () => discovery.pending(),
    get inFlight() {
      return server.inFlight;
    },
    get upstreamSockets() {
      return clients.openSockets();
    },
    async stop() {
      draining = true;
      discovery.stop();
      await server.drain(config.server.shutdownGraceMs);
      clients.close();
      afterRequests.finishAll();
      await requestLog.close();
    },
  };
}

const gaugeOf = { closed: 0, "half-open": 1, open: 2 } as const;

/** Of the answer, and of those that another target was to go on with. */
function warnOfAnswers(logger: Logger, { answeredBy, facts, brokenParts, requestId }: RequestRecord): void {
  for (const { target, facts: part } of brokenParts) {
    if (part.skippedEvents !== undefined) warnSkipped(logger, target, part.skippedEvents, requestId);
  }
  if (answeredBy === undefined || facts === undefined) return;
  if (facts.emptyReason !== undefined) warnEmpty(logger, answeredBy, facts.emptyReason);
  if (facts.skippedEvents !== undefined) warnSkipped(logger, answeredBy, facts.skippedEvents, requestId);
}

function warnEmpty(logger: Logger, target: Target, reason: string): void {
  logger.warn("empty response", { provider: target.providerName, model: target.model, reason });
}

function warnSkipped(logger: Logger, target: Target, events: number, requestId: string): void {
  const fields = { provider: target.providerName, model: target.model, events, request_id: requestId };
  logger.warn("malformed stream events left out", fields);
}

function typeOf(provider: ProviderConfig) {
  const type = providerTypes.find(({ info }) => info.type === provider.type);
  if (type === undefined) throw new Error(`provider ${provider.name} has the unknown type ${provider.type}`);
  return type;
}

function listingOf(providers: readonly ListingProvider[], index: number): ListingProvider {
  const provider = providers[index];
  if (provider === undefined) throw new Error("every configured provider has been created");
  return provider;
}
