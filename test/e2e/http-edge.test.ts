// What docs/http-edge.md promises of the edge: a row of its tables, a request, the answer.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { openRawConnection, type RawExchange } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

/** The columns of its tables are padded. */
const page = readFileSync(join(import.meta.dir, "../../docs/http-edge.md"), "utf8").replace(/ +/g, " ");
const key = "edge-test-key-0123456789";
let simulator: Simulator;
let gateway: RunningGateway;
/** As shipped, with the header limit that the launcher sets. */
let shipped: GatewayProcess;

beforeAll(async () => {
  simulator = startSimulator();
  gateway = await startGateway(`
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [ok, slow-first-20000, slow-first-300, slow-first-500, "status-401\\r\\nx-evil: 1", größe] }
models: { configured_provider_models_mode: allowlist }
logging: { enabled: false }
`);
  shipped = await startGatewayProcess(["--demo"], { GOMODEL_MASTER_KEY: key, LOGGING_ENABLED: "false" });
});
afterAll(async () => {
  await shipped.dispose();
  await gateway.stop();
  await simulator.stop();
});
afterEach(async () => {
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  expect((await fetch(`${shipped.url}/health`)).status).toBe(200);
  simulator.reset();
});

const chat = '{"model":"sim/ok","messages":[]}';

function get(path: string, headers: readonly string[] = [], method = "GET"): string {
  return `${method} ${path} HTTP/1.1\r\n${["Host: gateway", ...headers].join("\r\n")}\r\n\r\n`;
}

function post(body: string, headers: readonly string[] = [], length = Buffer.byteLength(body)): string {
  return `${get("/v1/chat/completions", [...headers, `Content-Length: ${length}`], "POST")}${body}`;
}

function chunked(chunks: string, headers: readonly string[] = []): string {
  return get("/v1/chat/completions", [...headers, "Transfer-Encoding: chunked"], "POST") + chunks;
}

/** The last answer; each ends in a brace. */
async function exchange(raw: string, port = gateway.port): Promise<RawExchange> {
  const client = openRawConnection(port);
  client.send(Buffer.from(raw));
  const answer = await client.receive(({ text }) => /^HTTP\/1\.1 [2-5][^]*\r\n\r\n[^]*\}$/m.test(text));
  client.close();
  return answer;
}

/** Everything until the connection is closed. */
async function refusal(raw: string, port = gateway.port): Promise<RawExchange> {
  const client = openRawConnection(port);
  client.send(Buffer.from(raw));
  const answer = await client.receive(() => false);
  client.close();
  return answer;
}

function statusOf({ text }: RawExchange): string {
  return text === "" ? "none" : (text.match(/HTTP\/1\.1 (\d{3}) /g) ?? []).map((line) => line.slice(9, 12)).join(", ");
}

const tooMany = Array.from({ length: 2000 }, (_, index) => `x-${index}: 1`);
const large = (kilobytes: number): string[] => [`X-Large: ${"x".repeat(kilobytes * 1024)}`];
const upgrade = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
];

/** First column of a table, its second, and the request that it speaks of. */
const refused: readonly (readonly [says: string, status: string, raw: string])[] = [
  ["`Content-Length` and `Transfer-Encoding` together", "400", chunked("0\r\n\r\n", ["Content-Length: 5"])],
  [
    "two `Content-Length` that differ, a list of them, or anything but digits",
    "400",
    post(chat, ["Content-Length: 3"]),
  ],
  ["a `Transfer-Encoding` other than `chunked`", "400", get("/v1/models", ["Transfer-Encoding: gzip, chunked"])],
  ["a chunk size that is not plain hexadecimal, a chunk without its line end", "400", chunked("zz\r\n{}\r\n0\r\n\r\n")],
  ["a chunk extension of more than 16 kB", "400", chunked(`1;${"x".repeat(20_000)}\r\n{\r\n0\r\n\r\n`)],
  ["a `Trailer` header on a chunked body", "400", chunked("2\r\n{}\r\n0\r\n\r\n", ["Trailer: X-A"])],
  ["trailers behind a chunked body", "400", chunked("2\r\n{}\r\n0\r\nX-A: b\r\n\r\n")],
  [
    "a header line folded over two lines, a bare CR, a NUL, a space in or behind a name",
    "400",
    get("/health", ["X-A: b\r\n c"]),
  ],
  ["no `Host`, two of them, or one that is no host name", "400", get("/health", ["Host: other"])],
  ["line ends without CR", "400", "GET /health HTTP/1.1\nHost: a\n\n"],
  ["an HTTP version other than 1.0 and 1.1", "505", "GET /health HTTP/1.2\r\nHost: a\r\n\r\n"],
  ["a target that is neither a path nor an `http://` address", "400", get("ftp://a/health")],
  ["the methods `CONNECT` and `TRACE`", "501", get("/health", [], "TRACE")],
  ["a method nobody knows, or one in lower case", "501", get("/health", [], "get")],
  ["an `Expect` other than `100-continue`", "417", post(chat, ["Expect: 200-ok"])],
  ["a websocket handshake, at any path", "426", get("/v1/chat/completions", upgrade)],
];

describe("refused, and the connection closed", () => {
  test.each(refused)("%s: %s", async (says, status, raw) => {
    expect(page).toContain(`| ${says} | ${status} |`);
    const answer = await refusal(raw);
    expect(statusOf(answer)).toBe(status);
    expect(answer.end).toBe("fin");
    expect(answer.text).toContain("\r\nconnection: close\r\n");
    expect(JSON.parse(answer.text.slice(answer.text.indexOf("\r\n\r\n")))).toMatchObject({
      error: { type: "invalid_request_error" },
    });
    expect(simulator.calls).toEqual([]);
  });

  test.each([
    ["more than 128 kB of headers", get("/v1/models", Array.from({ length: 15 }, () => large(9)).flat())],
    ["a header, or a target, of more than 16 kB", get("/v1/models", large(17))],
    ["a header, or a target, of more than 16 kB", get(`/${"x".repeat(17 * 1024)}`)],
    ["more than 200 headers", get("/v1/models", [...tooMany, `Authorization: Bearer ${key}`])],
  ])("%s: 431", async (says, raw) => {
    expect(page).toContain(`| ${says} | 431 |`);
    for (const port of [gateway.port, shipped.port]) {
      const answer = await refusal(raw, port);
      expect(statusOf(answer)).toBe("431");
      expect(answer.end).toBe("fin");
    }
  });
});

/** The same for requests that are served. */
const served: readonly (readonly [says: string, status: string, raw: string])[] = [
  ["a body on a `GET`", "200", get("/health", ["Content-Length: 2"]) + "{}"],
  ["an address as the target", "200", get("http://elsewhere.example/health")],
  [
    "an `Upgrade` to anything else, or on a `POST`",
    "200",
    get("/health", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"]),
  ],
  ["`Expect: 100-continue`, the body along with it", "200", post(chat, ["Expect: 100-continue"])],
  ["an empty line before the request", "200", `\r\n${get("/health")}`],
  ["the same `Content-Length` twice", "200", post(chat, [`Content-Length: ${chat.length}`])],
  ["HTTP/1.0", "200", get("/health").replace("1.1", "1.0")],
  ["a known method on a path that does not have it", "405", get("/v1/models", [], "PATCH")],
];

describe("served", () => {
  test.each(served)("%s: %s", async (says, status, raw) => {
    expect(page).toContain(`| ${says} | ${status} |`);
    expect(statusOf(await exchange(raw))).toBe(status);
  });

  test("100 kB of headers, and 190 of them: the key in the last one counts", async () => {
    const many = tooMany.slice(0, 190);
    for (const headers of [Array.from({ length: 10 }, () => large(10)).flat(), many]) {
      const answer = await exchange(get("/v1/models", [...headers, `Authorization: Bearer ${key}`]), shipped.port);
      expect(statusOf(answer)).toBe("200");
      expect(statusOf(await exchange(get("/v1/models", headers), shipped.port))).toBe("401");
    }
  });

  test("a body in single bytes, each in a chunk of its own", async () => {
    const client = openRawConnection(gateway.port);
    client.send(chunked(""));
    for (const byte of chat) {
      client.send(`1\r\n${byte}\r\n`);
      await Bun.sleep(0);
    }
    client.send("0\r\n\r\n");
    expect(statusOf(await client.receive(({ text }) => text.endsWith("}")))).toBe("200");
    expect(Buffer.from(simulator.calls[0]?.body ?? []).toString()).toBe(chat.replace("sim/", ""));
    client.close();
  });
});

describe("a body", () => {
  test("keeps keys that mean something to JavaScript, and keys given twice that are the provider's to judge", async () => {
    const members =
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":3,"seed":4,"seed":5';
    const { status } = await gateway.chat("", {}, { body: `{${members},"model":"sim/ok","messages":[]}` });
    expect(status).toBe(200);
    expect(Buffer.from(simulator.calls[0]?.body ?? []).toString()).toBe(`{${members},"model":"ok","messages":[]}`);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test.each(["model", "stream", "stream_options", "provider"])(
    "with two of %s is refused, the gateway would have to choose",
    async (name) => {
      const answer = await exchange(post(`{"model":"sim/ok","${name}":null,"messages":[],"${name}":null}`));
      expect(statusOf(answer)).toBe("400");
      expect(answer.text).toContain(`\`${name}\` is given twice`);
      expect(simulator.calls).toEqual([]);
    },
  );

  test("with invalid UTF-8 anywhere in it is refused", async () => {
    const bytes = Buffer.from(post('{"model":"sim/ok","messages":["\u{1}\u{1}"]}'.replaceAll("\u{1}", "~")));
    for (const wrong of [
      [0xff, 0xfe],
      [0xc0, 0xaf],
      [0xed, 0xa0],
    ]) {
      const broken = Buffer.from(bytes);
      broken.set(wrong, broken.indexOf("~~"));
      const client = openRawConnection(gateway.port);
      client.send(broken);
      const answer = await client.receive(({ text }) => text.endsWith("}}"));
      expect(statusOf(answer)).toBe("400");
      expect(answer.text).toContain("invalid UTF-8 at byte 31");
      client.close();
    }
    expect(simulator.calls).toEqual([]);
  });
});

describe("a body that its caller asks leave for", () => {
  test("is waved on, and then answered", async () => {
    const client = openRawConnection(gateway.port);
    client.send(post("", ["Expect: 100-continue"], chat.length));
    expect(statusOf(await client.receive(({ text }) => text.endsWith("\r\n\r\n")))).toBe("100");
    client.send(chat);
    expect(statusOf(await client.receive(({ text }) => text.endsWith("}")))).toBe("200");
    client.close();
  });

  test("and that is announced too large is refused at once, and none of it is read", async () => {
    const answer = await refusal(post("", ["Expect: 100-continue"], 1024 ** 3));
    expect(statusOf(answer)).toBe("413");
    expect(answer.end).toBe("fin");
  });
});

test("trailers in a later packet are a 400, and nothing goes to the provider", async () => {
  const client = openRawConnection(gateway.port);
  client.send(chunked(`${chat.length.toString(16)}\r\n${chat}\r\n`));
  await Bun.sleep(20);
  client.send("0\r\nX-Smuggled: 1\r\nContent-Length: 5\r\n\r\n");
  const answer = await client.receive(() => false);
  expect([statusOf(answer), answer.end]).toEqual(["400", "fin"]);
  expect(gateway.application.inFlight).toBe(0);
  expect(simulator.calls).toEqual([]);
});

describe("what is copied into an answer's headers", () => {
  test("cannot add one: a model name with a line end is encoded", async () => {
    const answer = await exchange(post('{"model":"sim/status-401\\r\\nx-evil: 1","messages":[]}'));
    expect(answer.text).toContain("\r\nX-GoModel-Model: status-401%0D%0Ax-evil%3A%201\r\n");
    expect(answer.text).not.toMatch(/^x-evil:/im);
  });

  test("is ASCII: a model name in another script is encoded", async () => {
    expect((await exchange(post('{"model":"sim/größe","messages":[]}'))).text).toContain(
      "\r\nX-GoModel-Model: gr%C3%B6%C3%9Fe\r\n",
    );
  });
});

test("a connection header cannot take the key or the request id away from a request", async () => {
  const nominated = ["Connection: authorization, x-request-id", "X-Request-ID: kept", `Authorization: Bearer ${key}`];
  const answer = await exchange(get("/v1/models", nominated), shipped.port);
  expect(statusOf(answer)).toBe("200");
  expect(answer.text).toContain("\r\nX-Request-ID: kept\r\n");
});

describe("a request behind a model call that is under way", () => {
  test.each([
    ["in the same packet", 0],
    ["in a later packet", 20],
  ])("%s waits for its answer", async (_, gapMs) => {
    const client = openRawConnection(gateway.port);
    const call = post('{"model":"sim/slow-first-300","messages":[]}', ["X-Request-ID: first"]);
    const next = get("/v1/models", ["X-Request-ID: second"]);
    client.send(gapMs === 0 ? call + next : call);
    if (gapMs > 0) {
      await eventually("the call is under way", () => simulator.calls.length === 1);
      client.send(next);
    }
    const { text } = await client.receive((soFar) => statusOf(soFar) === "200, 200" && soFar.text.endsWith("}"));
    expect(text.match(/^X-Request-ID: .*$/gm)).toEqual(["X-Request-ID: first", "X-Request-ID: second"]);
    client.close();
  });

  test("waits in bounded memory: what is sent ahead beyond 64 kB stays in the kernel", async () => {
    const client = openRawConnection(gateway.port);
    client.send(post('{"model":"sim/slow-first-500","messages":[]}'));
    const ahead = 3000;
    for (let count = 0; count < ahead; count++) client.send(get("/health", ["X-Filler: " + "x".repeat(100)]));
    const { text } = await client.receive((soFar) => soFar.text.split("HTTP/1.1 200 ").length === ahead + 2, 10_000);
    expect(text).toContain('"chat.completion"');
    client.close();
  });

  test("goes with it when the caller leaves", async () => {
    const client = openRawConnection(gateway.port);
    client.send(post('{"model":"sim/slow-first-20000","messages":[]}') + get("/health"));
    await eventually("the call is under way", () => simulator.calls.length === 1);
    client.close();
    await eventually("no call is left open", () => gateway.application.inFlight === 0);
    for (const call of simulator.calls.keys()) await simulator.waitForClosed(call, 2000);
  });

  test("is answered when it comes after the answer, on the same connection", async () => {
    const client = openRawConnection(gateway.port);
    for (const id of ["first", "second", "third"]) {
      client.send(post(chat, [`X-Request-ID: ${id}`]));
      expect((await client.receive(({ text }) => text.endsWith("}"))).text).toContain(`\r\nX-Request-ID: ${id}\r\n`);
    }
    client.close();
  });
});
