// Which connections are used again, for how long, and what happens when one of them turns out to be dead.

import { afterEach, describe, expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type RawConnection, type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, noLimits, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { createHttpClient, type HttpClientOptions } from "./client.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function setUp(options: RawUpstreamOptions, settings: Partial<HttpClientOptions> = {}) {
  const clock = new FakeClock();
  const upstream = startRawUpstream(options);
  const client = createHttpClient({ clock, ...settings });
  stops.push(() => client.close(), upstream.stop);
  const call = async (): Promise<string> => textOf((await client.send(callTo(upstream.port))).body);
  return { clock, upstream, client, call };
}

const answer = (headers: string): string => `HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\n{}`;
const ok = answer("");

test("calls one after the other share a connection", async () => {
  const { upstream, client, call } = setUp({ request: (connection) => connection.send(ok) });
  for (let count = 0; count < 20; count++) expect(await call()).toBe("{}");
  expect([upstream.connections.length, client.openSockets]).toEqual([1, 1]);
});

test("the connection used last is used next", async () => {
  const { upstream, call } = setUp({ request: (connection) => connection.send(ok) });
  await Promise.all([call(), call(), call()]);
  expect(upstream.connections).toHaveLength(3);
  for (let count = 0; count < 10; count++) await call();
  expect(upstream.connections.map((connection) => connection.requests).sort((a, b) => a - b)).toEqual([1, 1, 11]);
});

for (const [name, text] of [
  ["connection: close", answer("connection: Close\r\n")],
  ["connection: close in a list", answer("Connection: x, close\r\n")],
  ["HTTP/1.0", ok.replace("1.1", "1.0")],
  ["HTTP/1.0 with keep-alive", answer("connection: keep-alive\r\n").replace("1.1", "1.0")],
  ["keep-alive for a second", answer("keep-alive: timeout=1\r\n")],
  ["bytes after the answer", `${ok}HTTP/1.1 200 OK\r\n`],
] as const) {
  test(`after ${name} the connection is closed and the answer is whole`, async () => {
    const { upstream, client, call } = setUp({ request: (connection) => connection.send(text) });
    expect(await call()).toBe("{}");
    expect(client.openSockets).toBe(0);
    await upstream.connections[0]?.closed;
    expect(await call()).toBe("{}");
    expect(upstream.connections).toHaveLength(2);
  });
}

test("an idle connection on which the upstream talks is closed", async () => {
  const { upstream, client, call } = setUp({ request: (connection) => connection.send(ok) });
  await call();
  upstream.connections[0]?.send("HTTP/1.1 408 Request Timeout\r\n\r\n");
  await eventually(() => client.openSockets === 0, "the connection to be closed");
  expect(await call()).toBe("{}");
});

test("idle connections are closed after 90 seconds, and not before", async () => {
  const { clock, upstream, client, call } = setUp({ request: (connection) => connection.send(ok) });
  await Promise.all([call(), call()]);
  await clock.advance(89_999);
  expect(client.openSockets).toBe(2);
  await call();
  await clock.advance(1);
  expect(client.openSockets).toBe(1);
  await clock.advance(89_999);
  expect(client.openSockets).toBe(0);
  await Promise.all(upstream.connections.map((connection) => connection.closed));
});

test("keep-alive: timeout=5 lets a connection be used for four seconds", async () => {
  const { clock, upstream, call } = setUp({
    request: (connection) => connection.send(answer("Keep-Alive: max=100, timeout=5\r\n")),
  });
  await call();
  await clock.advance(3999);
  await call();
  expect(upstream.connections).toHaveLength(1);
  await clock.advance(4000);
  await call();
  expect(upstream.connections).toHaveLength(2);
});

test("no more connections are kept than allowed", async () => {
  const { client, call } = setUp({ request: (connection) => connection.send(ok) }, { maxIdlePerOrigin: 3 });
  await Promise.all(Array.from({ length: 8 }, call));
  expect(client.openSockets).toBe(3);
});

test("a closed client keeps nothing, finishes what is under way and still sends", async () => {
  const { upstream, client, call } = setUp({
    request: (connection, index) => (index === 1 ? undefined : connection.send(ok)),
  });
  await call();
  const underWay = call();
  await eventually(() => upstream.connections[0]?.requests === 2, "the second request");
  client.close();
  upstream.connections[0]?.send(ok);
  expect(await underWay).toBe("{}");
  expect(await call()).toBe("{}");
  expect(client.openSockets).toBe(0);
});

describe("a kept connection that is dead", () => {
  /** Answers the first request of each connection and deals with the second one as told. */
  const onSecond = (deal: (connection: RawConnection) => void) => ({
    request: (connection: RawConnection) => (connection.requests === 1 ? connection.send(ok) : deal(connection)),
  });

  for (const [name, deal] of [
    ["closes", (connection: RawConnection) => connection.end()],
    ["resets", (connection: RawConnection) => connection.reset()],
  ] as const) {
    test(`${name} instead of answering: 200 calls get their answer from a fresh one`, async () => {
      const { upstream, client, call } = setUp(onSecond(deal));
      await call();
      for (let count = 0; count < 200; count++) expect(await call()).toBe("{}");
      // Every second request of a connection went unanswered and was sent again.
      expect(upstream.connections).toHaveLength(201);
      expect(client.openSockets).toBe(1);
    });
  }

  test("was closed by the upstream at the moment of sending: 200 calls get their answer", async () => {
    const { upstream, call } = setUp({ request: (connection) => connection.send(ok) });
    for (let count = 0; count < 200; count++) {
      expect(await call()).toBe("{}");
      // Not yet seen by the client, whose event loop has not turned.
      upstream.connections.at(-1)?.[count % 2 === 0 ? "end" : "reset"]();
    }
    expect(upstream.connections).toHaveLength(200);
  });

  test("and whose replacement dies too is a transport failure after two requests", async () => {
    const { upstream, call } = setUp({
      request: (connection, index) => (index === 0 ? connection.send(ok) : connection.reset()),
    });
    await call();
    expect(await troubleOf(call())).toMatchObject({ kind: "transport", phase: "headers", unsent: false });
    expect(upstream.connections.map((connection) => connection.requests)).toEqual([2, 1]);
  });

  test("after one byte of an answer is not replaced", async () => {
    const { upstream, call } = setUp(
      onSecond((connection) => {
        connection.send("H");
        connection.end();
      }),
    );
    await call();
    expect(await troubleOf(call())).toMatchObject({ kind: "transport", phase: "headers", code: "unexpected_end" });
    expect(upstream.connections).toHaveLength(1);
  });

  test("is not replaced when the limit on the headers closed it", async () => {
    const { clock, upstream, client, call } = setUp(onSecond(() => {}));
    await call();
    const limits = { ...noLimits, responseHeaderMs: 1000 };
    const second = troubleOf(client.send(callTo(upstream.port, { limits })));
    await eventually(() => upstream.connections[0]?.requests === 2, "the second request");
    await clock.advance(1000);
    expect(await second).toMatchObject({ kind: "timeout", phase: "headers" });
    expect(upstream.connections).toHaveLength(1);
  });
});

test("2,000 calls at once each get their own answer", async () => {
  const { upstream, client } = setUp({
    request(connection) {
      const marker =
        /marker: (\d+)\r\n[^]*?$/.exec(connection.received.slice(connection.received.lastIndexOf("POST")))?.[1] ??
        "none";
      // All are held until all are there.
      waiting.push(() => connection.send(`HTTP/1.1 200 OK\r\ncontent-length: ${marker.length}\r\n\r\n${marker}`));
      if (waiting.length === 2000) for (const send of waiting.splice(0)) send();
    },
  });
  const waiting: (() => void)[] = [];
  for (let round = 0; round < 2; round++) {
    const texts = await Promise.all(
      Array.from({ length: 2000 }, async (_, index) => {
        const request = callTo(upstream.port, { headers: [["marker", String(index)]] });
        return textOf((await client.send(request)).body);
      }),
    );
    expect(texts.every((text, index) => text === String(index))).toBe(true);
  }
  expect([upstream.connections.length, client.openSockets]).toEqual([2000, 2000]);
}, 20_000);

test("a thousand interleaved streams keep their bytes apart", async () => {
  const { upstream, client } = setUp({
    request(connection) {
      const marker = /marker: (\d+)/.exec(connection.received)?.[1] ?? "none";
      connection.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      let left = 10;
      const next = (): void => {
        connection.send(`${(marker.length + 1).toString(16)}\r\n${marker},\r\n`);
        if (--left > 0) setTimeout(next, 1);
        else connection.send("0\r\n\r\n");
      };
      next();
    },
  });
  const texts = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const request = callTo(upstream.port, { headers: [["marker", String(index)]], stream: true });
      return textOf((await client.send(request)).body);
    }),
  );
  expect(texts.every((text, index) => text === `${index},`.repeat(10))).toBe(true);
}, 20_000);
