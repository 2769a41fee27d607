// SIGTERM: readiness goes first, what runs may finish, the rest is told, every row is kept, and the exit code is 0.

import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import {
  cleanEnvironment,
  type GatewayProcess,
  gatewayProgram,
  startGatewayProcess,
} from "../support/gateway-process.ts";
import { modelRequest, openRawConnection, type RawExchange } from "../support/raw-exchange.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

let simulator: Simulator;
let gateway: GatewayProcess | undefined;

beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());
afterEach(async () => {
  await gateway?.dispose();
  gateway = undefined;
  simulator.reset();
});

const models = [
  "ok",
  "slow-first-400",
  "paced-20-30",
  "paced-20-10000",
  "hang-before-answer",
  "hang-in-body",
  "status-503",
];

async function start(grace: string, upstream = simulator.baseUrl): Promise<GatewayProcess> {
  gateway = await startGatewayProcess([], {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: upstream,
    OPENAI_MODELS: models.join(","),
    CONFIGURED_PROVIDER_MODELS_MODE: "allowlist",
    RETRY_INITIAL_BACKOFF: "20s",
    SHUTDOWN_GRACE: grace,
  });
  return gateway;
}

/** The whole answer to a call, read until its connection ends. */
function call(port: number, model: string, stream: boolean): Promise<RawExchange> {
  const client = openRawConnection(port);
  client.send(modelRequest("chat/completions", `openai/${model}`, { stream }));
  return client.receive(() => false, 15_000);
}

interface Row {
  readonly status_code: number;
  readonly resolved_model: string | null;
  readonly stream_error: string | null;
}

function rows({ folder }: GatewayProcess): Row[] {
  const database = new Database(join(folder, "gomodel.db"), { readonly: true });
  const found = database
    .query<Row, []>(
      "select status_code, resolved_model, json_extract(data, '$.stream_error') as stream_error from requests order by resolved_model",
    )
    .all();
  database.close();
  return found;
}

const drainEvent =
  'data: {"error":{"message":"the gateway is shutting down","type":"provider_error","param":null,"code":"stream_incomplete"}}\n\n';

test("calls that end within the grace are answered in full, buffered and streamed", async () => {
  const started = await start("10s");
  const { port, signal, exited } = started;
  const buffered = call(port, "slow-first-400", false);
  const streamed = call(port, "paced-20-30", true);
  await eventually("both calls", () => simulator.calls.length === 2);
  const begun = performance.now();
  signal("SIGTERM");
  expect((await buffered).text).toContain('"total_tokens"');
  const stream = (await streamed).text;
  expect(stream).toContain("data: [DONE]\n\n");
  expect(stream).not.toContain('"error"');
  expect(stream.endsWith("0\r\n\r\n")).toBe(true);
  expect(await exited).toBe(0);
  expect(performance.now() - begun).toBeLessThan(8000);
  expect(rows(started).map((row) => row.status_code)).toEqual([200, 200]);
}, 20_000);

test("the last call's answer of 16 MB arrives whole although its caller reads it late", async () => {
  const content = "x".repeat(16 * 1024 * 1024);
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  const body = JSON.stringify({ id: "1", object: "chat.completion", choices: [choice] });
  const upstream = startRawUpstream({
    request: (connection) =>
      connection.send(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
  });
  const { port, url, signal, exited, lines } = await start("10s", `http://127.0.0.1:${upstream.port}/v1`);
  const client = openRawConnection(port);
  client.send(modelRequest("chat/completions", "openai/ok"));
  await client.receive(({ bytes }) => bytes.length > 0);
  client.pause();
  signal("SIGTERM");
  await eventually("readiness off", async () => (await fetch(`${url}/health/ready`)).status === 503);
  // The provider has given everything long ago; what is left of its answer is in the gateway.
  await Bun.sleep(300);
  expect(lines.some((line) => line["msg"] === "REQUEST")).toBe(false);
  client.resume();
  const { bytes } = await client.receive(() => false, 10_000);
  expect(bytes.subarray(-40).toString()).toBe(`${body}\r\n0\r\n\r\n`.slice(-40));
  expect(await exited).toBe(0);
  expect(lines.find((line) => line["msg"] === "REQUEST")).toMatchObject({ status: 200 });
  upstream.stop();
}, 20_000);

test("readiness goes at once, on old connections and new ones, and new model calls are refused with Connection: close", async () => {
  const { port, url, signal, exited } = await start("10s");
  const old = openRawConnection(port);
  const ask = "GET /health/ready HTTP/1.1\r\nHost: gateway\r\n\r\n";
  old.send(ask);
  expect((await old.receive(({ text }) => text.endsWith("}}"))).text).toContain('"ready"');
  const running = call(port, "slow-first-400", false);
  await eventually("the call", () => simulator.calls.length === 1);
  signal("SIGTERM");
  const ready = await eventually("readiness off", async () => {
    const response = await fetch(`${url}/health/ready`);
    return response.status === 503 && (await response.json());
  });
  expect(ready).toMatchObject({ status: "not_ready" });
  old.send(ask);
  expect((await old.receive(({ text }) => text.endsWith("}}"))).text).toStartWith("HTTP/1.1 503 ");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const refused = await call(port, "ok", false);
  expect(refused.end).toBe("fin");
  expect(refused.text).toStartWith("HTTP/1.1 503 ");
  expect(refused.text.toLowerCase()).toContain("\r\nconnection: close\r\n");
  expect(refused.text).toContain('"code":"shutting_down"');
  expect((await running).text).toContain('"total_tokens"');
  expect(await exited).toBe(0);
  expect(simulator.calls).toHaveLength(1);
}, 20_000);

test("after the grace streams get exactly one error event, other calls a 503, and every row is in the database", async () => {
  const started = await start("500ms");
  const { port, signal, exited } = started;
  const streams = Promise.all(["paced-20-10000", "hang-in-body"].map((model) => call(port, model, true)));
  const waiting = Promise.all([
    call(port, "hang-before-answer", false),
    call(port, "hang-before-answer", true),
    call(port, "status-503", false),
  ]);
  const uploading = openRawConnection(port);
  uploading.send("POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nContent-Length: 100\r\n\r\n{");
  await eventually("five upstream calls", () => simulator.calls.length === 5);
  // What the streams have to say first has reached the gateway when it answers something later.
  await fetch(`http://127.0.0.1:${port}/health`);
  signal("SIGTERM");
  for (const { text, end } of await streams) {
    expect(text).toStartWith("HTTP/1.1 200 ");
    expect(text.split(drainEvent)).toHaveLength(2);
    expect(text).not.toContain("[DONE]");
    expect(text.endsWith(`${drainEvent}\r\n0\r\n\r\n`)).toBe(true);
    expect(end).toBe("fin");
  }
  for (const { text } of [...(await waiting), await uploading.receive(() => false, 10_000)]) {
    expect(text).toStartWith("HTTP/1.1 503 ");
    expect(text).toEndWith(
      '"the gateway is shutting down","type":"provider_error","param":null,"code":"shutting_down"}}',
    );
  }
  expect(await exited).toBe(0);
  const broken = "the gateway is shutting down";
  expect(rows(started)).toEqual([
    { status_code: 503, resolved_model: null, stream_error: null },
    { status_code: 503, resolved_model: "hang-before-answer", stream_error: null },
    { status_code: 503, resolved_model: "hang-before-answer", stream_error: null },
    { status_code: 200, resolved_model: "hang-in-body", stream_error: broken },
    { status_code: 200, resolved_model: "paced-20-10000", stream_error: broken },
    { status_code: 503, resolved_model: "status-503", stream_error: null },
  ]);
  expect(simulator.openSockets).toBe(0);
}, 20_000);

test("200 finished calls are in the database after a SIGTERM that follows at once", async () => {
  const started = await start("10s");
  const body = JSON.stringify({ model: "openai/ok", messages: [] });
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const response = await fetch(`${started.url}/v1/chat/completions`, { method: "POST", body });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  started.signal("SIGTERM");
  expect(statuses).toEqual(Array(200).fill(200));
  expect(await started.exited).toBe(0);
  expect(rows(started)).toHaveLength(200);
}, 20_000);

test("a second Ctrl-C within a second is the echo of the first, a later one ends the process with 1", async () => {
  const { port, signal, exited, lines } = await start("1m");
  const running = call(port, "hang-before-answer", false);
  await eventually("the call", () => simulator.calls.length === 1);
  signal("SIGINT");
  await eventually("the shutdown", () => lines.some((line) => line["msg"] === "shutting down"));
  signal("SIGINT");
  const second = await Promise.race([exited, Bun.sleep(1100).then(() => "still running")]);
  expect(second).toBe("still running");
  signal("SIGINT");
  expect(await exited).toBe(1);
  await running;
}, 20_000);

test("SIGHUP is told and changes nothing", async () => {
  const { url, signal, lines } = await start("1s");
  signal("SIGHUP");
  await eventually("the line", () => lines.some((line) => String(line["msg"]).startsWith("SIGHUP received")));
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("SIGTERM while a provider's listing hangs ends the process with 0 at once", async () => {
  simulator.setListingFault("hang-before-answer");
  gateway = await startGatewayProcess([], { OPENAI_API_KEY: "k", OPENAI_BASE_URL: simulator.baseUrl });
  await eventually("the listing", () => simulator.calls.length === 1);
  const begun = performance.now();
  gateway.signal("SIGTERM");
  expect(await gateway.exited).toBe(0);
  expect(performance.now() - begun).toBeLessThan(3000);
  simulator.setListingFault("ok");
});

test.each([0, 60, 120, 240])(
  "SIGTERM %d ms after the start ends the process, whatever it was doing",
  async (afterMs) => {
    const folder = mkdtempSync(join(tmpdir(), "gomodel-start-"));
    const env = { ...cleanEnvironment(folder), PORT: "0", HOST: "127.0.0.1", SQLITE_PATH: join(folder, "gomodel.db") };
    const child = Bun.spawn([gatewayProgram, "--demo"], { cwd: folder, env, stdout: "ignore", stderr: "ignore" });
    await Bun.sleep(afterMs);
    child.kill("SIGTERM");
    // 143 is the shell's or the runtime's own end, before the gateway listens to signals.
    expect([0, 143]).toContain(await child.exited);
    rmSync(folder, { recursive: true, force: true });
  },
);
