// What goes out on the wire and what comes back, over real sockets.

import { afterEach, describe, expect, test } from "bun:test";
import { type RawConnection, type RawUpstream, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, noLimits, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient, type HttpClient } from "./client.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function newClient(): HttpClient {
  const client = createHttpClient({ clock: systemClock });
  stops.push(() => client.close());
  return client;
}

function upstream(request: (connection: RawConnection, index: number) => void): RawUpstream {
  const started = startRawUpstream({ request });
  stops.push(() => started.stop());
  return started;
}

function answering(text: string): RawUpstream {
  return upstream((connection) => connection.send(text));
}

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

describe("requests", () => {
  test("a POST leaves as request line, host, the caller's headers, accept-encoding, length and body", async () => {
    const { port, connections } = answering(ok);
    await newClient().send(callTo(port, { headers: [["Authorization", "Bearer x"]], path: "/chat?a=b" }));
    expect(connections[0]?.received).toBe(
      `POST /v1/chat?a=b HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nAuthorization: Bearer x\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n{}`,
    );
  });

  test("a GET has neither length nor body, a POST without a body has length 0", async () => {
    const { port, connections } = answering(ok);
    const client = newClient();
    await textOf((await client.send(callTo(port, { method: "GET", body: undefined }))).body);
    await textOf((await client.send(callTo(port, { body: undefined }))).body);
    expect(connections).toHaveLength(1);
    const [get, post] = (connections[0]?.received ?? "").split(/(?=POST)/);
    expect(get).toEndWith("accept-encoding: identity\r\n\r\n");
    expect(get).not.toContain("content-length");
    expect(post).toEndWith("content-length: 0\r\n\r\n");
  });

  test("the caller's accept-encoding stays, its host, length and hop-by-hop headers do not", async () => {
    const { port, connections } = answering(ok);
    const headers = ["Host", "Content-Length", "Connection", "Transfer-Encoding", "TE", "Upgrade", "Expect"].map(
      (name): readonly [string, string] => [name, "evil"],
    );
    await newClient().send(callTo(port, { headers: [...headers, ["Accept-Encoding", "gzip"]] }));
    expect(connections[0]?.received).not.toContain("evil");
    expect(connections[0]?.received).toContain("Accept-Encoding: gzip\r\n");
    expect(connections[0]?.received).not.toContain("identity");
  });

  for (const [name, header] of [
    ["a line break in a value", ["x", "secret\r\nb: c"]],
    ["a lone CR in a value", ["x", "secret\rb"]],
    ["a lone LF in a value", ["x", "secret\nb"]],
    ["NUL in a value", ["x", "secret\0b"]],
    ["a line break in a name", ["x\r\nsecret", "a"]],
    ["an empty name", ["", "secret"]],
  ] as const) {
    test(`${name} is refused before anything is sent and without showing the value`, async () => {
      const { port, connections } = answering(ok);
      const trouble = await troubleOf(newClient().send(callTo(port, { headers: [header] })));
      expect(trouble).toMatchObject({ kind: "transport", phase: "connect", code: "unsendable_request", unsent: true });
      expect(trouble.message).not.toContain("secret");
      expect(connections).toHaveLength(0);
    });
  }

  for (const path of ["/a b", "/a\r\nx", "/é", "a", "/a#b"]) {
    test(`the path ${JSON.stringify(path)} is refused`, async () => {
      const { port } = answering(ok);
      expect((await troubleOf(newClient().send(callTo(port, { path })))).code).toBe("unsendable_request");
    });
  }

  test("a body of 20 MB arrives whole although the upstream reads slowly", async () => {
    const body = new Uint8Array(20 * 1024 * 1024).map((_, index) => index % 251);
    const { port, connections } = answering(ok);
    const answer = await newClient().send(callTo(port, { body }));
    expect(await textOf(answer.body)).toBe("{}");
    const received = connections[0]?.received ?? "";
    expect(Buffer.from(received.slice(-body.length), "latin1").equals(body)).toBe(true);
  });

  test("an upstream that refuses a large body early is heard, and its socket is not used again", async () => {
    const early = startRawUpstream({
      data(connection) {
        if (connection.received === "") connection.send("HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nlong");
      },
    });
    stops.push(() => early.stop());
    const client = newClient();
    const answer = await client.send(callTo(early.port, { body: new Uint8Array(50 * 1024 * 1024) }));
    expect([answer.status, await textOf(answer.body)]).toEqual([413, "long"]);
    await eventually(() => client.openSockets === 0, "the socket to be closed");
  });

  test("an upstream that refuses a large body early and resets is heard", async () => {
    const early = startRawUpstream({
      data(connection) {
        if (connection.received !== "") return;
        connection.send("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n");
        connection.end();
      },
    });
    stops.push(() => early.stop());
    const answer = await newClient().send(callTo(early.port, { body: new Uint8Array(20 * 1024 * 1024) }));
    expect(answer.status).toBe(413);
  });
});

describe("answers", () => {
  test("status, headers and body of a content-length answer", async () => {
    const answer = await newClient().send(callTo(answering(ok).port));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(await textOf(answer.body)).toBe("{}");
  });

  test("what arrived with the head is read at once, without a promise", async () => {
    const { body } = await newClient().send(callTo(answering(ok).port));
    expect(body.read()).toEqual(new TextEncoder().encode("{}"));
    expect(body.read()).toBeUndefined();
    expect(body.read()).toBeUndefined();
  });

  test("chunks are handed on as they arrive, also while a read waits", async () => {
    const { port, connections } = upstream((connection) =>
      connection.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
    );
    const { body } = await newClient().send(callTo(port, { stream: true }));
    for (const piece of ["one", "two", "three"]) {
      const read = body.read();
      connections[0]?.send(`${piece.length}\r\n${piece}\r\n`);
      expect(Buffer.from((await read) ?? []).toString()).toBe(piece);
    }
    const last = body.read();
    connections[0]?.send("0\r\nx-trailer: 1\r\n\r\n");
    expect(await last).toBeUndefined();
  });

  test("a body without length ends with the connection", async () => {
    const { port } = upstream((connection) => {
      connection.send("HTTP/1.1 200 OK\r\n\r\nsome");
      connection.send("thing");
      connection.end();
    });
    expect(await textOf((await newClient().send(callTo(port))).body)).toBe("something");
  });

  test("interim answers are skipped", async () => {
    const { port } = answering(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${ok}`);
    expect((await newClient().send(callTo(port))).status).toBe(200);
  });

  for (const status of [301, 302, 307, 308]) {
    test(`a ${status} is an answer, not an instruction`, async () => {
      const elsewhere = answering(ok);
      const { port, connections } = answering(
        `HTTP/1.1 ${status} Moved\r\nlocation: http://127.0.0.1:${elsewhere.port}/\r\ncontent-length: 0\r\n\r\n`,
      );
      expect((await newClient().send(callTo(port))).status).toBe(status);
      expect([connections[0]?.requests, elsewhere.connections.length]).toEqual([1, 0]);
    });
  }

  for (const [name, text] of [
    ["HTTP/0.9", "hello"],
    ["a status of 999", "HTTP/1.1 999 x\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["NUL in a header", "HTTP/1.1 200 OK\r\nx: \0\r\n\r\n"],
  ] as const) {
    test(`${name} is a transport failure of the headers and closes the socket`, async () => {
      const { port, connections } = answering(text);
      const client = newClient();
      expect(await troubleOf(client.send(callTo(port)))).toMatchObject({
        kind: "transport",
        phase: "headers",
        code: "malformed_answer",
        unsent: false,
      });
      expect(client.openSockets).toBe(0);
      await connections[0]?.closed;
    });
  }

  test("a connection closed before the answer is a transport failure, on a fresh connection without another try", async () => {
    const { port, connections } = upstream((connection) => connection.end());
    expect(await troubleOf(newClient().send(callTo(port)))).toMatchObject({
      kind: "transport",
      phase: "headers",
      code: "unexpected_end",
      unsent: false,
    });
    expect(connections).toHaveLength(1);
  });

  test("a reset before the answer is a transport failure", async () => {
    const { port } = upstream((connection) => connection.reset());
    expect(await troubleOf(newClient().send(callTo(port)))).toMatchObject({ code: "ECONNRESET", phase: "headers" });
  });

  for (const [name, text, cut] of [
    ["content-length closed early", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", "end"],
    ["content-length reset", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", "reset"],
    ["chunked closed early", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", "end"],
    ["chunked reset", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", "reset"],
    ["until close, reset", "HTTP/1.1 200 OK\r\n\r\nhalf", "reset"],
  ] as const) {
    test(`${name}: what came is read first, then the failure`, async () => {
      const { port, connections } = answering(text);
      const { body } = await newClient().send(callTo(port));
      expect(Buffer.from((await body.read()) ?? []).toString()).toBe("half");
      const next = troubleOf(textOf(body));
      connections[0]?.[cut]();
      expect(await next).toMatchObject({
        kind: "transport",
        phase: "body",
        code: cut === "end" ? "unexpected_end" : "ECONNRESET",
      });
    });
  }

  test("a bad chunk after good ones is a failure of the body", async () => {
    const { port } = answering("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\ngood\r\nx\r\n");
    const { body } = await newClient().send(callTo(port));
    expect(await troubleOf(textOf(body))).toMatchObject({ phase: "body", code: "malformed_chunk" });
  });

  test("a body of exactly the limit is read, one byte more is a failure", async () => {
    for (const [size, code] of [
      [1000, undefined],
      [1001, "body_too_large"],
    ] as const) {
      const { port } = answering(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${"a".repeat(size)}`);
      const { body } = await newClient().send(callTo(port, { maxBodyBytes: 1000 }));
      if (code === undefined) expect((await textOf(body)).length).toBe(size);
      else expect((await troubleOf(textOf(body))).code).toBe(code);
    }
  });

  test("an endless chunked body is cut at the limit and its socket closed", async () => {
    const { port, connections } = upstream((connection) => {
      connection.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      for (let count = 0; count < 64; count++) connection.send(`10000\r\n${"a".repeat(0x10000)}\r\n`);
    });
    const { body } = await newClient().send(callTo(port, { maxBodyBytes: 1_000_000 }));
    expect((await troubleOf(textOf(body))).code).toBe("body_too_large");
    expect(await connections[0]?.closed).toBe("reset");
  });
});

describe("connecting", () => {
  test("a refused connection is a transport failure with nothing sent", async () => {
    const gone = startRawUpstream({});
    gone.stop();
    const client = newClient();
    expect(await troubleOf(client.send(callTo(gone.port)))).toEqual({
      kind: "transport",
      phase: "connect",
      message: "connection refused",
      code: "ECONNREFUSED",
      unsent: true,
    });
    expect(client.openSockets).toBe(0);
  });

  test("a name that does not exist is a transport failure with nothing sent", async () => {
    const request = callTo(1, { limits: { ...noLimits, connectMs: 4000 } });
    const url = { ...request.url, host: "no-such-host.invalid" };
    const trouble = await troubleOf(newClient().send({ ...request, url }));
    expect(trouble).toMatchObject({ phase: "connect", unsent: true });
    expect(trouble.message).not.toContain("no-such-host");
  });
});
