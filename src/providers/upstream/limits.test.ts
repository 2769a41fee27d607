// Every limit of an attempt, on a clock of the test's own and over real sockets.

import { afterEach, describe, expect, test } from "bun:test";
import { FakeClock, settle } from "../../../test/support/fake-clock.ts";
import { type RawUpstream, type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, noLimits, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import type { HttpTrouble } from "./http-request.ts";
import { createHttpClient } from "./client.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function setUp(options: RawUpstreamOptions) {
  const clock = new FakeClock();
  const upstream = startRawUpstream(options);
  const client = createHttpClient({ clock });
  stops.push(() => client.close(), upstream.stop);
  return { clock, upstream, client };
}

/** What a promise has come to so far. */
function watch(work: Promise<unknown>): { trouble: HttpTrouble | undefined } {
  const seen: { trouble: HttpTrouble | undefined } = { trouble: undefined };
  troubleOf(work).then(
    (trouble) => (seen.trouble = trouble),
    () => {},
  );
  return seen;
}

async function requestsSeen(upstream: RawUpstream, count: number): Promise<void> {
  const seen = (): number => upstream.connections.reduce((sum, connection) => sum + connection.requests, 0);
  await eventually(() => seen() >= count, `${count} requests at the upstream`);
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

test("an upstream that never finishes the TLS handshake is a timeout of connecting, at the limit and not before", async () => {
  const { clock, upstream, client } = setUp({});
  const url = parseUpstreamUrl(`https://127.0.0.1:${upstream.port}`);
  const seen = watch(client.send(callTo(upstream.port, { url, limits: { ...noLimits, connectMs: 30_000 } })));
  await eventually(() => upstream.connections.length === 1, "a connection");
  await clock.advance(29_999);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toEqual({
    kind: "timeout",
    phase: "connect",
    message: "not connected within 30000 ms",
    unsent: true,
  });
  await upstream.connections[0]?.closed;
  expect(client.openSockets).toBe(0);
});

test("an upstream that accepts and never answers is a timeout of the headers, and its socket is closed", async () => {
  const { clock, upstream, client } = setUp({});
  const seen = watch(client.send(callTo(upstream.port, { limits: { ...noLimits, responseHeaderMs: 600 } })));
  await requestsSeen(upstream, 1);
  await clock.advance(599);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "headers", unsent: false });
  expect(await upstream.connections[0]?.closed).toBe("reset");
});

test("headers that come byte by byte do not move the limit on the headers", async () => {
  const { clock, upstream, client } = setUp({});
  const seen = watch(client.send(callTo(upstream.port, { limits: { ...noLimits, responseHeaderMs: 1000 } })));
  await requestsSeen(upstream, 1);
  for (const byte of head.slice(0, 10)) {
    upstream.connections[0]?.send(byte);
    await clock.advance(99);
  }
  expect(seen.trouble).toBeUndefined();
  await clock.advance(10);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "headers" });
});

test("the total limit of a buffered call covers the body to its end, started or not, and silence is not limited", async () => {
  const { clock, upstream, client } = setUp({ request: (connection) => connection.send(`${head}${chunk("a")}`) });
  const limits = { ...noLimits, totalMs: 10_000, streamIdleMs: 10, responseHeaderMs: 5000 };
  const { body } = await client.send(callTo(upstream.port, { limits }));
  body.started();
  expect(Buffer.from((await body.read()) ?? []).toString()).toBe("a");
  const seen = watch(textOf(body));
  await clock.advance(9999);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "total" });
  expect(await upstream.connections[0]?.closed).toBe("reset");
});

test("the total limit of a stream holds until its first event and ends with it", async () => {
  const { clock, upstream, client } = setUp({
    request: (connection) => connection.send(`${head}${chunk(": hi\n\n")}`),
  });
  const limits = { ...noLimits, totalMs: 10_000 };
  const waiting = await client.send(callTo(upstream.port, { limits, stream: true }));
  const started = await client.send(callTo(upstream.port, { limits, stream: true }));
  const bodies = [waiting.body, started.body];
  for (const body of bodies) await body.read();
  started.body.started();
  const [first, second] = bodies.map((body) => watch(textOf(body)));
  await clock.advance(9999);
  expect(first?.trouble).toBeUndefined();
  await clock.advance(1);
  expect(first?.trouble).toMatchObject({ kind: "timeout", phase: "total", unsent: false });
  await clock.advance(1_000_000);
  expect(second?.trouble).toBeUndefined();
});

test("the total limit also ends a call that is still waiting for its headers", async () => {
  const { clock, upstream, client } = setUp({});
  const limits = { ...noLimits, totalMs: 500, responseHeaderMs: 600 };
  const seen = watch(client.send(callTo(upstream.port, { limits })));
  await requestsSeen(upstream, 1);
  await clock.advance(500);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "total" });
});

describe("silence of a stream", () => {
  const limits = { ...noLimits, streamIdleMs: 300_000 };

  test("before the first byte of the body it is not limited", async () => {
    const { clock, upstream, client } = setUp({ request: (connection) => connection.send(head) });
    const { body } = await client.send(callTo(upstream.port, { limits, stream: true }));
    const seen = watch(textOf(body));
    await clock.advance(10_000_000);
    expect(seen.trouble).toBeUndefined();
  });

  test("every byte starts it anew, a comment too; when it has lasted for the limit the socket is closed", async () => {
    const { clock, upstream, client } = setUp({ request: (connection) => connection.send(`${head}${chunk("first")}`) });
    const { body } = await client.send(callTo(upstream.port, { limits, stream: true }));
    await body.read();
    for (let count = 0; count < 5; count++) {
      await clock.advance(299_999);
      const next = body.read();
      upstream.connections[0]?.send(chunk(":\n"));
      expect(Buffer.from((await next) ?? []).toString()).toBe(":\n");
    }
    const seen = watch(textOf(body));
    await clock.advance(299_999);
    expect(seen.trouble).toBeUndefined();
    await clock.advance(1);
    expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "idle", message: "no data for 300000 ms" });
    expect(await upstream.connections[0]?.closed).toBe("reset");
  });

  test("while we do not read it is not the upstream's silence", async () => {
    const { clock, upstream, client } = setUp({
      request(connection) {
        connection.send(head);
        for (let count = 0; count < 200; count++) connection.send(chunk("a".repeat(65_536)));
      },
    });
    const { body } = await client.send(callTo(upstream.port, { limits, stream: true }));
    await Bun.sleep(50);
    await clock.advance(1_000_000);
    const first = await body.read();
    expect(first?.length).toBeGreaterThan(256 * 1024);
    const { promise, resolve } = Promise.withResolvers<void>();
    let total = first?.length ?? 0;
    void (async () => {
      while (total < 200 * 65_536) total += (await body.read())?.length ?? 0;
      resolve();
    })();
    await promise;
    expect(total).toBe(200 * 65_536);
  });

  test("what had arrived is still read after the limit", async () => {
    const { clock, upstream, client } = setUp({ request: (connection) => connection.send(`${head}${chunk("kept")}`) });
    const { body } = await client.send(callTo(upstream.port, { limits, stream: true }));
    await settle();
    await clock.advance(300_000);
    expect(Buffer.from((await body.read()) ?? []).toString()).toBe("kept");
    expect(await troubleOf(textOf(body))).toMatchObject({ phase: "idle" });
  });
});

test("limits of 0 never fire", async () => {
  const { clock, upstream, client } = setUp({});
  const seen = watch(client.send(callTo(upstream.port)));
  await requestsSeen(upstream, 1);
  await clock.advance(1e12);
  expect(seen.trouble).toBeUndefined();
  upstream.connections[0]?.reset();
  await eventually(() => seen.trouble !== undefined, "the reset");
});

test("a limit of a month waits a month instead of firing at once", async () => {
  const { clock, upstream, client } = setUp({});
  const month = 31 * 24 * 3_600_000;
  const seen = watch(client.send(callTo(upstream.port, { limits: { ...noLimits, responseHeaderMs: month } })));
  await requestsSeen(upstream, 1);
  await clock.advance(month - 1);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "headers" });
});

test("a thousand calls share one timer, and none is left after they ended and the client was closed", async () => {
  const { clock, upstream, client } = setUp({
    request: (connection) => connection.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
  });
  const limits = { ...noLimits, connectMs: 1000, responseHeaderMs: 2000, streamIdleMs: 3000, totalMs: 4000 };
  let most = 0;
  for (let round = 0; round < 10; round++) {
    const calls = Array.from({ length: 100 }, async () => {
      await textOf((await client.send(callTo(upstream.port, { limits }))).body);
      most = Math.max(most, clock.pending);
    });
    await Promise.all(calls);
  }
  expect(most).toBe(1);
  client.close();
  expect([clock.pending, client.openSockets]).toEqual([0, 0]);
});
