// Requests written to put the edge and what is behind it out of step: each ends as its row says, nothing of it goes upstream, and the next request is served.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { armed, type HttpPayload, httpPayloads } from "../support/http-payload.ts";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let simulator: Simulator;
let gateway: RunningGateway;

beforeAll(async () => {
  simulator = startSimulator();
  gateway = await startGateway(`
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [ok, smuggled] }
models: { configured_provider_models_mode: allowlist }
logging: { enabled: false }
`);
});
afterAll(async () => {
  expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
  await gateway.stop();
  await simulator.stop();
});

interface Reply {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly end: string;
  /** Model calls that reached the provider. */
  readonly calls: number;
}

/** A request hidden behind the payload: it must not be found by anybody who refused what came before it. */
const hidden = modelRequest("chat/completions", "sim/smuggled");
const canary = "GET /health HTTP/1.1\r\nHost: gateway\r\nX-Request-ID: canary\r\n\r\n";

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Until the connection is closed. */
async function refusalOf(raw: string): Promise<Reply> {
  simulator.reset();
  const client = openRawConnection(gateway.port);
  client.send(Buffer.from(raw + hidden, "latin1"));
  const { text, end } = await client.receive(() => false);
  client.close();
  return { statuses: statusesIn(text), text, end, calls: simulator.calls.length };
}

/** Until `answers` have come; what follows on the same connection has to be the answer to what was asked next, and nothing else. */
async function answersTo(raw: string, answers: number): Promise<Reply> {
  simulator.reset();
  const client = openRawConnection(gateway.port);
  client.send(Buffer.from(raw, "latin1"));
  const finals = (text: string): number[] => statusesIn(text).filter((status) => status !== 100);
  const whole = (text: string): boolean => finals(text).length === answers && text.endsWith("}");
  const { text, end } = await client.receive((soFar) => whole(soFar.text));
  if (end === "open") {
    client.send(canary);
    const next = await client.receive((soFar) => soFar.text.endsWith("}"));
    expect(statusesIn(next.text)).toEqual([200]);
    expect(next.text).toContain("canary");
  }
  client.close();
  return { statuses: finals(text), text, end, calls: simulator.calls.length };
}

const refusals = [400, 413, 417, 431, 501, 505];

async function isRefused(raw: string, before: readonly number[] = []): Promise<void> {
  const { statuses, text, end, calls } = await refusalOf(raw);
  expect(end).not.toBe("open");
  expect(calls).toBe(0);
  // A path that does not exist is answered before its body is looked at; the body then ends the connection.
  for (const status of statuses) expect([...refusals, ...before]).toContain(status);
  if (statuses.length > 0) expect(text.toLowerCase()).toContain("\r\nconnection: close\r\n");
}

async function isAnswered(raw: string, wanted: readonly number[], calls = 0): Promise<Reply> {
  const reply = await answersTo(raw, wanted.length);
  expect(reply.statuses).toEqual([...wanted]);
  expect(reply.calls).toBe(calls);
  return reply;
}

/** For each word of the column `expect`: what happens to the payload, and to the armed one. */
const judges: Readonly<Record<string, (payload: HttpPayload, armedRaw: string | undefined) => Promise<void>>> = {
  async refused(payload, armedRaw) {
    await isRefused(payload.raw, [404]);
    if (armedRaw !== undefined) await isRefused(armedRaw);
  },
  async "refused or as one"(payload, armedRaw) {
    await isAnswered(payload.raw, [404]);
    await isAnswered(armedRaw ?? "", [200], 1);
  },
  async "as chunked"(payload, armedRaw) {
    await isAnswered(payload.raw, [404]);
    await isAnswered(armedRaw ?? "", [200], 1);
  },
  "refused, or never used to build anything": ({ raw }) => isRefused(raw),
  async "400, or routed by its path alone"({ raw }) {
    expect((await isAnswered(raw, [404])).text).toContain("unknown path: GET /admin");
  },
  async "400 or 404"({ raw }) {
    if (raw.includes("ftp")) await isRefused(raw);
    else expect((await isAnswered(raw, [404])).text).toContain('unknown path: GET /p/openai/x"');
  },
  async "404, never another host"({ raw }) {
    expect((await isAnswered(raw, [404])).text).toContain("unknown path: GET //evil.example/admin");
  },
  async "404 or inside its prefix"({ raw }) {
    await isAnswered(raw, [404]);
  },
  "405 or closed": ({ raw }) => isRefused(raw),
  async "handled, pollutes nothing"(payload, armedRaw) {
    await isAnswered(payload.raw, [404]);
    await isAnswered(armedRaw ?? "", [200], 1);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  },
  async "431 or handled whole, never truncated silently"(payload, armedRaw) {
    for (const raw of [payload.raw, armedRaw ?? ""]) expect((await refusalOf(raw)).statuses).toEqual([431]);
  },
  async handled(payload, armedRaw) {
    await isAnswered(payload.raw, [404]);
    await isAnswered(armedRaw ?? "", [200], 1);
  },
  async "handled without upgrade"(payload, armedRaw) {
    expect((await refusalOf(payload.raw)).statuses).toEqual([426]);
    await isAnswered(armedRaw ?? "", [200], 1);
  },
  async "two answers, in order"({ raw }) {
    const { text } = await isAnswered(raw, [404, 404]);
    expect(text.indexOf("GET /a")).toBeLessThan(text.indexOf("GET /b"));
  },
  async "handled, body ignored"({ raw }) {
    await isAnswered(raw, [404]);
  },
};

describe("each payload ends as it must", () => {
  test.each(httpPayloads.map((payload) => [payload.name, payload.expect, payload] as const))(
    "%s: %s",
    async (_name, wanted, payload) => {
      const judge = judges[wanted];
      if (judge === undefined) throw new Error(`nobody judges "${wanted}"`);
      await judge(payload, armed(payload));
      simulator.reset();
      expect((await gateway.chat("sim/ok")).status).toBe(200);
      expect(simulator.calls.map(({ model }) => model)).toEqual(["ok"]);
    },
  );

  test("there are 74, and 58 of them can be armed", () => {
    expect(httpPayloads).toHaveLength(74);
    expect(httpPayloads.filter((payload) => armed(payload) !== undefined)).toHaveLength(58);
  });
});
