// What the process writes: for people in a terminal, JSON lines elsewhere, and no harm when nobody reads it.

import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { cleanEnvironment, gatewayProgram, startGatewayProcess } from "../support/gateway-process.ts";
import { openRawConnection } from "../support/raw-exchange.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-log-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("in a terminal the start ends in a summary that can be read, and a request is one line for people", async () => {
  const folder = scratch();
  let screen = "";
  const child = Bun.spawn([gatewayProgram, "--demo"], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), PORT: "0", SQLITE_PATH: join(folder, "log.db"), TERM: "xterm" },
    terminal: {
      cols: 120,
      rows: 40,
      data: (_, bytes) => {
        screen += new TextDecoder().decode(bytes);
      },
    },
  });
  cleanUps.push(() => child.kill("SIGKILL"));
  // Colours are for the eye.
  const seen = (): string => screen.replace(/\u001b\[\d+m/g, "").replaceAll("\r\n", "\n");
  const address = await eventually("the summary", () => /\n {2}GoModel \S+ {2}(http:\S+)\n/.exec(seen())?.[1], 15_000);
  await eventually("its end", () => seen().includes("GOMODEL_MASTER_KEY is not set: whoever"));
  for (const line of [
    "  ! DEMO MODE: no provider is configured",
    "  providers\n    + demo           openai, 2 models\n",
    "  virtual models\n    + demo-failover  failover: demo/broken -> demo/chat\n",
    `  data  ${join(folder, "log.db")}\n`,
  ]) {
    expect(seen()).toContain(line);
  }
  await fetch(`${address}/v1/chat/completions`, { method: "POST", body: '{"model":"demo/chat","messages":[]}' });
  await eventually("the request's line", () =>
    / INFO {2}REQUEST method=POST uri=\/v1\/chat\/completions status=200 /.test(seen()),
  );
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
  expect(seen()).toContain("stopped");
}, 30_000);

test("elsewhere every line is JSON, and a request's line names it", async () => {
  const gateway = await startGatewayProcess(["--demo"]);
  cleanUps.push(() => gateway.dispose());
  await fetch(`${gateway.url}/v1/models`, { headers: { "x-request-id": "id-1" } });
  const body = '{"model":"demo/chat","messages":[]}';
  await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body, headers: { "x-request-id": "id-2" } });
  const line = await eventually("the request's line", () => gateway.lines.find(({ msg }) => msg === "REQUEST"));
  expect(line).toMatchObject({
    level: "info",
    method: "POST",
    uri: "/v1/chat/completions",
    status: 200,
    request_id: "id-2",
  });
  expect(
    gateway.lines.every(({ time, level, msg }) => [time, level, msg].every((value) => typeof value === "string")),
  ).toBe(true);
});

/** Every request is logged, and none is kept. */
const settings = { HOST: "127.0.0.1", LOGGING_ENABLED: "false", LOGGING_ONLY_MODEL_INTERACTIONS: "false" };

function healthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    (response) => response.ok,
    () => false,
  );
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  listener.stop(true);
  return listener.port;
}

/** Requests whose log lines are about `kilobytes` long. */
async function requests(port: number, count: number, kilobytes: number): Promise<void> {
  const client = openRawConnection(port);
  const path = `/${"x".repeat(kilobytes * 1024)}`;
  client.send(`GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`.repeat(count));
  await client.receive(({ text }) => text.split("unknown_path").length > count, 15_000);
  client.close();
}

test("a closed standard output costs no request and ends nothing", async () => {
  const folder = scratch();
  const port = freePort();
  const env = { ...cleanEnvironment(folder), ...settings, PORT: String(port) };
  const child = Bun.spawn([gatewayProgram], { cwd: folder, env, stdout: "pipe", stderr: "inherit" });
  cleanUps.push(() => child.kill("SIGKILL"));
  await eventually("the start", () => healthy(port), 15_000);
  await child.stdout.cancel();
  await requests(port, 20, 1);
  expect(await healthy(port)).toBe(true);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}, 30_000);

/** The gateway's output goes to a process that reads nothing until the file `go` is there, then writes it to the file `log`. */
const heldBack = `sh -c 'echo $$ >pid; exec "$0"' "$0" | { while [ ! -e go ]; do sleep 0.05; done; exec cat >log; }`;

test("a reader of the log that stops holds up nothing, and finds whole lines when it goes on", async () => {
  const folder = scratch();
  const port = freePort();
  const env = { ...cleanEnvironment(folder), ...settings, PORT: String(port) };
  const pipeline = Bun.spawn(["sh", "-c", heldBack, gatewayProgram], {
    cwd: folder,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  await eventually("the start", () => healthy(port), 15_000);
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  cleanUps.push(() => pipeline.exitCode ?? process.kill(pid, "SIGKILL"));
  for (let round = 0; round < 20; round++) await requests(port, 50, 8);
  expect(await healthy(port)).toBe(true);
  writeFileSync(join(folder, "go"), "");
  const written = (): string => (existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "");
  await eventually("the dropped lines are told", () => written().includes("log lines were dropped"), 10_000);
  process.kill(pid, "SIGTERM");
  await pipeline.exited;
  const lines = written()
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  const dropped = lines.reduce((sum, line) => sum + Number(line["lines"] ?? 0), 0);
  const told = lines.filter((line) => line["msg"] === "REQUEST" && String(line["uri"]).startsWith("/xxx")).length;
  expect(dropped).toBeGreaterThan(0);
  expect(told + dropped).toBeGreaterThanOrEqual(1000);
  expect(lines.at(-1)?.["msg"]).toBe("stopped");
}, 30_000);
