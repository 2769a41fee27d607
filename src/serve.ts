// Serves until told to stop: logger, application, the lines at the start, signals.

import { startApplication } from "./application.ts";
import type { Config } from "./config/config.ts";
import { systemClock } from "./core/clock.ts";
import type { ProviderInventory } from "./core/inventory.ts";
import type { Demo } from "./demo.ts";
import { createLogOutput } from "./log-output.ts";
import { createLogger } from "./telemetry/logger.ts";
import { startupSummary } from "./telemetry/startup-summary.ts";
import { version } from "../package.json";

/** A Ctrl-C reaches a process under npm twice within moments. */
const echoMs = 1000;
/** How long the summary waits for the providers' listings before it tells what is known. */
const summaryPatienceMs = 1000;

/** `demoAllowed`: with no provider configured, the built-in one answers. */
export async function serve(loaded: Config, demoAllowed: boolean): Promise<void> {
  const demoNeeded = demoAllowed && loaded.providers.length === 0;
  const demo = demoNeeded ? (await import("./demo.ts")).startDemo(loaded) : undefined;
  const config = withDemo(loaded, demo, demoAllowed);
  const terminal = process.stdout.isTTY === true;
  const format = config.log.format === "auto" ? (terminal ? "text" : "json") : config.log.format;
  const output = createLogOutput({
    direct: terminal,
    clock: systemClock,
    onDropped: (lines) => logger.warn("log lines were dropped: their reader was too slow", { lines }),
  });
  const logger = createLogger({
    format,
    level: config.log.level,
    colour: terminal,
    write: (line) => output.write(line),
    clock: systemClock,
  });

  let application: ReturnType<typeof startApplication>;
  try {
    application = startApplication({ config, env: process.env, clock: systemClock, logger });
  } catch (error) {
    logger.error("the gateway cannot start", { error });
    output.flush();
    process.exit(1);
  }

  const address = `http://${config.server.host.includes(":") ? `[${config.server.host}]` : config.server.host}:${application.port}${config.server.basePath}`;
  logger.info("gateway listening", { version, address, providers: config.providers.map(({ name }) => name) });
  if (demo !== undefined) logger.warn("demo mode: no provider is configured, answers are made up");
  if (config.server.masterKey === undefined && !config.server.masterKeyDisabled) {
    logger.warn("GOMODEL_MASTER_KEY is not set: every request is allowed");
  }
  logger.info("storage configured", { type: "sqlite", path: config.storage.sqlitePath });
  if (terminal) void printSummary(config, application, address, demo !== undefined);

  let stopping: number | undefined;
  const stop = (signal: string): void => {
    const now = systemClock.now();
    if (stopping !== undefined) {
      if (now - stopping < echoMs) return;
      logger.warn("stopped at once", { signal });
      output.flush();
      process.exit(1);
    }
    stopping = now;
    logger.info("shutting down", { signal, grace_ms: config.server.shutdownGraceMs });
    const end = (exitCode: number): never => {
      output.flush();
      process.exit(exitCode);
    };
    application
      .stop()
      .then(() => demo?.simulator.stop())
      .then(
        () => {
          logger.info("stopped");
          end(0);
        },
        (error: unknown) => {
          logger.error("the shutdown failed", { error });
          end(1);
        },
      );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("SIGHUP", () => logger.info("SIGHUP received: reloading is not in this version yet, nothing changes"));
  const onBug = (error: unknown): void => logger.error("unexpected error outside of a request", { error });
  process.on("unhandledRejection", onBug);
  process.on("uncaughtException", onBug);
}

function withDemo(config: Config, demo: Demo | undefined, demoAllowed: boolean): Config {
  // Whoever only tries it out has not decided to open it to the network.
  const narrow = demoAllowed && config.server.hostIsDefault && config.server.masterKey === undefined;
  const server = narrow ? { ...config.server, host: "127.0.0.1" } : config.server;
  if (demo === undefined) return { ...config, server };
  return {
    ...config,
    server,
    providers: [demo.provider],
    virtualModels: config.virtualModels.some(({ source }) => source === demo.virtualModel.source)
      ? config.virtualModels
      : [...config.virtualModels, demo.virtualModel],
  };
}

async function printSummary(
  config: Config,
  application: ReturnType<typeof startApplication>,
  address: string,
  demo: boolean,
): Promise<void> {
  await Promise.race([application.firstListings(), new Promise((resolve) => setTimeout(resolve, summaryPatienceMs))]);
  const facts = {
    version,
    address,
    providers: application.inventory().map((inventory) => ({
      name: inventory.providerName,
      type: inventory.providerType,
      ...stateInWords(inventory),
    })),
    virtualModels: config.virtualModels.map(({ source, strategy, targets, enabled }) => ({
      source,
      strategy,
      targets: targets.map(({ model, provider }) => (provider === undefined ? model : `${provider}/${model}`)),
      enabled,
    })),
    dataPath: config.logging.enabled ? config.storage.sqlitePath : undefined,
    demo,
    masterKeySet: config.server.masterKey !== undefined || config.server.masterKeyDisabled,
  };
  process.stdout.write(startupSummary(facts, true));
}

function stateInWords({ state, models, lastError }: ProviderInventory): { state: string; healthy: boolean } {
  const count = models.length === 1 ? "1 model" : `${models.length} models`;
  switch (state) {
    case "pending":
      return { state: "listing its models", healthy: true };
    case "fresh":
      return { state: count, healthy: true };
    case "configured":
      return { state: `${count} as configured`, healthy: true };
    case "stale":
    case "failed":
      return { state: `cannot be listed: ${lastError ?? "no answer"}`, healthy: false };
  }
}
