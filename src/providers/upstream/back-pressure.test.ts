// A reader that stops costs a bounded amount of memory: the upstream is made to wait.

import { afterEach, expect, test } from "bun:test";
import { type RawUpstream, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo } from "../../../test/support/upstream-call.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "./client.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const total = 64 * 1024 * 1024;

/** Sends 64 MB, each byte told by its position. */
function flooding(head: string, wrap: (piece: string) => string): RawUpstream {
  const piece = wrap(Array.from({ length: 65_536 }, (_, index) => String.fromCharCode(index % 251)).join(""));
  const upstream = startRawUpstream({
    request(connection) {
      connection.send(head);
      connection.send(Buffer.alloc((total / 65_536) * piece.length, piece, "latin1"));
      connection.send(wrap(""));
    },
  });
  stops.push(upstream.stop);
  return upstream;
}

/** Bytes that the upstream got rid of, once that has stopped growing. */
async function stuckAt(upstream: RawUpstream): Promise<number> {
  let before = -1;
  for (let now = 0; now !== before || now === 0; now = upstream.connections[0]?.written ?? 0) {
    before = now;
    await Bun.sleep(100);
  }
  return before;
}

for (const [name, head, wrap] of [
  ["content-length", `HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`, (piece: string) => piece],
  [
    "chunked",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
    (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
  ],
] as const) {
  for (const stream of [true, false]) {
    test(`an upstream with 64 MB in ${name} for a ${stream ? "stream" : "buffered call"} nobody reads is blocked, goes on with each read, and loses nothing`, async () => {
      const upstream = flooding(head, wrap);
      const client = createHttpClient({ clock: systemClock });
      stops.push(() => client.close());
      const { body } = await client.send(callTo(upstream.port, { stream, maxBodyBytes: total }));
      const stuck = await stuckAt(upstream);
      // The kernel's own buffers swallow a few megabytes on the loopback.
      expect(stuck).toBeLessThan(16 * 1024 * 1024);
      await Bun.sleep(200);
      expect(upstream.connections[0]?.written).toBe(stuck);

      const first = await body.read();
      // The threshold and at most one read of the socket on top.
      expect(first?.length).toBeLessThanOrEqual((256 + 512) * 1024);
      // Its buffers may grow once somebody has read, by what they may hold at most; the rest of the 64 MB still has to wait.
      expect(await stuckAt(upstream)).toBeLessThan(stuck + 16 * 1024 * 1024);

      let received = first?.length ?? 0;
      let wrong = 0;
      for (let bytes = await body.read(); bytes !== undefined; bytes = await body.read()) {
        if (bytes[0] !== (received % 65_536) % 251) wrong++;
        received += bytes.length;
      }
      expect([received, wrong]).toEqual([total, 0]);
    }, 20_000);
  }
}

test("a connection whose answer ended while it was held back is used again", async () => {
  const size = 700_000;
  const upstream = startRawUpstream({
    request: (connection) => connection.send(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${"a".repeat(size)}`),
  });
  const client = createHttpClient({ clock: systemClock });
  stops.push(upstream.stop, () => client.close());
  for (let count = 0; count < 5; count++) {
    const { body } = await client.send(callTo(upstream.port));
    await Bun.sleep(10);
    let received = 0;
    for (let bytes = await body.read(); bytes !== undefined; bytes = await body.read()) received += bytes.length;
    expect(received).toBe(size);
  }
  expect(upstream.connections).toHaveLength(1);
});
