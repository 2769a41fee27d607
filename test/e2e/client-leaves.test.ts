// A client that leaves, in whatever phase, takes its upstream call with it and says nothing about the provider.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ProviderStatusReport } from "../../src/admin/contract.ts";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type BlackHole, startBlackHole } from "../support/black-hole.ts";
import { eventually } from "../support/eventually.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { modelRequest, openRawConnection, type RawConnection } from "../support/raw-exchange.ts";
import { type RawUpstream, startRawUpstream } from "../support/raw-upstream.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

/** How long an upstream socket may outlive its caller on a busy machine; the promise is 100 ms. */
const limitMs = 1000;

const models = [
  "hang-before-answer",
  "hang-in-headers",
  "hang-after-headers",
  "hang-in-body",
  "heartbeats",
  "heartbeats-after-finish",
  "status-501",
  "status-503",
  "second.ok",
  "second.hang-before-answer",
  "ok",
  "burst-50",
  "paced-1-40",
  "paced-5-10000",
  "slow-first-30",
  "slow-body-20",
  "trickle",
];

let simulator: Simulator;
let silent: RawUpstream;
let hole: BlackHole;
let gateway: RunningGateway;
const measured: number[] = [];

beforeAll(async () => {
  simulator = startSimulator();
  silent = startRawUpstream({});
  hole = await startBlackHole();
  // One failure opens a circuit, so a verdict that should not have been given is seen.
  gateway = await startGateway(`
resilience:
  retry: { max_retries: 3, initial_backoff: 20s }
  circuit_breaker: { failure_threshold: 1, timeout: 1h, failure_on_statuses: [500] }
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [${models.join(", ")}] }
  silent: { type: openai, base_url: "https://127.0.0.1:${silent.port}/v1", api_key: k, models: [any] }
  hole: { type: openai, base_url: "http://127.0.0.1:${hole.port}/v1", api_key: k, models: [any] }
models: { configured_provider_models_mode: allowlist }
virtual_models:
  - { source: hang-then-ok, strategy: failover, targets: [sim/hang-before-answer, sim/second.ok] }
  - { source: refused-then-hang, strategy: failover, targets: [sim/status-501, sim/second.hang-before-answer] }
logging: { flush_interval: 10ms }
`);
}, 20_000);

afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
  silent.stop();
  hole.stop();
  measured.sort((left, right) => left - right);
  const [median, worst] = [measured[measured.length >> 1], measured.at(-1)].map((ms) => ms?.toFixed(1));
  console.log(
    `upstream closed after its caller left: ${measured.length} times, median ${median} ms, worst ${worst} ms`,
  );
});

afterEach(async () => {
  expect(await circuits()).toEqual(["closed", "closed", "closed"]);
  expect(gateway.application.inFlight).toBe(0);
  expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
});

async function circuits(): Promise<(string | undefined)[]> {
  const response = await fetch(`${gateway.url}/admin/providers/status`);
  const { providers } = (await response.json()) as ProviderStatusReport;
  return providers.map((provider) => provider.circuit_breaker?.state);
}

interface Phase {
  readonly name: string;
  readonly model: string;
  readonly mode: "buffered" | "stream" | "both";
  /** Calls that the upstream has got when the phase is reached, and ever gets. */
  readonly calls: number;
  /** What the client must have read when it leaves. */
  readonly read?: RegExp;
  /** The last call was answered before the client left; its connection stays for others. */
  readonly answered?: true;
}

const phases: readonly Phase[] = [
  { name: "waiting for headers", model: "sim/hang-before-answer", mode: "both", calls: 1 },
  { name: "inside the headers", model: "sim/hang-in-headers", mode: "both", calls: 1 },
  { name: "waiting for the first event or the body", model: "sim/hang-after-headers", mode: "both", calls: 1 },
  { name: "while heartbeats come and no event", model: "sim/heartbeats", mode: "stream", calls: 1 },
  { name: "inside the body", model: "sim/hang-in-body", mode: "buffered", calls: 1 },
  { name: "backing off", model: "sim/status-503", mode: "buffered", calls: 1, answered: true },
  { name: "before a failover", model: "hang-then-ok", mode: "both", calls: 1 },
  { name: "in the second target's turn", model: "refused-then-hang", mode: "both", calls: 2 },
  { name: "relaying", model: "sim/paced-5-10000", mode: "stream", calls: 1, read: /(data: .*\n\n[^]*){5}/ },
  { name: "relaying a stream that fell silent", model: "sim/hang-in-body", mode: "stream", calls: 1, read: /data: / },
  {
    name: "after the finish reason, before the end",
    model: "sim/heartbeats-after-finish",
    mode: "stream",
    calls: 1,
    read: /"finish_reason":"stop"/,
  },
];

describe.each(phases)("$name", (phase) => {
  const modes = phase.mode === "both" ? (["buffered", "stream"] as const) : [phase.mode];
  test.each(modes.flatMap((mode) => [[mode, "FIN"] as const, [mode, "RST"] as const]))(
    "%s, by %s: the upstream call ends, no other is made, the row says 499",
    async (mode, how) => {
      simulator.reset();
      const id = crypto.randomUUID();
      const client = openRawConnection(gateway.port);
      client.send(
        modelRequest("chat/completions", phase.model, { stream: mode === "stream" }, [`x-request-id: ${id}`]),
      );
      if (phase.read === undefined) {
        await eventually("the upstream call", () => simulator.calls.length === phase.calls);
        // The last call's answer, as far as there is one, has arrived when an exchange through the same loop has.
        await fetch(`${gateway.url}/health`);
      } else {
        const { read } = phase;
        await client.receive(({ text }) => read.test(text));
      }
      const leftAt = leave(client, how);
      const call = simulator.calls[phase.calls - 1];
      if (phase.answered === undefined) {
        await simulator.waitForClosed(phase.calls - 1, limitMs);
        measured.push((call?.closedByPeerAt ?? Infinity) - leftAt);
      }
      const rows = await loggedRows(gateway.url, id);
      expect(rows.map((row) => [row.status_code, row.stream])).toEqual([[499, mode === "stream"]]);
      expect(rows[0]?.data.attempts.at(-1)?.outcome).toBe(phase.answered ? "failed" : "cancelled");
      expect(simulator.calls).toHaveLength(phase.calls);
    },
  );
});

function leave(client: RawConnection, how: "FIN" | "RST"): number {
  if (how === "FIN") client.close();
  else client.reset();
  return performance.now();
}

describe("connecting", () => {
  test.each(["FIN", "RST"] as const)("to a server that never shakes hands, by %s", async (how) => {
    const before = silent.connections.length;
    const id = crypto.randomUUID();
    const client = openRawConnection(gateway.port);
    client.send(modelRequest("chat/completions", "silent/any", {}, [`x-request-id: ${id}`]));
    const connection = await eventually("the connection", () => silent.connections[before]);
    const leftAt = leave(client, how);
    await connection.closed;
    measured.push(performance.now() - leftAt);
    expect(performance.now() - leftAt).toBeLessThan(limitMs);
    const rows = await loggedRows(gateway.url, id);
    expect(rows.map((row) => row.status_code)).toEqual([499]);
    expect(silent.connections).toHaveLength(before + 1);
  });
});

test("connecting to a port where nothing answers: the socket is given up and the row says 499", async () => {
  const others = gateway.application.upstreamSockets;
  const id = crypto.randomUUID();
  const client = openRawConnection(gateway.port);
  client.send(modelRequest("chat/completions", "hole/any", {}, [`x-request-id: ${id}`]));
  await eventually("the connection", () => gateway.application.upstreamSockets === others + 1);
  client.close();
  const rows = await loggedRows(gateway.url, id);
  expect(rows.map((row) => row.status_code)).toEqual([499]);
  expect(gateway.application.upstreamSockets).toBe(others);
});

test.each(["buffered", "stream"])("a caller that only closes its sending side has left too, %s", async (mode) => {
  simulator.reset();
  const id = crypto.randomUUID();
  const client = openRawConnection(gateway.port);
  const stream = mode === "stream";
  client.send(modelRequest("chat/completions", "sim/hang-after-headers", { stream }, [`x-request-id: ${id}`]));
  await eventually("the upstream call", () => simulator.calls.length === 1);
  client.finish();
  await simulator.waitForClosed(0, limitMs);
  const rows = await loggedRows(gateway.url, id);
  expect(rows.map((row) => row.status_code)).toEqual([499]);
  client.close();
});

test("before its request is whole: nothing is sent upstream and the row says 499", async () => {
  simulator.reset();
  const id = crypto.randomUUID();
  const client = openRawConnection(gateway.port);
  const request = modelRequest("chat/completions", "sim/ok", {}, [`x-request-id: ${id}`]);
  client.send(request.slice(0, -5));
  await eventually("the request", () => gateway.application.inFlight === 1);
  client.close();
  const rows = await loggedRows(gateway.url, id);
  expect(rows.map((row) => row.status_code)).toEqual([499]);
  expect(simulator.calls).toHaveLength(0);
});

test.each(["FIN", "RST"] as const)(
  "by %s right after the last byte: one row, and the connection upstream is kept",
  async (how) => {
    simulator.reset();
    const id = crypto.randomUUID();
    const client = openRawConnection(gateway.port);
    client.send(modelRequest("chat/completions", "sim/burst-50", { stream: true }, [`x-request-id: ${id}`]));
    await client.receive(({ text }) => text.includes("data: [DONE]"));
    leave(client, how);
    const rows = await loggedRows(gateway.url, id);
    expect(rows).toHaveLength(1);
    expect([200, 499]).toContain(rows[0]?.status_code ?? 0);
    expect((await gateway.chat("sim/ok")).status).toBe(200);
    expect(new Set(simulator.calls.map((call) => call.connectionId)).size).toBe(1);
  },
);

test("64 callers that leave at once open no circuit, and the next request is answered", async () => {
  simulator.reset();
  const burst = crypto.randomUUID().slice(0, 8);
  const clients = Array.from({ length: 64 }, (_, index) => {
    const client = openRawConnection(gateway.port);
    const model = index % 2 === 0 ? "sim/hang-before-answer" : "sim/hang-after-headers";
    client.send(
      modelRequest("chat/completions", model, { stream: index % 4 < 2 }, [`x-request-id: ${burst}-${index}`]),
    );
    return client;
  });
  await eventually("64 upstream calls", () => simulator.calls.length === 64);
  clients.forEach((client, index) => leave(client, index % 8 < 4 ? "FIN" : "RST"));
  await Promise.all(simulator.calls.map((_, index) => simulator.waitForClosed(index, limitMs)));
  const rows = await loggedRows(gateway.url, burst, 64);
  expect(rows.map((row) => row.status_code)).toEqual(Array(64).fill(499));
  expect((await gateway.chat("sim/ok")).status).toBe(200);
});

test("300 departures at random moments: each call has one row, and nothing is left open", async () => {
  simulator.reset();
  const group = crypto.randomUUID().slice(0, 8);
  const mixed = ["ok", "paced-1-40", "slow-first-30", "slow-body-20", "trickle", "status-503", "hang-in-body"];
  // Repeatable: the moments are spread by a fixed multiplier.
  const moment = (index: number): number => (index * 7919) % 80;
  const leaving = Array.from({ length: 300 }, async (_, index) => {
    await Bun.sleep(index * 4);
    const client = openRawConnection(gateway.port);
    const model = `sim/${mixed[index % mixed.length]}`;
    client.send(
      modelRequest("chat/completions", model, { stream: index % 2 === 0 }, [`x-request-id: ${group}-${index}`]),
    );
    await Bun.sleep(moment(index));
    leave(client, index % 3 === 0 ? "RST" : "FIN");
  });
  await Promise.all(leaving);
  await eventually("the end of every call", () => gateway.application.inFlight === 0);
  await eventually("idle upstream connections only", () =>
    simulator.calls.every((call) => call.answeredAt !== undefined || call.closedByPeerAt !== undefined),
  );
  // A caller may leave before its request arrives; then there is nothing to log.
  const rows = await loggedRows(gateway.url, group, simulator.calls.length);
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(200);
  // A stream is not retried, so its 503 may reach the caller before it leaves.
  const unexpected = rows.filter(
    ({ status_code: status, requested_model: model, stream }) =>
      status !== 200 && status !== 499 && !(status === 503 && stream && model === "sim/status-503"),
  );
  expect(unexpected).toEqual([]);
});
