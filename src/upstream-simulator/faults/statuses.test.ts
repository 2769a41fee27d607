import { expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { modelRequest, openRawConnection } from "../../../test/support/raw-exchange.ts";
import { testWire, wireRows, type ShortRow } from "../../../test/support/wire-table.ts";
import { startSimulator } from "../simulator.ts";

const rows: readonly ShortRow[] = [
  [
    "status-400",
    /^HTTP\/1\.1 400 Bad Request\r\n[^]*\{"error":\{"message":"simulated status 400","type":"invalid_request_error","param":null,"code":null\}\}$/,
    "open",
  ],
  ["status-429", /^HTTP\/1\.1 429 [^]*"type":"rate_limit_error"/, "open"],
  ["status-599", /^HTTP\/1\.1 599 Simulated\r\n/, "open"],
  ["status-99", /^HTTP\/1\.1 99 /, "open"],
  ["status-600", /^HTTP\/1\.1 600 /, "open"],
  ["status-999", /^HTTP\/1\.1 999 /, "open"],
  ["status-0", /^HTTP\/1\.1 0 /, "open"],
  ["status-100", /^HTTP\/1\.1 100 Continue\r\n\r\n$/, "open"],
  ["status-101", /^HTTP\/1\.1 101 Switching Protocols\r\n\r\n$/, "open"],
  ["status-204", /^HTTP\/1\.1 204 No Content\r\n\r\n$/, "open"],
  ["status-304", /^HTTP\/1\.1 304 Not Modified\r\n\r\n$/, "open"],
  ["status-503-text", /text\/plain[^]*\r\n\r\nsimulated status 503$/, "open"],
  ["status-503-empty", /^HTTP\/1\.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n$/, "open"],
  ["status-503-html", /text\/html[^]*<h1>It broke<\/h1>/, "open"],
  ["status-503-string-error", /\r\n\r\n\{"error":"simulated 503"\}$/, "open"],
  ["status-503-null-error", /\r\n\r\n\{"error":null\}$/, "open"],
  ["status-503-detail", /\r\n\r\n\{"detail":"simulated status 503"\}$/, "open"],
  ["status-503-array", /\r\n\r\n\[\{"error":\{.*\}\}\]$/, "open"],
  ["status-503-large", /"message":"x{1048576}","code":null\}\}$/, "open"],
  ["status-503-cut", /\r\n\r\n\{"error":\{"message":$/, "fin"],
  ["status-503-hanging", /\r\n\r\n15\r\n\{"error":\{"message":"\r\n$/, "open"],
  ["status-503-dripping", /\r\n\r\n(?:5\r\ndrip \r\n){2}/, "open"],
  ["status-503-unending", /\r\n\r\n(?:4000\r\nx{16384}\r\n){100}/, "open"],
  ["redirect-307", /^HTTP\/1\.1 307 [^]*\r\nlocation: \/v1\/elsewhere\r\ncontent-length: 0\r\n\r\n$/, "open"],
  [
    "status-429~retry-after=2~X-RateLimit-Reset-Requests=1s",
    /\r\nretry-after: 2\r\nx-ratelimit-reset-requests: 1s\r\n\r\n/,
    "open",
  ],
  ["status-503~retry-after-ms=30", /\r\nretry-after-ms: 30\r\n/, "open"],
  [
    "status-400~message=no%20such%20model~code=gone~type=odd",
    /\{"error":\{"message":"no such model","type":"odd","param":null,"code":"gone"\}\}$/,
    "open",
  ],
];
const endless = /-(?:dripping|unending)$/;
const ending = rows.filter(([model]) => !endless.test(model));

testWire([...wireRows("buffered", ending), ...wireRows("stream", ending)]);

test.each(rows.filter(([model]) => endless.test(model)))("%s goes on until the peer leaves", async (model, bytes) => {
  const simulator = startSimulator();
  const client = openRawConnection(simulator.port);
  client.send(modelRequest("chat/completions", model));
  await client.receive(({ text }) => bytes.test(text));
  await client.receive(({ text }) => text.length > 0);
  const closed = simulator.waitForClosed(0, 1000);
  client.close();
  expect(await closed).toBeLessThan(200);
  expect(simulator.calls[0]?.answeredAt).toBeUndefined();
  await simulator.stop();
});

test("a Retry-After in two seconds is that moment of the clock, anew for each call", async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const simulator = startSimulator({ clock });
  const client = openRawConnection(simulator.port);
  const ask = async (): Promise<string> => {
    client.send(modelRequest("chat/completions", "status-429~retry-after=date+2~x-ratelimit-reset=epoch-1"));
    return (await client.receive(({ text }) => text.endsWith("}}"))).text;
  };
  const first = await ask();
  expect(first).toContain("\r\nretry-after: Thu, 01 Jan 2026 00:00:02 GMT\r\n");
  expect(first).toContain("\r\nx-ratelimit-reset: 1767225599\r\n");
  clock.tick(10_000);
  expect(await ask()).toContain("\r\nretry-after: Thu, 01 Jan 2026 00:00:12 GMT\r\n");
  client.close();
  await simulator.stop();
});
