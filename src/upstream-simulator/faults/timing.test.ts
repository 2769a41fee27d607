import { afterEach, beforeEach, expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { modelRequest, openRawConnection, type RawConnection } from "../../../test/support/raw-exchange.ts";
import { answerText } from "../answer-text.ts";
import { startSimulator, type Simulator } from "../simulator.ts";

let clock: FakeClock;
let simulator: Simulator;
let client: RawConnection;

beforeEach(() => {
  clock = new FakeClock();
  simulator = startSimulator({ clock, seed: 7 });
  client = openRawConnection(simulator.port);
});

afterEach(async () => {
  client.close();
  await simulator.stop();
});

/** Sends a request and waits until it was read. */
async function ask(model: string, stream: boolean): Promise<void> {
  client.send(modelRequest("chat/completions", model, { stream }));
  const before = simulator.calls.length;
  while (simulator.calls.length === before) await new Promise((resolve) => setImmediate(resolve));
}

const written = (): number => simulator.calls.at(-1)?.bytesWritten ?? 0;
const chunkEnd = /\n\n\r\n/g;

test("slow-first-50 is silent for 50 ms", async () => {
  await ask("slow-first-50", false);
  clock.tick(49);
  expect(written()).toBe(0);
  clock.tick(1);
  expect((await client.receive(({ text }) => text.endsWith("}"))).text).toContain(answerText("slow-first-50"));
});

test("slow-body-50 sends its headers at once and its body after 50 ms", async () => {
  await ask("slow-body-50", false);
  expect((await client.receive(({ text }) => text.length > 0)).text).toEndWith("\r\n\r\n");
  const head = written();
  clock.tick(49);
  expect(written()).toBe(head);
  clock.tick(1);
  expect((await client.receive(({ text }) => text.endsWith("}"))).text).toContain(answerText("slow-body-50"));
});

test("paced-10-3 sends its headers at once and one event every 10 ms", async () => {
  await ask("paced-10-3", true);
  expect((await client.receive(({ text }) => text.length > 0)).text).toEndWith("\r\n\r\n");
  for (const kind of ["role", "[paced-10-3]", " this", " text", '"stop"']) {
    const before = written();
    clock.tick(9);
    expect(written()).toBe(before);
    clock.tick(1);
    const { text } = await client.receive((soFar) => soFar.text.length > 0);
    expect(text.match(chunkEnd)?.length).toBe(1);
    expect(text).toContain(kind);
  }
  clock.tick(10);
  expect((await client.receive(({ text }) => text.length > 0)).text).toBe("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
});

test("a hundred paced streams share one timer, which ends with the last of them", async () => {
  const clients = Array.from({ length: 100 }, () => openRawConnection(simulator.port));
  for (const each of clients) each.send(modelRequest("chat/completions", "paced-10-2", { stream: true }));
  while (simulator.calls.length < 100) await new Promise((resolve) => setImmediate(resolve));
  expect(clock.pending).toBe(1);
  clock.tick(1000);
  expect(clock.pending).toBe(0);
  const ends = await Promise.all(clients.map((each) => each.receive(({ text }) => text.endsWith("\r\n0\r\n\r\n"))));
  expect(ends.every(({ text }) => text.includes('" this"'))).toBe(true);
  for (const each of clients) each.close();
});

test("a paced stream whose reader left beats no more", async () => {
  await ask("paced-10-50", true);
  clock.tick(20);
  client.close();
  while (simulator.openSockets > 0) await new Promise((resolve) => setImmediate(resolve));
  clock.tick(20);
  expect(clock.pending).toBe(0);
  expect(simulator.calls[0]?.answeredAt).toBeUndefined();
});

test("trickle-100 sends one byte every 100 ms, headers included", async () => {
  await ask("trickle-100", false);
  clock.tick(99);
  expect(written()).toBe(0);
  clock.tick(1);
  expect(written()).toBe(1);
  clock.tick(1400);
  expect(written()).toBe(15);
  expect((await client.receive(({ text }) => text.length === 15)).text).toBe("HTTP/1.1 200 OK");
  clock.tick(100_000);
  expect((await client.receive(({ text }) => text.endsWith("}"))).text).toContain(answerText("trickle-100"));
});

test.each([false, true])("bytes arrives byte for byte and whole (stream: %p)", async (stream) => {
  await ask("bytes", stream);
  const { text, reads } = await client.receive((soFar) => soFar.text.endsWith(stream ? "\r\n0\r\n\r\n" : "}}"));
  expect(reads.length).toBeGreaterThan(text.length / 10);
  expect(text).toContain("[bytes]");
});

test("random-pieces arrives whole in pieces of at most 40 bytes, most of them apart", async () => {
  await ask("random-pieces", false);
  const { text, reads } = await client.receive((soFar) => soFar.text.endsWith("}}"));
  expect(reads.length).toBeGreaterThan(10);
  expect(text).toContain(answerText("random-pieces"));
});

test("events arrive one by one", async () => {
  await ask("events", true);
  const { text, reads } = await client.receive((soFar) => soFar.text.endsWith("\r\n0\r\n\r\n"));
  expect(reads.length).toBeGreaterThan(8);
  expect(text.match(/data: /g)?.length).toBe(15);
});
