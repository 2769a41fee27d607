// Connections that cost something and bring nothing end by themselves; those whose model takes long do not. Takes a little over two minutes.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { openRawConnection, type RawConnection } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

const halfOpen = 2000;
const batch = 200;
/** The runtime looks at its timers every four seconds. */
const coarseMs = 5000;
const limitMs = 200_000;
const slowAnswerMs = 130_000;
const answer =
  '{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}';

let upstream: Bun.Server<undefined>;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const asked = await request.text();
      if (asked.includes("slow")) await Bun.sleep(slowAnswerMs);
      return new Response(answer, { headers: { "content-type": "application/json" } });
    },
  });
  gateway = await startGateway(`
providers:
  up: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: k, models: [quick, slow] }
models: { configured_provider_models_mode: allowlist }
logging: { enabled: false }
`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop(true);
});

const head = "POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\n";

function call(model: string): string {
  const body = `{"model":"up/${model}","messages":[]}`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function open(raw: string): RawConnection {
  const client = openRawConnection(gateway.port);
  if (raw !== "") client.send(raw);
  return client;
}

async function answered(raw: string): Promise<RawConnection> {
  const client = open(raw);
  const { text } = await client.receive((soFar) => soFar.text.endsWith("}"), limitMs);
  expect(text).toStartWith("HTTP/1.1 200 ");
  return client;
}

/** Seconds until the connection is closed; `drip` is sent every second until then. */
async function secondsOpen(client: RawConnection, drip?: string): Promise<number> {
  const begun = performance.now();
  const timer = drip === undefined ? undefined : setInterval(() => client.send(drip), 1000);
  await client.receive(() => false, limitMs);
  clearInterval(timer);
  return (performance.now() - begun) / 1000;
}

function expectAbout(seconds: number, limitSeconds: number): void {
  expect(seconds).toBeGreaterThan(limitSeconds - coarseMs / 1000);
  expect(seconds).toBeLessThan(limitSeconds + coarseMs / 1000);
}

test.concurrent(`${halfOpen} connections whose first request head never comes, or trickles in, are closed after 10 s`, async () => {
  const clients: RawConnection[] = [];
  while (clients.length < halfOpen) {
    for (let index = 0; index < batch; index++) clients.push(open(index % 2 === 0 ? "" : head));
    // A listener's queue holds some hundred: what the kernel drops there never reaches the gateway, and nobody closes it.
    (await answered(call("quick"))).close();
  }
  const dripped = Array.from({ length: 20 }, () => secondsOpen(open(`${head}X-Slow: `), "a"));
  const begun = performance.now();
  // Meanwhile everybody else is served.
  for (let asked = 0; asked < 20; asked++) (await answered(call("quick"))).close();
  expect(performance.now() - begun).toBeLessThan(3000);
  const all = await Promise.all([...clients.map((client) => secondsOpen(client)), ...dripped]);
  expectAbout(Math.min(...all), 10);
  expectAbout(Math.max(...all), 10);
});

test.concurrent.each([
  ["after an answer", ""],
  ["inside the head of its next request", head],
])("a connection that falls silent %s is closed after 120 s", async (_, next) => {
  const client = await answered(call("quick"));
  if (next !== "") client.send(next);
  expectAbout(await secondsOpen(client), 120);
});

test.concurrent("so is one whose next request head trickles in", async () => {
  const client = await answered(call("quick"));
  client.send(`${head}X-Slow: `);
  expectAbout(await secondsOpen(client, "a"), 120);
});

test.concurrent.each([
  ["stops coming", "Content-Length: 100000\r\n\r\n{", undefined],
  ["comes a byte a second", "Content-Length: 100000\r\n\r\n{", " "],
  ["comes a chunk of a byte a second", "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"],
])("a connection whose body %s is closed after 120 s", async (_, start, drip) => {
  expectAbout(await secondsOpen(open(head + start), drip), 120);
});

test.concurrent(`an answer that takes ${slowAnswerMs / 1000} s comes, and its connection serves again`, async () => {
  const client = await answered(call("slow"));
  client.send(call("quick"));
  expect((await client.receive(({ text }) => text.endsWith("}"))).text).toStartWith("HTTP/1.1 200 ");
  client.close();
});
