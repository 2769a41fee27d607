import { describe, expect, test } from "bun:test";
import { FakeClock } from "../test/support/fake-clock.ts";
import { loaded } from "../test/support/load-config.ts";
import type { Config } from "./config/config.ts";
import { isolated, testableNames, testedModels, withOrigins } from "./doctor-config.ts";

const providers = `
server: { master_key: hidden-master, base_path: /g }
providers:
  openai:
    type: openai
    api_keys: [hidden-1, hidden-2]
    proxy_url: http://user:hidden-3@proxy:3128
    custom_upstream_headers: { X-Token: hidden-4 }
    models: [listed]
  azure: { type: azure, api_key: hidden-5, base_url: "https://real.example/openai/deployments/d" }
`;
const configOf = (yaml: string) => loaded({ yaml: `${providers}${yaml}` }).config;
const routesOf = async (yaml: string, names?: readonly string[]) => {
  const { config } = isolated(configOf(yaml), []);
  const routes = await testedModels(config, names ?? testableNames(config), new FakeClock());
  return routes.map((route) =>
    typeof route === "string"
      ? route
      : `${route.name}: ${route.targets.map((t) => `${t.providerName}/${t.model}`).join(", ")}`,
  );
};

describe("the isolated configuration", () => {
  const { config } = isolated(configOf("virtual_models: [{ source: v, targets: [azure/x] }]"), []);

  test("holds no key, header or proxy of the real one, but as many keys", () => {
    expect(JSON.stringify(config)).not.toContain("hidden");
    expect(config.providers.map(({ apiKeys }) => apiKeys.length)).toEqual([2, 1]);
  });

  test("has a key in the place of credentials that would buy a token", () => {
    const vertex = { type: "vertex", defaultBaseUrl: "https://v.example", apiKey: "optional" } as const;
    const option = { variable: "VERTEX_SERVICE_ACCOUNT_JSON", meaning: "", values: undefined, default: "" };
    const types = [{ ...vertex, enabledByBaseUrl: false, embeddings: false, options: [option] }];
    const env = { VERTEX_SERVICE_ACCOUNT_JSON: "hidden" };
    const real = loaded({ yaml: "providers: {vertex: }", env, types }).config;
    expect(isolated(real, []).config.providers).toMatchObject([{ apiKeys: ["simulated-key-1"], options: {} }]);
    expect(JSON.stringify(isolated(real, []).config)).not.toContain("hidden");
  });

  test("has a key in the place of signatures of AWS", () => {
    const mantle = { type: "bedrock-mantle", defaultBaseUrl: "https://b.example", apiKey: "unless-base-url" } as const;
    const variables = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
    const options = variables.map((variable) => ({ variable, meaning: "", values: undefined, default: "" }));
    const types = [{ ...mantle, enabledByBaseUrl: true, embeddings: false, options }];
    const env = Object.fromEntries(variables.map((variable) => [variable, "hidden"]));
    const yaml = "providers: {bedrock-mantle: {base_url: https://b.example}}";
    const real = loaded({ yaml, env, types }).config;
    expect(isolated(real, []).config.providers).toMatchObject([{ apiKeys: ["simulated-key-1"], options: {} }]);
    expect(JSON.stringify(isolated(real, []).config)).not.toContain("hidden");
  });

  test("stores nothing, lists nothing and listens on the loopback address", () => {
    expect(config).toMatchObject({
      server: { host: "127.0.0.1", port: 0, basePath: "", masterKey: undefined },
      logging: { enabled: false },
      metrics: { enabled: false },
      discovery: { refreshIntervalMs: 0, recheckIntervalMs: 0 },
      models: { configuredProviderModelsMode: "allowlist" },
    });
  });

  test("keeps every setting that decides about failures", () => {
    const real = configOf("");
    const deciding = ({ resilience, failover, upstreamLimits, server, providers: all }: Config) =>
      // Without the functions, which are other ones every time.
      JSON.stringify([
        resilience,
        failover,
        upstreamLimits,
        server.requestDeadlineMs,
        all.map((one) => one.resilience),
      ]);
    expect(deciding(config)).toBe(deciding(real));
  });

  test("keeps the paths of base URLs when the origins are replaced", () => {
    const replaced = withOrigins(config, (name) => `http://127.0.0.1:1${name.length}`);
    expect(replaced.providers.map(({ baseUrl }) => baseUrl)).toEqual([
      "http://127.0.0.1:16/v1",
      "http://127.0.0.1:15/openai/deployments/d",
    ]);
  });
});

describe("what is tested", () => {
  test("every virtual model that is on, with targets that no listing has named", async () => {
    const yaml = `
virtual_models:
  - { source: smart, strategy: failover, targets: [openai/gpt-4o, { model: gpt-4o, provider: azure }] }
  - { source: outer, strategy: failover, targets: [smart, openai/last] }
  - { source: "off", enabled: false, targets: [openai/gpt-4o] }
`;
    expect(await routesOf(yaml)).toEqual([
      "smart: openai/gpt-4o, azure/gpt-4o",
      "outer: openai/gpt-4o, azure/gpt-4o, openai/last",
    ]);
  });

  test("without virtual models every model that a provider is configured with", async () => {
    expect(await routesOf("")).toEqual(["openai/listed: openai/listed"]);
  });

  test("a bare target goes to the provider that is known for it, and that is said", async () => {
    const yaml = "virtual_models: [{ source: v, targets: [gpt-4o, listed] }]";
    expect(await routesOf(yaml)).toEqual(["v: openai/gpt-4o, openai/listed"]);
    expect(isolated(configOf(yaml), []).notes).toEqual([
      "gpt-4o (a target of v) names no provider: taken to be served by openai",
    ]);
  });

  test("where only configured models may be served, no other one is", async () => {
    const yaml = `
models: { configured_provider_models_mode: allowlist }
virtual_models: [{ source: v, strategy: failover, targets: [openai/other, openai/listed] }, { source: w, targets: [openai/other] }]
`;
    expect(await routesOf(yaml)).toEqual([
      "v: openai/listed",
      "w cannot be served by any configured provider: unsupported model: w",
    ]);
  });

  test("in a rotation without failover the targets of later requests are known too", async () => {
    const { config } = isolated(
      configOf("virtual_models: [{ source: v, failover: false, targets: [openai/a, openai/b] }]"),
      [],
    );
    const [route] = await testedModels(config, ["v"], new FakeClock());
    expect(route).toMatchObject({
      failover: false,
      reachable: [
        { providerName: "openai", model: "a" },
        { providerName: "openai", model: "b" },
      ],
    });
  });
});
