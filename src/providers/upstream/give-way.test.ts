// The limit on an attempt that holds while somebody else could answer, on a clock of the test's own and over real sockets.

import { afterEach, expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, noLimits, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { createHttpClient } from "./client.ts";
import type { HttpTrouble } from "./http-request.ts";
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

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

const giveWay = { giveWayAfterMs: 12_000, limits: { ...noLimits, totalMs: 600_000, responseHeaderMs: 600_000 } };
const comment = "8\r\n: ping\n\n\r\n";

test("a stream without an event is a timeout at the limit, whatever comments come, and its socket is closed", async () => {
  const { clock, upstream, client } = setUp({ request: (connection) => connection.send(head) });
  const { body } = await client.send(callTo(upstream.port, { ...giveWay, stream: true }));
  const seen = watch(textOf(body));
  for (let second = 1; second < 12; second++) {
    upstream.connections[0]?.send(comment);
    await clock.advance(1000);
  }
  await clock.advance(999);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toEqual({
    kind: "timeout",
    phase: "give-way",
    message: "no first event within 12000 ms, and another target is left",
    unsent: false,
  });
  expect(await upstream.connections[0]?.closed).toBe("reset");
});

test("ends with the first event of a stream, as the limit on the whole attempt does", async () => {
  const { clock, upstream, client } = setUp({ request: (connection) => connection.send(head) });
  const { body } = await client.send(callTo(upstream.port, { ...giveWay, stream: true }));
  const seen = watch(textOf(body));
  await clock.advance(11_999);
  body.started();
  await clock.advance(700_000);
  expect(seen.trouble).toBeUndefined();
  body.cancel();
});

test("a buffered answer without headers is a timeout at the limit", async () => {
  const { clock, upstream, client } = setUp({});
  const seen = watch(client.send(callTo(upstream.port, giveWay)));
  await eventually(() => upstream.connections[0]?.requests === 1, "a request");
  await clock.advance(11_999);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toMatchObject({
    kind: "timeout",
    phase: "give-way",
    message: "no response headers within 12000 ms, and another target is left",
  });
  expect(client.openSockets).toBe(0);
});

test("ends with the headers of a buffered answer: the body has the limit on the whole attempt", async () => {
  const { clock, upstream, client } = setUp({ request: (connection) => connection.send(head) });
  const { body } = await client.send(callTo(upstream.port, giveWay));
  const seen = watch(textOf(body));
  await clock.advance(599_999);
  expect(seen.trouble).toBeUndefined();
  await clock.advance(1);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "total" });
});

test("begins with the attempt: a connection that does not come about gives way as well", async () => {
  const { clock, upstream, client } = setUp({});
  const url = parseUpstreamUrl(`https://127.0.0.1:${upstream.port}`);
  const seen = watch(client.send(callTo(upstream.port, { ...giveWay, url })));
  await eventually(() => upstream.connections.length === 1, "a connection");
  await clock.advance(12_000);
  expect(seen.trouble).toMatchObject({ kind: "timeout", phase: "give-way", unsent: true });
});
