// What `bin/gomodel` does from any directory, and what a first start with `--demo` shows.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, runGomodel, startGatewayProcess } from "../support/gateway-process.ts";

let folder = "";
let gateway: GatewayProcess | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gomodel cli "));
  mkdirSync(join(folder, "config"));
  writeFileSync(
    join(folder, "good.yaml"),
    'server: { base_path: /g, master_key: hidden-master }\nproviders:\n  openai: { api_key: "sk-hidden-key" }\n',
  );
  writeFileSync(
    join(folder, "bad.yaml"),
    [
      "server:",
      "  port: eighty",
      "  body_size_limt: 10M",
      "resilience:",
      "  retry: { max_retries: -1 }",
      "virtual_models:",
      "  - { source: a, targets: [b] }",
      "  - { source: b, targets: [a] }",
      "",
    ].join("\n"),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  await gateway?.dispose();
  gateway = undefined;
});

describe("commands that end", () => {
  test("--version prints the version, --help every option", async () => {
    const [printed, help] = await Promise.all([runGomodel(["--version"], folder), runGomodel(["--help"], folder)]);
    expect(printed).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    expect(help.exitCode).toBe(0);
    for (const option of ["--config FILE", "--check", "--health", "--ready", "--demo", "--version", "--help"]) {
      expect(help.stdout).toContain(option);
    }
  });

  test("an unknown option exits with 2 and names the nearest one", async () => {
    const { exitCode, stdout, stderr } = await runGomodel(["--chekc"], folder);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("unknown option --chekc");
    expect(stderr).toContain("--check");
  });

  test("--check prints the effective configuration with its secrets masked", async () => {
    const { exitCode, stdout, stderr } = await runGomodel(["--check", "--config", "good.yaml"], folder);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("good.yaml");
    expect(stdout).toContain("/g");
    expect(stdout).not.toContain("hidden");
  });

  test("--check tells all problems at once, each with its line, and exits with 1", async () => {
    const { exitCode, stdout, stderr } = await runGomodel(["--check", "--config=bad.yaml"], folder, {
      HTTP_TIMEOUT: "soon",
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/bad\.yaml:2\b.*server\.port.*eighty/);
    expect(stderr).toMatch(/bad\.yaml:3\b.*body_size_limt.*body_size_limit/);
    expect(stderr).toMatch(/bad\.yaml:5\b.*max_retries.*-1/);
    expect(stderr).toMatch(/HTTP_TIMEOUT.*soon/);
  });

  test("a cycle of virtual models and a file that is missing stop the start with 1", async () => {
    writeFileSync(
      join(folder, "cycle.yaml"),
      "virtual_models:\n  - { source: a, targets: [b] }\n  - { source: b, targets: [a] }\n",
    );
    const [cycle, missing] = await Promise.all([
      runGomodel(["--config", "cycle.yaml"], folder),
      runGomodel(["--config", "none.yaml"], folder),
    ]);
    expect(cycle.exitCode).toBe(1);
    expect(cycle.stderr).toContain("a -> b -> a");
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain("none.yaml");
  });

  test("a port that is taken ends the start with 1 and says so", async () => {
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { exitCode, stdout } = await runGomodel([], folder, { PORT: String(taken.port), HOST: "127.0.0.1" });
    taken.stop(true);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("the gateway cannot start");
    expect(stdout).toContain(String(taken.port));
  });
});

test("--health and --ready ask the gateway that the same settings start, base path included", async () => {
  gateway = await startGatewayProcess([], { BASE_PATH: "/g" });
  // A proxy of the machine is for what is far away.
  const env = { PORT: String(gateway.port), BASE_PATH: "/g", HTTP_PROXY: "http://127.0.0.1:9" };
  const [health, ready] = await Promise.all([
    runGomodel(["--health"], folder, env),
    runGomodel(["--ready"], folder, env),
  ]);
  expect(health).toEqual({ exitCode: 0, stdout: "ok\n", stderr: "" });
  expect(ready).toEqual({ exitCode: 0, stdout: "ready\n", stderr: "" });
  gateway.signal("SIGTERM");
  await gateway.exited;
  const gone = await runGomodel(["--health", "--health-timeout", "1s"], folder, env);
  expect([gone.exitCode, gone.stdout]).toEqual([1, ""]);
  expect(gone.stderr).toContain(`:${gateway.port}/g/health`);
});

test("--demo answers the README's first call, and its second one shows a failover", async () => {
  gateway = await startGatewayProcess(["--demo"]);
  const { url, lines } = gateway;
  const ask = (model: string): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
  const first = await ask("demo/chat");
  expect(first.status).toBe(200);
  expect(first.headers.get("x-gomodel-attempts")).toBe("1");
  const second = await ask("demo-failover");
  expect(second.status).toBe(200);
  expect(second.headers.get("x-gomodel-attempts")).toBe("2");
  expect(second.headers.get("x-gomodel-model")).toBe("chat");
  expect(await second.json()).toMatchObject({ object: "chat.completion" });
  for (let call = 0; call < 10; call++)
    expect((await ask("demo-failover")).headers.get("x-gomodel-attempts")).toBe("2");
  expect(lines.filter((line) => line["level"] === "warn").map((line) => line["msg"])).toContain(
    "demo mode: no provider is configured, answers are made up",
  );
});

test("--demo listens on the loopback address unless a host or a key was chosen", async () => {
  const address = async (env: Record<string, string>): Promise<unknown> => {
    const started = await startGatewayProcess(["--demo"], env);
    await started.dispose();
    return started.lines.find((line) => line["msg"] === "gateway listening")?.["address"];
  };
  // An empty variable counts as unset.
  const addresses = await Promise.all([
    address({ HOST: "" }),
    address({ HOST: "", GOMODEL_MASTER_KEY: "k" }),
    address({ HOST: "0.0.0.0" }),
  ]);
  expect(addresses.map((text) => String(text).replace(/:\d+$/, ""))).toEqual([
    "http://127.0.0.1",
    "http://0.0.0.0",
    "http://0.0.0.0",
  ]);
});

test("with a provider configured --demo changes nothing, and without the flag nothing is served", async () => {
  const [configured, empty] = await Promise.all([
    startGatewayProcess(["--demo"], { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }),
    startGatewayProcess([]),
  ]);
  try {
    for (const { url } of [configured, empty]) {
      const models = await (await fetch(`${url}/v1/models`)).json();
      expect(models).toEqual({ object: "list", data: [] });
    }
    expect(configured.lines.some((line) => String(line["msg"]).includes("demo"))).toBe(false);
    const refused = await fetch(`${empty.url}/v1/chat/completions`, {
      method: "POST",
      body: '{"model":"demo/chat","messages":[]}',
    });
    expect(refused.status).toBe(400);
  } finally {
    await configured.dispose();
    await empty.dispose();
  }
});

test("is up in under a second, and answers its first call, from any directory", async () => {
  // Ten times the promise: the machine that runs this may be busy.
  const begun = performance.now();
  gateway = await startGatewayProcess(["--demo"]);
  const { url } = gateway;
  await eventually("readiness", async () => (await fetch(`${url}/health/ready`)).ok);
  const tookMs = performance.now() - begun;
  console.log(`up and ready after ${tookMs.toFixed(0)} ms`);
  expect(tookMs).toBeLessThan(10_000);
});
