import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";

describe("without anything", () => {
  test("every setting has the documented default and no provider exists", () => {
    const { config, problems, configFile } = loaded({ directories: ["/srv/app/data"] });
    expect(problems).toEqual([]);
    expect(configFile).toBeUndefined();
    expect(config).toMatchObject({
      server: {
        port: 8080,
        host: "0.0.0.0",
        hostIsDefault: true,
        basePath: "",
        masterKey: undefined,
        masterKeyDisabled: false,
        bodySizeLimitBytes: 10_485_760,
        streamStallTimeoutMs: 60_000,
        shutdownGraceMs: 10_000,
        requestDeadlineMs: 0,
      },
      log: { level: "info", format: "auto" },
      upstreamLimits: { connectMs: 30_000, responseHeaderMs: 600_000, streamIdleMs: 300_000, totalMs: 600_000 },
      models: {
        configuredProviderModelsMode: "fallback",
        unqualifiedModelIdsAtModelsEndpoint: false,
        keepOnlyAliasesAtModelsEndpoint: false,
      },
      discovery: { refreshIntervalMs: 3_600_000, recheckIntervalMs: 60_000 },
      storage: { sqlitePath: "/srv/app/data/gomodel.db" },
      logging: {
        enabled: true,
        logBodies: true,
        logHeaders: true,
        onlyModelInteractions: true,
        bufferRows: 10_000,
        flushIntervalMs: 250,
        retentionDays: 30,
        maxBodyStorageBytes: 1_073_741_824,
      },
      usage: { enforceReturningUsageData: true },
      metrics: { enabled: false, endpoint: "/metrics" },
      admin: { endpointsEnabled: true },
      providers: [],
      virtualModels: [],
    });
    expect(config.resilience).toMatchObject({
      retry: {
        maxRetries: 3,
        initialBackoffMs: 1000,
        maxBackoffMs: 30_000,
        backoffFactor: 2,
        jitterFactor: 0.1,
        maxRetryAfterMs: 10_000,
      },
      breaker: {
        enabled: true,
        scope: "provider",
        failureThreshold: 5,
        successThreshold: 2,
        timeoutMs: 30_000,
        slowCallThresholdMs: 0,
      },
    });
    expect(config.resilience.retry.retryOnStatuses.source).toEqual(["429", "502", "503", "504", "522", "524"]);
    expect(config.resilience.breaker.failureOnStatuses.source).toEqual(["429", "5xx"]);
    expect(config.failover).toMatchObject({ enabled: true, maxAttempts: 0 });
    expect(config.failover.statuses.source).toEqual(["429", "5xx"]);
    expect(config.failover.phrases).toHaveLength(19);
    expect(config.failover.phrases[3]).toEqual(["model", "unavailable"]);
  });

  test("the configuration cannot be changed", () => {
    const { config } = loaded({ env: { OPENAI_API_KEY: "k" } });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.providers[0]?.resilience.retry)).toBe(true);
  });
});

describe("layers", () => {
  const yaml = "server:\n  port: 1001\nresilience:\n  retry:\n    max_retries: 1\n    max_backoff: 9s\n";

  test.each([
    ["the default without anything", {}, 8080],
    ["the file over the default", { yaml }, 1001],
    [".env over the file", { yaml, dotenv: "PORT=1002" }, 1002],
    ["the environment over .env", { yaml, dotenv: "PORT=1002", env: { PORT: "1003" } }, 1003],
    [".env when the variable is empty", { yaml, dotenv: "PORT=1002", env: { PORT: "" } }, 1002],
    ["the file when both are empty", { yaml, dotenv: "PORT=", env: { PORT: " " } }, 1001],
    ["the default when the file's key is empty", { yaml: "server:\n  port:\n" }, 8080],
    ["the default when the file's text is empty", { yaml: 'server:\n  port: ""\n' }, 8080],
  ])("%s", (_, texts, port) => {
    expect(loaded(texts).config.server.port).toBe(port);
  });

  test("a variable replaces its own field and no other of the block", () => {
    const { retry } = loaded({ yaml, env: { RETRY_MAX_RETRIES: "7" } }).config.resilience;
    expect([retry.maxRetries, retry.maxBackoffMs, retry.initialBackoffMs]).toEqual([7, 9000, 1000]);
  });

  test.each([
    [{ "/srv/app/config/config.yaml": "server: {port: 1}", "/srv/app/config.yaml": "server: {port: 2}" }, undefined, 1],
    [{ "/srv/app/config.yaml": "server: {port: 2}" }, undefined, 2],
    [{ "/srv/app/config.yaml": "server: {port: 2}", "/etc/g.yaml": "server: {port: 3}" }, "/etc/g.yaml", 3],
    [{ "/srv/app/config.yaml": "server: {port: 2}", "/srv/app/my.yaml": "server: {port: 4}" }, "my.yaml", 4],
  ])("files %j with --config %p give port %d", (files, configPath, port) => {
    const texts = configPath === undefined ? { files } : { files, configPath };
    expect(loaded(texts).config.server.port).toBe(port);
  });

  test("a file named with --config must exist", () => {
    expect(problemLines({ configPath: "gone.yaml", yaml: "server: {port: 2}" })).toEqual([
      "error --config: there is no file gone.yaml",
    ]);
  });

  test("a file with the wrong ending is pointed out", () => {
    expect(problemLines({ files: { "/srv/app/config.yml": "server: {port: 2}" } })).toEqual([
      "warning config.yml: is not read; rename it to config.yaml, or name it with --config",
    ]);
  });
});

describe("single settings", () => {
  test.each([
    ["base path", { BASE_PATH: "g//x/./" }, (c: Loaded) => c.server.basePath, "/g/x"],
    ["root base path", { BASE_PATH: "/" }, (c: Loaded) => c.server.basePath, ""],
    ["log level alias", { LOG_LEVEL: "DBG" }, (c: Loaded) => c.log.level, "debug"],
    ["log level alias", { LOG_LEVEL: "warning" }, (c: Loaded) => c.log.level, "warn"],
    ["seconds", { HTTP_TIMEOUT: "45" }, (c: Loaded) => c.upstreamLimits.totalMs, 45_000],
    ["duration for seconds", { HTTP_CONNECT_TIMEOUT: "250ms" }, (c: Loaded) => c.upstreamLimits.connectMs, 250],
    ["interval off", { PROVIDER_RECHECK_INTERVAL: "0" }, (c: Loaded) => c.discovery.recheckIntervalMs, 0],
    ["grace", { SHUTDOWN_GRACE: "1m" }, (c: Loaded) => c.server.shutdownGraceMs, 60_000],
    ["deadline", { REQUEST_DEADLINE: "90s" }, (c: Loaded) => c.server.requestDeadlineMs, 90_000],
    ["switch", { METRICS_ENABLED: "1" }, (c: Loaded) => c.metrics.enabled, true],
    ["switch", { LOGGING_LOG_BODIES: "off" }, (c: Loaded) => c.logging.logBodies, false],
    ["host", { HOST: "127.0.0.1" }, (c: Loaded) => [c.server.host, c.server.hostIsDefault], ["127.0.0.1", false]],
    ["empty list", { RETRY_ON_STATUSES: "[]" }, (c: Loaded) => c.resilience.retry.retryOnStatuses.source, []],
    [
      "list",
      { CIRCUIT_BREAKER_FAILURE_ON_STATUSES: " 429 ,5xx," },
      (c: Loaded) => c.resilience.breaker.failureOnStatuses.source,
      ["429", "5xx"],
    ],
    ["relative database", { SQLITE_PATH: "x/y.db" }, (c: Loaded) => c.storage.sqlitePath, "/srv/app/x/y.db"],
    ["disabled master key", { GOMODEL_MASTER_KEY: "k", MASTER_KEY_DISABLED: "true" }, masterKey, [undefined, true]],
    ["master key", { GOMODEL_MASTER_KEY: "k" }, masterKey, ["k", false]],
  ])("%s %j", (_, env, read, value) => {
    expect(read(loaded({ env }).config)).toEqual(value);
  });

  test.each([
    [["/srv/app/data"], { HOME: "/home/a" }, "/srv/app/data/gomodel.db"],
    [[], { HOME: "/home/a" }, "/home/a/.local/share/gomodel/gomodel.db"],
    [[], { HOME: "/home/a", XDG_DATA_HOME: "/x" }, "/x/gomodel/gomodel.db"],
    [[], {}, "/srv/app/data/gomodel.db"],
  ])("with directories %j and %j the database is %s", (directories, env, path) => {
    expect(loaded({ directories, env }).config.storage.sqlitePath).toBe(path);
  });

  test.each(["/v1/metrics", "/admin", "/health", "/"])("metrics at %s give way to the API", (METRICS_ENDPOINT) => {
    const { config, problems } = loaded({ env: { METRICS_ENDPOINT } });
    expect(config.metrics.endpoint).toBe("/metrics");
    expect(problems).toEqual([
      {
        where: "METRICS_ENDPOINT",
        message: `"${METRICS_ENDPOINT}" belongs to the API; metrics are at /metrics`,
        severity: "warning",
      },
    ]);
  });

  test("an empty failover list keeps its default, a given one replaces it", () => {
    const { failover } = loaded({
      yaml: "failover:\n  retry_on_statuses: []\n  retry_on_errors: [Overloaded Now]\n",
    }).config;
    expect(failover.statuses.source).toEqual(["429", "5xx"]);
    expect(failover.phrases).toEqual([["overloaded", "now"]]);
  });
});

type Loaded = ReturnType<typeof loaded>["config"];

function masterKey({ server }: Loaded): unknown {
  return [server.masterKey, server.masterKeyDisabled];
}
