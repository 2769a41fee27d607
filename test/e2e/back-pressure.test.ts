// Whoever reads slowly makes the other side wait, in both directions, and costs no memory.

import { afterEach, expect, test } from "bun:test";
import { startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type EventFountain, startEventFountain } from "../support/event-fountain.ts";
import { eventually } from "../support/eventually.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

const megabyte = 1024 * 1024;
/** What the kernel holds for two connections, on both ends of each, and a little of ours. */
const heldBytes = 32 * megabyte;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(stallTimeout: string): Promise<{ fountain: EventFountain; gateway: RunningGateway }> {
  const fountain = startEventFountain();
  const simulator = startSimulator();
  const gateway = await startGateway(`
server: { stream_stall_timeout: ${stallTimeout} }
providers:
  fountain: { type: openai, base_url: "http://127.0.0.1:${fountain.port}/v1", api_key: k, models: [endless] }
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [ok] }
models: { configured_provider_models_mode: allowlist }
logging: { flush_interval: 10ms }
`);
  cleanUps.push(
    () => fountain.stop(),
    () => simulator.stop(),
    () => gateway.stop(),
    () => expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]),
  );
  return { fountain, gateway };
}

/** Resolves when the upstream could not send anything for a quarter of a second. */
async function blocked(fountain: EventFountain): Promise<void> {
  let before = -1;
  let since = performance.now();
  await eventually(
    "the upstream has to wait",
    () => {
      if (fountain.sent !== before) since = performance.now();
      before = fountain.sent;
      return performance.now() - since > 250;
    },
    15_000,
  );
}

test("readers that stop make the upstream wait in bounded memory, others go on, and reading resumes the stream", async () => {
  const { fountain, gateway } = await start("0");
  const readers = Array.from({ length: 4 }, () => {
    const reader = openRawConnection(gateway.port);
    reader.send(modelRequest("chat/completions", "fountain/endless", { stream: true }));
    return reader;
  });
  await Promise.all(readers.map((reader) => reader.receive(({ bytes }) => bytes.length > megabyte)));
  for (const reader of readers) reader.pause();
  await eventually("4 MB per stream", () => fountain.sent > readers.length * 4 * megabyte);
  const memory = process.memoryUsage.rss();
  await blocked(fountain);
  const waitingAt = fountain.sent;
  expect(waitingAt).toBeLessThan(readers.length * heldBytes);

  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await gateway.chat("sim/ok", { stream: true })).status),
  );
  expect(statuses).toEqual(Array(50).fill(200));
  expect(fountain.sent).toBe(waitingAt);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(readers.length * 10 * megabyte);

  fountain.finish();
  for (const reader of readers) reader.resume();
  for (const reader of readers) {
    const { text } = await reader.receive(
      (soFar) => soFar.bytes.subarray(-32).toString().endsWith("\r\n0\r\n\r\n"),
      15_000,
    );
    expect(text).toContain("data: [DONE]\n\n");
    expect(text).not.toContain('"error"');
    reader.close();
  }
}, 40_000);

test("a reader that takes nothing for STREAM_STALL_TIMEOUT is cut off: the upstream is closed and the row says so", async () => {
  const { fountain, gateway } = await start("1s");
  const id = crypto.randomUUID();
  const reader = openRawConnection(gateway.port);
  reader.send(modelRequest("chat/completions", "fountain/endless", { stream: true }, [`x-request-id: ${id}`]));
  await reader.receive(({ bytes }) => bytes.length > megabyte);
  reader.pause();
  await eventually("the upstream connection is closed", () => fountain.open === 0, 15_000);
  const [row, ...more] = await loggedRows(gateway.url, id);
  expect(more).toEqual([]);
  expect(row?.status_code).toBe(499);
  expect(row?.data.stream_error).toBe("the client stopped reading");
  reader.resume();
  expect((await reader.receive(() => false, 15_000)).end).not.toBe("open");
}, 40_000);

test("a reader that is slow but reads is not cut off by STREAM_STALL_TIMEOUT", async () => {
  const { fountain, gateway } = await start("1s");
  const reader = openRawConnection(gateway.port);
  reader.send(modelRequest("chat/completions", "fountain/endless", { stream: true }));
  const until = performance.now() + 2500;
  while (performance.now() < until) {
    const { end } = await reader.receive(({ bytes }) => bytes.length > 0);
    expect(end).toBe("open");
    reader.pause();
    await Bun.sleep(100);
    reader.resume();
  }
  fountain.finish();
  const { text } = await reader.receive(
    (soFar) => soFar.bytes.subarray(-32).toString().endsWith("\r\n0\r\n\r\n"),
    15_000,
  );
  expect(text).toContain("data: [DONE]\n\n");
  reader.close();
}, 40_000);

test("8 MB go up to an upstream that reads late, whole, while others are answered", async () => {
  const answer = JSON.stringify({
    id: "1",
    choices: [{ index: 0, message: { role: "assistant", content: "read" }, finish_reason: "stop" }],
  });
  let received = 0;
  let reader: Bun.Socket | undefined;
  let length = Infinity;
  const upstream = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.pause();
        reader = socket;
      },
      data(socket, bytes) {
        if (received === 0) {
          const text = bytes.toString("latin1");
          length = text.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
        }
        received += bytes.length;
        if (received === length)
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
          );
      },
    },
  });
  cleanUps.push(() => upstream.stop(true));
  const simulator = startSimulator();
  const gateway = await startGateway(`
providers:
  late: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: k, models: [m] }
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [ok] }
models: { configured_provider_models_mode: allowlist }
`);
  cleanUps.push(
    () => simulator.stop(),
    () => gateway.stop(),
  );
  const long = gateway.chat("late/m", { messages: [{ role: "user", content: "y".repeat(8 * megabyte) }] });
  await eventually("the upstream connection", () => reader !== undefined);
  expect((await gateway.chat("sim/ok")).status).toBe(200);
  reader?.resume();
  const response = await long;
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: "read" } }] });
  expect(received).toBe(length);
  expect(length).toBeGreaterThan(8 * megabyte);
}, 40_000);
