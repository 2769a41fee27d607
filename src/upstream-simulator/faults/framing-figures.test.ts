// What no pattern shows: lengths that are right or wrong by a figure, compressed bodies, answers that never end.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { modelRequest, openRawConnection } from "../../../test/support/raw-exchange.ts";
import { answerText } from "../answer-text.ts";
import { startSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

/** Content-length as declared, and the body that came. */
async function declaredAndBody(model: string): Promise<{ declared: number; body: Buffer }> {
  const client = openRawConnection(simulator.port);
  client.send(modelRequest("chat/completions", model, {}, ["connection: close"]));
  const { bytes } = await client.receive(() => false);
  client.close();
  const start = bytes.indexOf("\r\n\r\n") + 4;
  const declared = Number(/content-length: (\d+)/.exec(bytes.subarray(0, start).toString())?.[1]);
  return { declared, body: bytes.subarray(start) };
}

test.each([
  ["length", 0],
  ["length-too-long", 10],
  ["length-too-short", -10],
  ["gzip", 0],
  ["json-bad-utf8", 0],
])("%s declares %d bytes more than it sends", async (model, surplus) => {
  const { declared, body } = await declaredAndBody(model);
  expect(declared - body.length).toBe(surplus);
});

test("gzip, brotli and gzip twice unpack to the right document", async () => {
  const gzip = gunzipSync((await declaredAndBody("gzip")).body).toString();
  expect(JSON.parse(gzip)).toMatchObject({ choices: [{ message: { content: answerText("gzip") } }] });
  const brotli = brotliDecompressSync((await declaredAndBody("brotli")).body).toString();
  expect(JSON.parse(brotli)).toMatchObject({ choices: [{ message: { content: answerText("brotli") } }] });
  const twice = gunzipSync(gunzipSync((await declaredAndBody("gzip-twice")).body)).toString();
  expect(JSON.parse(twice)).toMatchObject({ choices: [{ message: { content: answerText("gzip-twice") } }] });
});

test("gzip-cut and gzip-junk do not unpack", async () => {
  const cut = (await declaredAndBody("gzip-cut")).body;
  expect(() => gunzipSync(cut)).toThrow();
  const junk = (await declaredAndBody("gzip-junk")).body;
  expect(() => gunzipSync(junk)).toThrow();
});

test("a gzip bomb of less than 100 kB unpacks to more than 64 MB and still is the right document", async () => {
  const { body } = await declaredAndBody("gzip-bomb");
  expect(body.length).toBeLessThan(100_000);
  const unpacked = gunzipSync(body);
  expect(unpacked.length).toBeGreaterThan(64 << 20);
  expect(JSON.parse(unpacked.subarray(64 << 20).toString())).toMatchObject({ model: "gzip-bomb" });
});

test.each([
  ["head-endless", /^HTTP\/1\.1 200 OK\r\n(?:x-filler-\d+: \d+\r\n){2000}/],
  ["chunk-size-endless", /\r\n0{100000}/],
  ["json-endless", /\r\n\r\n(?:4000\r\n\[{16384}\r\n){10}/],
  ["informational-endless", /^(?:HTTP\/1\.1 102 Simulated\r\n\r\n){3}/],
])("%s goes on until the peer leaves", async (model, bytes) => {
  const client = openRawConnection(simulator.port);
  client.send(modelRequest("chat/completions", model));
  await client.receive(({ text }) => bytes.test(text));
  await client.receive(({ text }) => text.length > 0);
  const closed = simulator.waitForClosed(simulator.calls.length - 1, 1000);
  client.close();
  expect(await closed).toBeLessThan(200);
});

test("an answer that never ends waits for a reader that stops", async () => {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port: simulator.port, socket: { data() {} } });
  socket.pause();
  socket.write(modelRequest("chat/completions", "json-endless"));
  const written = (): number => simulator.calls.at(-1)?.bytesWritten ?? 0;
  let before = -1;
  while (before !== written() || before === 0) {
    before = written();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(written()).toBeLessThan(32 << 20);
  socket.terminate();
});
