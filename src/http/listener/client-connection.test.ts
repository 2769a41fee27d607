// A connection from its first byte to its last: what is answered when, what is thrown away, and when it ends by itself.

import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { Failure } from "../../core/failure.ts";
import { ClientConnection, type ClientWire } from "./client-connection.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import type { Reply, ReplyStream } from "./reply.ts";

class TestWire implements ClientWire {
  readonly remoteAddress = "192.0.2.1";
  readonly events: string[] = [];
  written = "";
  takes = true;

  write(bytes: Uint8Array, offset: number, length: number): number {
    if (!this.takes) return 0;
    this.written += Buffer.from(bytes.subarray(offset, offset + length)).toString("latin1");
    return length;
  }
  pause(): void {
    this.events.push("pause");
  }
  resume(): void {
    this.events.push("resume");
  }
  shutdown(): void {
    this.events.push("shutdown");
  }
  end(): void {
    this.events.push("end");
  }
  terminate(): void {
    this.events.push("terminate");
  }
}

type Handler = (request: IncomingRequest) => Reply | Promise<Reply>;

function ok(body: Reply["body"], headers: Record<string, string> = {}): Reply {
  return { status: 200, headers, body };
}

function setUp(answer: Handler = ({ target }) => ok(target)) {
  const wire = new TestWire();
  const clock = new FakeClock();
  const asked: IncomingRequest[] = [];
  const gone: ClientConnection[] = [];
  const bugs: unknown[] = [];
  const keeper = {
    clock,
    handler: {
      answer(request: IncomingRequest) {
        asked.push(request);
        return answer(request);
      },
      refuse: ({ status, message }: Failure): Reply => ({ status, headers: { connection: "close" }, body: message }),
      onBug: (error: unknown) => void bugs.push(error),
    },
    connectionGone: (connection: ClientConnection) => void gone.push(connection),
  };
  const connection = new ClientConnection(wire, keeper);
  return {
    wire,
    clock,
    asked,
    gone,
    bugs,
    connection,
    send: (text: string) => connection.wireData(new Uint8Array(Buffer.from(text, "latin1"))),
    /** What was promised is there, and the round of events ends in which it was. */
    async round() {
      for (let count = 0; count < 2; count++) await new Promise((resolve) => setImmediate(resolve));
    },
    statuses: () => (wire.written.match(/HTTP\/1\.1 \d{3}/g) ?? []).map((line) => Number(line.slice(9))),
  };
}

const head = "POST /x HTTP/1.1\r\nhost: a\r\n";

describe("a request", () => {
  test("is answered with length and date, and the next one on the same connection", async () => {
    const { wire, send, round, asked } = setUp();
    send("GET /one HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    expect(wire.written).toMatch(/^HTTP\/1\.1 200 OK\r\ndate: [^\r]+ GMT\r\ncontent-length: 4\r\n\r\n\/one$/);
    send("GET /two HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    expect(wire.written).toEndWith("\r\n\r\n/two");
    expect(asked.map(({ clientIp }) => clientIp)).toEqual(["192.0.2.1", "192.0.2.1"]);
    expect(wire.events).toEqual([]);
  });

  test("whose head differs from the last one only in its length has a body of that length, sent ahead or not", async () => {
    const bodies: string[] = [];
    const { wire, send, round } = setUp(async (request) => {
      bodies.push(Buffer.from(await request.readBody(100)).toString());
      return ok(`${request.contentLength}`);
    });
    const post = (body: string): string => `${head}content-length: ${body.length}\r\nx-a: 1\r\n\r\n${body}`;
    const sent = ["aaaa", "bb", "ccccc", "d".repeat(12), "ee"];
    for (const body of sent) {
      send(post(body));
      await round();
    }
    send(sent.map(post).join(""));
    for (const _ of sent) await round();
    expect(bodies).toEqual([...sent, ...sent]);
    const told = [...wire.written.matchAll(/\r\n\r\n(\d+)/g)].map(([, length]) => Number(length));
    expect(told).toEqual(bodies.map(({ length }) => length));
    expect(wire.events).toEqual([]);
  });

  test.each([
    ["content-length: 5\r\n\r\n", "hello"],
    ["transfer-encoding: chunked\r\n\r\n", "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n"],
  ])("with a body: %j, however it is split", async (rest, body) => {
    const raw = head + rest + body;
    for (let cut = 1; cut < raw.length; cut++) {
      const { wire, send, round } = setUp(async (request) => ok(await request.readBody(5)));
      send(raw.slice(0, cut));
      send(raw.slice(cut));
      await round();
      expect(wire.written).toEndWith("\r\ncontent-length: 5\r\n\r\nhello");
      send("GET /next HTTP/1.1\r\nhost: a\r\n\r\n");
      await round();
      expect(wire.events).toEqual([]);
    }
  });

  test("whose body nobody reads is answered, and the next one found behind it", async () => {
    const { statuses, send, round, asked, connection } = setUp();
    send(`${head}content-length: 10\r\n\r\n12345`);
    await round();
    expect([statuses(), connection.busy]).toEqual([[200], false]);
    send("67890GET /two HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    expect(statuses()).toEqual([200, 200]);
    expect(asked.map(({ target }) => target)).toEqual(["/x", "/two"]);
  });

  test("waits for the answer to the one before it, and what comes ahead of time beyond 64 kB for the kernel", async () => {
    const first = Promise.withResolvers<Reply>();
    const { wire, send, round, asked } = setUp(({ target }) => (target === "/one" ? first.promise : ok(target)));
    send("GET /one HTTP/1.1\r\nhost: a\r\n\r\nGET /two HTTP/1.1\r\nhost: a\r\n\r\n");
    send(`GET /three HTTP/1.1\r\nhost: a\r\nx: `);
    await round();
    expect([asked.length, wire.written, wire.events]).toEqual([1, "", []]);
    for (let count = 0; count < 7; count++) send(`${"y".repeat(10_000)}\r\nx: `);
    expect(wire.events).toEqual(["pause"]);
    first.resolve(ok("/one"));
    await round();
    send("\r\n\r\n");
    await round();
    await round();
    expect(asked.map(({ target }) => target)).toEqual(["/one", "/two", "/three"]);
    // For the first and for the second.
    expect(wire.events).toEqual(["pause", "resume", "pause", "resume"]);
  });

  test("for a head gets the length and no body", async () => {
    const { wire, send, round } = setUp();
    send("HEAD /one HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    expect(wire.written).toEndWith("\r\ncontent-length: 4\r\n\r\n");
  });

  test("that asks leave to send its body gets it when the body is wanted", async () => {
    const { wire, send, round } = setUp(async (request) => ok(await request.readBody(5)));
    send(`${head}expect: 100-continue\r\ncontent-length: 5\r\n\r\n`);
    expect(wire.written).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    send("hello");
    await round();
    expect(wire.written).toEndWith("\r\n\r\nhello");
  });
});

describe("the connection is closed after the answer", () => {
  test.each([
    ["when the caller says so", "GET /x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
    ["of HTTP/1.0", "GET /x HTTP/1.0\r\nhost: a\r\n\r\n"],
  ])("%s", async (_, raw) => {
    const { wire, gone, connection, send, round } = setUp();
    send(raw);
    await round();
    expect(wire.written).toContain("\r\nconnection: close\r\n");
    expect(wire.events).toEqual(["end"]);
    expect(gone).toEqual([connection]);
  });

  test("when the handler says so", async () => {
    const first = setUp(() => ok("", { connection: "close" }));
    first.send("GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
    await first.round();
    expect(first.wire.written.match(/connection: close/g)).toHaveLength(1);
    expect(first.wire.events).toEqual(["end"]);
  });

  test.each([
    ["a head that is none", "GET /x HTTP/9\r\n\r\n", 505],
    ["a malformed chunk", `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
    ["trailers", `${head}transfer-encoding: chunked\r\n\r\n0\r\na: b\r\n\r\n`, 400],
  ])("to %s; what follows is thrown away, up to 64 MB, within 30 s", async (_, raw, status) => {
    const { wire, clock, gone, asked, statuses, connection, send, round } = setUp();
    send(`${raw}GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n`);
    await round();
    expect(statuses()).toEqual([status]);
    expect(wire.events).toEqual(["shutdown"]);
    send("GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    expect([statuses(), asked.length]).toEqual([[status], 0]);
    await clock.advance(29_999);
    connection.checkTime(clock.now());
    expect(gone).toEqual([]);
    for (let megabytes = 0; megabytes < 65; megabytes++) connection.wireData(new Uint8Array(1024 * 1024));
    expect(wire.events).toEqual(["shutdown", "terminate"]);
    expect(gone).toEqual([connection]);
  });

  test("to a body that breaks while it is read", async () => {
    const { wire, statuses, send, round } = setUp(async (request) => {
      const body = request.readBody(100);
      return body instanceof Promise ? body.then(ok, ({ status }: Failure) => ({ ...ok(""), status })) : ok(body);
    });
    send(`${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`);
    send("zz\r\n");
    await round();
    expect(statuses()).toEqual([400]);
    expect(wire.events).toEqual(["shutdown"]);
  });
});

describe("a body that is too large", () => {
  test.each(["content-length: 6\r\n\r\n123456", "transfer-encoding: chunked\r\n\r\n6\r\n123456\r\n0\r\n\r\n"])(
    "%j is a 413, at once and later, and the next request is served",
    async (rest) => {
      for (const cut of [rest.length, rest.indexOf("123")]) {
        const { statuses, send, round } = setUp(async (request) => {
          try {
            return ok(await request.readBody(5));
          } catch (error) {
            return { ...ok(""), status: (error as Failure).status };
          }
        });
        send(head + rest.slice(0, cut));
        send(`${rest.slice(cut)}${head}content-length: 1\r\n\r\n1`);
        await round();
        await round();
        expect(statuses()).toEqual([413, 200]);
      }
    },
  );
});

test("a reply that never comes for a mistake of ours breaks the connection", async () => {
  const oops = new TypeError("oops");
  const { wire, bugs, gone, send, round } = setUp(() => Promise.reject(oops));
  send("GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
  await round();
  expect([bugs, wire.events, gone.length]).toEqual([[oops], ["terminate"], 1]);
});

describe("a caller who leaves", () => {
  test("ends the body that is read and tells who watches, once", async () => {
    let left = 0;
    const failure = Promise.withResolvers<unknown>();
    const { connection, gone, send, round } = setUp((request) => {
      request.watcher = { clientLeft: () => void left++ };
      Promise.resolve(request.readBody(100)).catch(failure.resolve);
      return new Promise(() => {});
    });
    send(`${head}content-length: 5\r\n\r\n12`);
    connection.wireClosed();
    connection.wireClosed();
    expect(await failure.promise).toMatchObject({ status: 400 });
    await round();
    expect([left, gone.length]).toEqual([1, 1]);
  });

  test("before a stream begins is told to the stream that comes too late", async () => {
    const reply = Promise.withResolvers<Reply>();
    const { connection, wire, send, round } = setUp(() => reply.promise);
    let left = 0;
    const body: ReplyStream = {
      first: Buffer.from("first"),
      stallTimeoutMs: 0,
      next: () => undefined,
      onPiece() {},
      onEnd() {},
      onLeft: () => void left++,
      onStall() {},
    };
    send("GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
    connection.wireClosed();
    reply.resolve(ok(body));
    await round();
    expect([left, wire.written]).toEqual([1, ""]);
  });

  test("after the answer was written is nobody's concern", async () => {
    let left = 0;
    const { connection, send, round } = setUp((request) => {
      request.watcher = { clientLeft: () => void left++ };
      return ok("x");
    });
    send("GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
    await round();
    connection.wireClosed();
    expect(left).toBe(0);
  });
});

describe("a connection ends by itself", () => {
  async function secondsOpen(
    { connection, clock, gone, send }: ReturnType<typeof setUp>,
    drip: string = "",
  ): Promise<number> {
    for (let seconds = 1; seconds <= 400; seconds++) {
      await clock.advance(1000);
      if (drip !== "") send(drip);
      connection.checkTime(clock.now());
      if (gone.length > 0) return seconds;
    }
    return Infinity;
  }

  test.each([
    ["that sends nothing", "", "", 10],
    ["whose first head trickles in", `${head}x: `, "a", 10],
    ["that is silent after an answer", "GET /x HTTP/1.1\r\nhost: a\r\n\r\n", "", 120],
    ["whose next head trickles in", `GET /x HTTP/1.1\r\nhost: a\r\n\r\n${head}x: `, "a", 120],
    ["whose body stops", `${head}content-length: 100\r\n\r\n1`, "", 120],
    ["whose body comes a byte a second", `${head}content-length: 1000\r\n\r\n1`, "1", 121],
    ["whose body comes at 8 kB a second", `${head}content-length: 9000000\r\n\r\n`, "x".repeat(8000), 240],
    ["whose body comes at 16 kB a second", `${head}content-length: 9000000\r\n\r\n`, "x".repeat(16_000), Infinity],
  ])("%s", async (_, raw, drip, seconds) => {
    const tools = setUp((request) => {
      if (request.contentLength === undefined) return ok("");
      void Promise.resolve(request.readBody(1e9)).catch(() => {});
      return new Promise(() => {});
    });
    if (raw !== "") tools.send(raw);
    await tools.round();
    expect(await secondsOpen(tools, drip)).toBe(seconds);
  });

  test("not while its answer is awaited, but when nobody takes it", async () => {
    const reply = Promise.withResolvers<Reply>();
    const tools = setUp(() => reply.promise);
    tools.send("GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await secondsOpen(tools)).toBe(Infinity);
    tools.wire.takes = false;
    reply.resolve(ok("x"));
    await tools.round();
    expect(await secondsOpen(tools)).toBe(120);
  });
});
