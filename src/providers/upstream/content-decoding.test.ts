// Bodies that come encoded although identity was asked for.

import { afterEach, describe, expect, test } from "bun:test";
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { type RawConnection, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "./client.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function setUp(request: (connection: RawConnection) => void) {
  const upstream = startRawUpstream({ request });
  const client = createHttpClient({ clock: systemClock });
  stops.push(upstream.stop, () => client.close());
  return { upstream, client };
}

function encoded(encoding: string, bytes: Uint8Array) {
  return setUp((connection) => {
    connection.send(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    connection.send(bytes);
  });
}

const text = JSON.stringify({ content: "word ".repeat(20_000), end: true });

for (const [encoding, bytes] of [
  ["gzip", gzipSync(text)],
  ["GZIP", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["br", brotliCompressSync(text)],
  ["identity", Buffer.from(text)],
] as const) {
  test(`${encoding} (${bytes.length} bytes) is decoded`, async () => {
    const { upstream, client } = encoded(encoding, bytes);
    for (let count = 0; count < 2; count++) {
      expect(await textOf((await client.send(callTo(upstream.port))).body)).toBe(text);
    }
    expect(upstream.connections).toHaveLength(1);
  });
}

for (const encoding of ["zstd", "compress", "gzip, gzip", "br, gzip", "constructor"]) {
  test(`${encoding} is refused and the socket closed`, async () => {
    const { upstream, client } = encoded(encoding, zstdCompressSync(text));
    expect(await troubleOf(client.send(callTo(upstream.port)))).toMatchObject({
      kind: "transport",
      code: "content_encoding",
    });
    await upstream.connections[0]?.closed;
  });
}

test("a stream is decoded event by event, as the upstream flushes", async () => {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const { upstream, client } = setUp((connection) => {
    connection.send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
    gzip.on("data", (bytes: Uint8Array) => connection.send(bytes));
    gzip.on("end", () => connection.end());
  });
  const { body } = await client.send(callTo(upstream.port, { stream: true }));
  for (const event of ["data: one\n\n", "data: two\n\n", "data: three\n\n"]) {
    const read = body.read();
    gzip.write(event);
    expect(Buffer.from((await read) ?? []).toString()).toBe(event);
  }
  gzip.end();
  expect(await body.read()).toBeUndefined();
});

describe("a bomb", () => {
  for (const [encoding, bytes] of [
    ["gzip", gzipSync(Buffer.alloc(200 * 1024 * 1024))],
    ["br", brotliCompressSync(Buffer.alloc(200 * 1024 * 1024), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ] as const) {
    test(`of ${bytes.length} bytes in ${encoding} stops at the limit of the decoded body`, async () => {
      const { upstream, client } = encoded(encoding, bytes);
      const { body } = await client.send(callTo(upstream.port, { maxBodyBytes: 8 * 1024 * 1024 }));
      let received = 0;
      const work = (async () => {
        for (let piece = await body.read(); piece !== undefined; piece = await body.read()) received += piece.length;
      })();
      expect(await troubleOf(work)).toMatchObject({ kind: "transport", phase: "body", code: "body_too_large" });
      expect(received).toBeLessThanOrEqual(8 * 1024 * 1024);
    });
  }
});

test("data that is not what its header says is a failure", async () => {
  const { upstream, client } = encoded("gzip", Buffer.from(text));
  const { body } = await client.send(callTo(upstream.port));
  expect(await troubleOf(textOf(body))).toMatchObject({ kind: "transport", phase: "body", code: "content_encoding" });
});

test("encoded data that stops before its own end is a failure although the HTTP body is whole", async () => {
  const bytes = gzipSync(text);
  const { upstream, client } = encoded("gzip", bytes.subarray(0, bytes.length - 20));
  const { body } = await client.send(callTo(upstream.port));
  expect(await troubleOf(textOf(body))).toMatchObject({ code: "content_encoding" });
});

test("an empty body needs no decoding", async () => {
  const { upstream, client } = encoded("gzip", new Uint8Array(0));
  expect(await textOf((await client.send(callTo(upstream.port))).body)).toBe("");
});

test("a cut in the encoded body is the failure of the connection", async () => {
  const { upstream, client } = setUp((connection) => {
    connection.send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1000\r\n\r\n");
    connection.send(gzipSync(text).subarray(0, 100));
    connection.end();
  });
  const { body } = await client.send(callTo(upstream.port));
  expect(await troubleOf(textOf(body))).toMatchObject({ phase: "body", code: "unexpected_end" });
});

test("cancelling while a read waits gives the end and closes the socket", async () => {
  const { upstream, client } = setUp((connection) =>
    connection.send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1000\r\n\r\n"),
  );
  const { body } = await client.send(callTo(upstream.port));
  const read = body.read();
  body.cancel();
  expect(await read).toBeUndefined();
  expect(body.read()).resolves.toBeUndefined();
  await upstream.connections[0]?.closed;
});
