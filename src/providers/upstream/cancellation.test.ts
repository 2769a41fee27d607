// A request that is cancelled, or whose body nobody wants any more, closes its socket at once in every phase.

import { afterEach, describe, expect, test } from "bun:test";
import { type RawConnection, type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { Cancellation } from "../../core/cancellation.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "./client.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function setUp(options: RawUpstreamOptions) {
  const upstream = startRawUpstream(options);
  const client = createHttpClient({ clock: systemClock });
  stops.push(() => client.close(), upstream.stop);
  return { upstream, client, cancellation: new Cancellation() };
}

/** The promise is 100 ms; ten times that on a machine shared with others. */
async function closedSoon(connection: RawConnection | undefined, since: number): Promise<void> {
  expect(await connection?.closed).toBe("reset");
  expect(performance.now() - since).toBeLessThan(1000);
}

const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe("a cancelled request", () => {
  test("before it was sent opens nothing", async () => {
    const { upstream, client, cancellation } = setUp({});
    cancellation.cancel("deadline");
    expect(await troubleOf(client.send(callTo(upstream.port, { cancellation })))).toEqual({
      kind: "cancelled",
      phase: "connect",
      message: "the request was cancelled",
      cancelReason: "deadline",
      unsent: true,
    });
    expect(client.openSockets).toBe(0);
  });

  test("at once after sending gives up the connection that is being opened", async () => {
    const { upstream, client, cancellation } = setUp({});
    const sent = troubleOf(client.send(callTo(upstream.port, { cancellation })));
    cancellation.cancel("client-left");
    expect(await sent).toMatchObject({
      kind: "cancelled",
      phase: "connect",
      cancelReason: "client-left",
      unsent: true,
    });
    expect(client.openSockets).toBe(0);
    // Whatever the runtime still opened was closed again without a byte.
    await Bun.sleep(20);
    for (const connection of upstream.connections)
      expect([await connection.closed, connection.received]).toEqual(["reset", ""]);
  });

  test("in the TLS handshake closes the socket", async () => {
    const { upstream, client, cancellation } = setUp({});
    const url = parseUpstreamUrl(`https://127.0.0.1:${upstream.port}`);
    const sent = troubleOf(client.send(callTo(upstream.port, { url, cancellation })));
    await eventually(() => upstream.connections.length === 1, "a connection");
    const since = performance.now();
    cancellation.cancel("client-left");
    expect(await sent).toMatchObject({ kind: "cancelled", phase: "connect", unsent: true });
    await upstream.connections[0]?.closed;
    expect(performance.now() - since).toBeLessThan(1000);
  });

  test("while it waits for headers closes the socket", async () => {
    const { upstream, client, cancellation } = setUp({});
    const sent = troubleOf(client.send(callTo(upstream.port, { cancellation })));
    await eventually(() => upstream.connections[0]?.requests === 1, "the request");
    const since = performance.now();
    cancellation.cancel("drain");
    expect(await sent).toMatchObject({ kind: "cancelled", phase: "headers", cancelReason: "drain", unsent: false });
    await closedSoon(upstream.connections[0], since);
    expect(client.openSockets).toBe(0);
  });

  test("while it is being written closes the socket", async () => {
    const { upstream, client, cancellation } = setUp({ data: (connection) => connection.send("") });
    const sent = troubleOf(
      client.send(callTo(upstream.port, { cancellation, body: new Uint8Array(100 * 1024 * 1024) })),
    );
    await eventually(() => (upstream.connections[0]?.received.length ?? 0) > 0, "the first bytes");
    const since = performance.now();
    cancellation.cancel("client-left");
    expect(await sent).toMatchObject({ kind: "cancelled", phase: "headers" });
    await closedSoon(upstream.connections[0], since);
  });

  test("while a read waits closes the socket and fails the read", async () => {
    const { upstream, client, cancellation } = setUp({ request: (connection) => connection.send(`${head}1\r\na\r\n`) });
    const { body } = await client.send(callTo(upstream.port, { cancellation, stream: true }));
    await body.read();
    const read = troubleOf(textOf(body));
    const since = performance.now();
    cancellation.cancel("client-left");
    expect(await read).toMatchObject({ kind: "cancelled", phase: "body", cancelReason: "client-left" });
    await closedSoon(upstream.connections[0], since);
  });

  test("while nobody reads closes the socket, drops what had arrived and fails the next read", async () => {
    const { upstream, client, cancellation } = setUp({ request: (connection) => connection.send(`${head}1\r\na\r\n`) });
    const { body } = await client.send(callTo(upstream.port, { cancellation, stream: true }));
    const since = performance.now();
    cancellation.cancel("deadline");
    await closedSoon(upstream.connections[0], since);
    expect(await troubleOf(textOf(body))).toMatchObject({ kind: "cancelled", phase: "body", cancelReason: "deadline" });
  });

  test("after the whole answer has arrived leaves answer and connection alone", async () => {
    const { upstream, client, cancellation } = setUp({
      request: (connection) => connection.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
    });
    const { body } = await client.send(callTo(upstream.port, { cancellation }));
    cancellation.cancel("client-left");
    expect(await textOf(body)).toBe("{}");
    await client.send(callTo(upstream.port));
    expect(upstream.connections).toHaveLength(1);
  });

  test("on a hundred sockets at random moments leaves none open", async () => {
    const { upstream, client } = setUp({
      request(connection) {
        connection.send(head);
        const timer = setInterval(() => (connection.open ? connection.send("1\r\na\r\n") : clearInterval(timer)), 1);
      },
    });
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const cancellation = new Cancellation();
        setTimeout(() => cancellation.cancel("client-left"), (index * 7) % 40);
        const work = client
          .send(callTo(upstream.port, { cancellation, stream: true }))
          .then((answer) => textOf(answer.body));
        expect((await troubleOf(work)).kind).toBe("cancelled");
      }),
    );
    expect(client.openSockets).toBe(0);
    await eventually(
      () => upstream.connections.every((connection) => !connection.open),
      "the upstream to see all of them close",
    );
  });
});

describe("a cancelled body", () => {
  test("closes the socket; the read that waited and later ones give the end", async () => {
    const { upstream, client } = setUp({ request: (connection) => connection.send(`${head}1\r\na\r\n`) });
    const { body } = await client.send(callTo(upstream.port, { stream: true }));
    await body.read();
    const read = body.read();
    const since = performance.now();
    body.cancel();
    body.cancel();
    expect(await read).toBeUndefined();
    expect(body.read()).toBeUndefined();
    await closedSoon(upstream.connections[0], since);
    expect(client.openSockets).toBe(0);
  });

  test("at its end keeps the connection", async () => {
    const { upstream, client } = setUp({
      request: (connection) => connection.send("HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\n{}"),
    });
    for (let count = 0; count < 3; count++) (await client.send(callTo(upstream.port))).body.cancel();
    expect(upstream.connections).toHaveLength(1);
  });
});

test("a connection attempt that hangs in the network is given up at its limit and by cancellation", async () => {
  // A listener that never accepts, with its queue full: further SYNs are dropped, as by a firewall. Node, for Bun ignores `backlog`.
  const script = `const s=require("node:net").createServer().listen({port:0,host:"127.0.0.1",backlog:1},()=>{
    require("node:fs").writeSync(1,String(s.address().port)+"\\n");Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)})`;
  const child = Bun.spawn(["node", "-e", script], { stdout: "pipe" });
  stops.push(() => child.kill(9));
  const { value } = await child.stdout.getReader().read();
  const port = Number(Buffer.from(value ?? []).toString());
  const client = createHttpClient({ clock: systemClock });
  stops.push(() => client.close());
  const hanging = { ...callTo(port).limits, connectMs: 200 };
  const troubles = await Promise.all(
    Array.from({ length: 6 }, () => {
      const cancellation = new Cancellation();
      setTimeout(() => cancellation.cancel("client-left"), 400);
      return troubleOf(client.send(callTo(port, { limits: hanging, cancellation })));
    }),
  );
  expect(troubles.some((trouble) => trouble.kind === "timeout" && trouble.phase === "connect" && trouble.unsent)).toBe(
    true,
  );
  const cancellation = new Cancellation();
  const late = troubleOf(client.send(callTo(port, { cancellation })));
  await Bun.sleep(20);
  cancellation.cancel("client-left");
  expect(await late).toMatchObject({ kind: "cancelled", phase: "connect", unsent: true });
});
