import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfiguration, routingProblems } from "./configuration.ts";
import { startConfigurationReader } from "./configuration-reader.ts";
import { providerTypes } from "./providers/registry.ts";

const folder = mkdtempSync(join(tmpdir(), "gomodel-configuration-"));
afterAll(() => rmSync(folder, { recursive: true }));

const infos = providerTypes.map(({ info }) => info);

function configurationFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("the thread reads what would be read here, and it is frozen", async () => {
  const configPath = configurationFile(
    "good.yaml",
    `providers:
  east: { type: bedrock-mantle, api_key: key, base_url: eu-west-1, retries: 2, models: [one] }
  maps: { type: vertex, vertex_project: project, vertex_location: global }
virtual_models:
  - { source: smart, strategy: failover, targets: [{ model: one, provider: east }] }
`,
  );
  const here = readConfiguration(configPath, infos);
  const { config, problems } = await startConfigurationReader()({ configPath, providerTypes: infos });
  expect(config?.providers.map(({ baseUrl }) => baseUrl)).toEqual([
    "https://bedrock-mantle.eu-west-1.api.aws",
    "https://aiplatform.googleapis.com",
  ]);
  expect(config).toStrictEqual(here.ok ? here.config : undefined);
  expect(problems).toEqual(here.problems);
  expect(Object.isFrozen(config?.providers[0]?.resilience.retry)).toBe(true);
});

test("everything that is wrong comes from the thread, cycles of virtual models too, and no configuration", async () => {
  const configPath = configurationFile(
    "bad.yaml",
    `server: { port: abc }
virtual_models:
  - { source: a, targets: [{ model: b }] }
  - { source: b, targets: [{ model: a }] }
`,
  );
  const here = readConfiguration(configPath, infos);
  const { config, problems } = await startConfigurationReader()({ configPath, providerTypes: infos });
  expect(config).toBeUndefined();
  const cycles = routingProblems(here.config);
  expect(cycles).not.toEqual([]);
  expect(problems).toEqual([...here.problems, ...cycles]);
});

test("what cannot be read at all rejects with its reason", async () => {
  const missing = startConfigurationReader()({ configPath: undefined, providerTypes: JSON.parse("null") });
  await missing.then(
    () => expect.unreachable(),
    (error: unknown) => expect(String(error)).toContain("null"),
  );
});
