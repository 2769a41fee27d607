// A caller who stops reading a buffered answer does not keep its connection and the answer's memory for ever.

import { expect, test } from "bun:test";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "../support/start-gateway.ts";

const size = 24 * 1024 * 1024;

test("STREAM_STALL_TIMEOUT cuts it off, and leaves one who reads slowly alone", async () => {
  const message = { role: "assistant", content: "x".repeat(size) };
  const body = JSON.stringify({ id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const upstream = startRawUpstream({ request: (connection) => connection.send(head + body) });
  const gateway = await startGateway(`
server: { stream_stall_timeout: 1s }
providers:
  raw: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: k, models: [m] }
models: { configured_provider_models_mode: allowlist }
`);
  const [stopped, slow] = [openRawConnection(gateway.port), openRawConnection(gateway.port)];
  for (const client of [stopped, slow]) {
    client.send(modelRequest("chat/completions", "raw/m"));
    await client.receive(({ bytes }) => bytes.length > 0);
    client.pause();
  }
  // The runtime's timers run every four seconds.
  const until = performance.now() + 9000;
  let read = 0;
  while (performance.now() < until) {
    await Bun.sleep(250);
    slow.resume();
    read += (await slow.receive(({ bytes }) => bytes.length > 0)).bytes.length;
    slow.pause();
  }
  expect(read).toBeLessThan(size);
  slow.resume();
  read += (await slow.receive(({ bytes }) => read + bytes.length >= size)).bytes.length;
  stopped.resume();
  const rest = await stopped.receive(({ bytes }) => bytes.length >= size);
  expect(rest.end).not.toBe("open");
  expect(rest.bytes.length).toBeLessThan(size);
  expect(read).toBeGreaterThanOrEqual(size);
  slow.close();
  await gateway.stop();
  upstream.stop();
}, 60_000);
