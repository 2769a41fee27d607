import { expect, test } from "bun:test";
import { systemClock } from "../../core/clock.ts";
import { ask } from "./ask.ts";

/** Answers every connection with these bytes, then closes it when `end` says so. */
async function seen(bytes: string, options: { end: boolean; patienceMs?: number }) {
  const received: string[] = [];
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        received.push(data.toString());
        socket.write(bytes);
        if (options.end) socket.end();
      },
    },
  });
  try {
    const result = await ask({
      url: `http://127.0.0.1:${server.port}`,
      model: "smart",
      mode: "stream",
      choices: 2,
      patienceMs: options.patienceMs ?? 5000,
      clock: systemClock,
    });
    return { ...result, received: received.join("") };
  } finally {
    server.stop(true);
  }
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

test("a whole answer has its status, headers and body, and the request what was asked", async () => {
  const { status, headers, body, left, trouble, received } = await seen(`${head}5\r\nhello\r\n0\r\n\r\n`, {
    end: false,
  });
  expect([status, headers?.get("content-type"), body, left, trouble]).toEqual([
    200,
    "text/event-stream",
    "hello",
    false,
    undefined,
  ]);
  expect(received).toContain('{"model":"smart","messages":[{"role":"user","content":"Hello"}],"stream":true,"n":2}');
});

test("a connection that breaks before the end is trouble, and what came is kept", async () => {
  const { status, body, trouble } = await seen(`${head}5\r\nhello\r\n`, { end: true });
  expect([status, body]).toEqual([200, "hello"]);
  expect(trouble).toBeString();
});

test("a connection that breaks before the head is trouble", async () => {
  const { status, trouble } = await seen("", { end: true });
  expect(status).toBeUndefined();
  expect(trouble).toBeString();
});

test("a caller whose patience ends leaves, with what came until then", async () => {
  const { status, body, left, trouble } = await seen(`${head}5\r\nhello\r\n`, { end: false, patienceMs: 50 });
  expect([status, body, left, trouble]).toEqual([200, "hello", true, undefined]);
});
