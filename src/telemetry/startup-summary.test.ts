import { expect, test } from "bun:test";
import { type StartupFacts, startupSummary } from "./startup-summary.ts";

const facts: StartupFacts = {
  version: "0.1.0",
  address: "http://0.0.0.0:8080",
  providers: [
    { name: "openai", type: "openai", state: "12 models", healthy: true },
    { name: "local", type: "vllm", state: "cannot be reached: connection refused", healthy: false },
  ],
  virtualModels: [
    { source: "smart", strategy: "failover", targets: ["openai/gpt-5", "local/qwen"], enabled: true },
    { source: "old-name", strategy: "round_robin", targets: [], enabled: false },
  ],
  dataPath: "data/gomodel.db",
  demo: false,
  masterKeySet: true,
};

test("the summary says where the gateway listens, what it serves and where it keeps things", () => {
  expect(startupSummary(facts, false)).toBe(`
  GoModel 0.1.0  http://0.0.0.0:8080

  providers
    + openai    12 models
    - local     vllm, cannot be reached: connection refused
  virtual models
    + smart     failover: openai/gpt-5 -> local/qwen
    - old-name  off, no targets
  data  data/gomodel.db

`);
});

test("demo mode, a missing master key and missing providers are warned of", () => {
  const summary = startupSummary(
    { ...facts, providers: [], virtualModels: [], dataPath: undefined, demo: true, masterKeySet: false },
    false,
  );
  expect(summary).toContain("! DEMO MODE: no provider is configured");
  expect(summary).toContain("! none: every model request will be refused");
  expect(summary).toContain("! GOMODEL_MASTER_KEY is not set");
  expect(summary).toContain("data  nothing is kept");
  expect(summary).not.toContain("virtual models");
});

test("colours are used only when asked for", () => {
  expect(startupSummary(facts, false)).not.toContain("\u001b");
  expect(startupSummary(facts, true)).toContain("\u001b[36mhttp://0.0.0.0:8080\u001b[0m");
});
