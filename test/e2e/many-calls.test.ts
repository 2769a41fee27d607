// 2,000 calls can be under way at once, and all of them are answered.

import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { type RawConnection, startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "../support/start-gateway.ts";

const calls = 2000;

test("2,000 calls, half of them streams, wait at the upstream together and get their own answers", async () => {
  const waiting: RawConnection[] = [];
  const upstream = startRawUpstream({ request: (connection) => waiting.push(connection) });
  const gateway = await startGateway(`
providers:
  raw: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: k, models: [m] }
models: { configured_provider_models_mode: allowlist }
`);
  const clients = Array.from({ length: calls }, (_, index) => {
    const client = openRawConnection(gateway.port);
    client.send(modelRequest("chat/completions", "raw/m", { stream: index % 2 === 0, user: `caller-${index}` }));
    return client;
  });
  await eventually(`${calls} calls upstream`, () => waiting.length === calls, 20_000);
  expect(gateway.application.inFlight).toBe(calls);
  for (const connection of waiting) connection.send(answerTo(connection.received));
  const answers = await Promise.all(
    clients.map((client) =>
      client.receive(({ text }) => text.endsWith("data: [DONE]\n\n") || text.endsWith("}]}"), 20_000),
    ),
  );
  const wrong = answers.filter(({ text }, index) => {
    const end = index % 2 === 0 ? "data: [DONE]\n\n" : "}]}";
    return !(text.startsWith("HTTP/1.1 200 ") && text.includes(`to caller-${index}"`) && text.endsWith(end));
  });
  expect(wrong).toEqual([]);
  for (const client of clients) client.close();
  await eventually("no call is left", () => gateway.application.inFlight === 0);
  await gateway.stop();
  upstream.stop();
  expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
}, 60_000);

function answerTo(request: string): string {
  const content = `to ${/"user":"(caller-\d+)"/.exec(request)?.[1]}`;
  if (!request.includes('"stream":true')) {
    const body = JSON.stringify({
      id: "1",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    });
    return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  }
  const events = [{ content }, {}].map(
    (delta, index) =>
      `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, finish_reason: index === 0 ? null : "stop", delta }] })}\n\n`,
  );
  const body = `${events.join("")}data: [DONE]\n\n`;
  return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
