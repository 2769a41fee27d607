// Whatever is wrong with a request, the answer says what to change, nothing goes upstream and the process lives.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { modelRequest, openRawConnection, type RawExchange } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let simulator: Simulator;
let gateway: RunningGateway;
let based: RunningGateway;

beforeAll(async () => {
  simulator = startSimulator();
  const providers = `
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [ok, "org/deep/ok-3", "größe.ok"] }
models: { configured_provider_models_mode: allowlist }
`;
  gateway = await startGateway(`server: { body_size_limit: 64K }${providers}`);
  based = await startGateway(`server: { base_path: /g }${providers}`);
});
afterAll(async () => {
  expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
  await gateway.stop();
  await based.stop();
  await simulator.stop();
});
afterEach(async () => {
  expect(simulator.calls).toEqual([]);
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  simulator.reset();
});

const chatPath = "/v1/chat/completions";

/** `raw` as it is; the answer's head and body, once both are there or the connection ended. */
async function exchange(raw: string | Uint8Array, port = gateway.port): Promise<RawExchange> {
  const client = openRawConnection(port);
  client.send(raw);
  const answer = await client.receive(({ text }) => text.endsWith("}") || text.endsWith("\r\n0\r\n\r\n"));
  client.close();
  return answer;
}

async function residentBytes(pid: number): Promise<number> {
  return Number(await new Response(Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)]).stdout).text()) * 1024;
}

interface Envelope {
  readonly error: { readonly message: string; readonly type: string; readonly param: unknown; readonly code: unknown };
}

/** The error in an answer; fails unless the envelope has all four members and nothing else. */
function errorOf({ text }: RawExchange): Envelope["error"] & { readonly status: number } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const envelope: Envelope = JSON.parse(body);
  expect(Object.keys(envelope)).toEqual(["error"]);
  expect(Object.keys(envelope.error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(head.toLowerCase()).toContain("content-type: application/json");
  expect(head.toLowerCase()).toContain("x-request-id: ");
  return { ...envelope.error, status: Number(head.slice(9, 12)) };
}

function post(body: string | Uint8Array, headers: readonly string[] = [], path = chatPath): Buffer {
  const bytes = Buffer.from(body);
  const lines = ["Host: gateway", "Content-Type: application/json", `Content-Length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`), bytes]);
}

function get(path: string, headers: readonly string[] = ["Host: gateway"], method = "GET"): string {
  return `${method} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
}

describe("a body that cannot be used is 400 and says where", () => {
  test.each([
    ["an empty one", "", "empty", null],
    ["no JSON", "hello", "must be a JSON object", null],
    ["JSON that stops", '{"model":"sim/ok"', "not valid JSON", null],
    ["a bad word at byte 13", '{"model": tru}', "at byte 13", null],
    ["an array", "[]", "must be a JSON object", null],
    ["null", "null", "must be a JSON object", null],
    ["a string", '"sim/ok"', "must be a JSON object", null],
    ["no model", '{"messages":[]}', "`model`", "model"],
    ["an empty model", '{"model":""}', "`model`", "model"],
    ["a model that is a number", '{"model":1}', "`model`", "model"],
    ["a stream flag in quotes", '{"model":"sim/ok","stream":"true"}', "`stream`", "stream"],
    ["two models", '{"model":"sim/ok","model":"b"}', "model", "model"],
    ["a model nobody has", '{"model":"nobody/knows"}', "unsupported model: nobody/knows", "model"],
    ["a model called __proto__", '{"model":"__proto__"}', "unsupported model: __proto__", "model"],
  ])("%s", async (_, body, message, param) => {
    const error = errorOf(await exchange(post(body)));
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error", param });
    expect(error.message).toContain(message);
  });

  test("bytes that are no UTF-8", async () => {
    const bytes = Buffer.from([...Buffer.from('{"model":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    expect(errorOf(await exchange(post(bytes))).status).toBe(400);
  });

  test("100,000 levels of arrays", async () => {
    const limitless = based.port;
    const body = `{"model":"sim/ok","messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const begun = performance.now();
    expect(errorOf(await exchange(post(body, [], `/g${chatPath}`), limitless)).status).toBe(400);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test("one in a content-encoding is 415 and names it", async () => {
    const error = errorOf(await exchange(post('{"model":"sim/ok"}', ["Content-Encoding: gzip"])));
    expect(error).toMatchObject({ status: 415, type: "invalid_request_error" });
    expect(error.message).toContain("gzip");
  });

  test("one whose sender stops half-way and closes gets a row and no answer", async () => {
    const client = openRawConnection(gateway.port);
    client.send(post('{"model":"sim/ok"}').subarray(0, -3));
    client.close();
  });
});

describe("a body over the limit is 413 and names the setting", () => {
  const tooLarge = { status: 413, type: "invalid_request_error", code: "request_too_large" };

  test("by its declared length, while none of it is sent", async () => {
    const error = errorOf(await exchange(post("").toString().replace("Length: 0", "Length: 65537")));
    expect(error).toMatchObject(tooLarge);
    expect(error.message).toContain("BODY_SIZE_LIMIT");
  });

  test("a declared gigabyte ends the connection after the answer", async () => {
    const client = openRawConnection(gateway.port);
    client.send(post("").toString().replace("Length: 0", "Length: 1073741824"));
    const answer = await client.receive(() => false);
    expect(errorOf(answer)).toMatchObject(tooLarge);
    expect(answer.text.toLowerCase()).toContain("\r\nconnection: close\r\n");
    expect(answer.end).toBe("fin");
  });

  test("in chunks, as soon as they exceed it", async () => {
    const client = openRawConnection(gateway.port);
    client.send(get(chatPath, ["Host: gateway", "Transfer-Encoding: chunked"], "POST"));
    for (let sent = 0; sent < 5; sent++) client.send(`4000\r\n${"x".repeat(16_384)}\r\n`);
    expect(errorOf(await client.receive(({ text }) => text.endsWith("}}")))).toMatchObject(tooLarge);
    client.close();
  });

  test("the exact limit is read, in one piece and in chunks", async () => {
    const body = `{"model":"nobody","x":"${"y".repeat(65_536 - 25)}"}`;
    expect(body).toHaveLength(65_536);
    expect(errorOf(await exchange(post(body))).message).toContain("nobody");
    const chunked = `${get(chatPath, ["Host: gateway", "Transfer-Encoding: chunked"], "POST")}10000\r\n${body}\r\n0\r\n\r\n`;
    expect(errorOf(await exchange(chunked)).message).toContain("nobody");
  });

  test("60 MB that are sent all the same are thrown away as they come, and the connection goes on", async () => {
    const other = await startGatewayProcess([], { BODY_SIZE_LIMIT: "64K" });
    const client = openRawConnection(other.port);
    client.send(get("/health"));
    await client.receive(({ text }) => text.endsWith("}"));
    const before = await residentBytes(other.pid);
    client.send(
      post("")
        .toString()
        .replace("Length: 0", `Length: ${60 * 1024 * 1024}`),
    );
    expect(errorOf(await client.receive(({ text }) => text.endsWith("}}")))).toMatchObject(tooLarge);
    const piece = Buffer.alloc(1024 * 1024, 0x78);
    for (let sent = 0; sent < 60; sent++) client.send(piece);
    client.send(get("/health"));
    expect((await client.receive(({ text }) => text.endsWith("}"), 10_000)).text).toContain('{"status":"ok"}');
    expect((await residentBytes(other.pid)) - before).toBeLessThan(30 * 1024 * 1024);
    client.close();
    await other.dispose();
  }, 20_000);

  test("a client that waits for 100 Continue gets it when its body is welcome", async () => {
    const body = '{"model":"nobody"}';
    const client = openRawConnection(gateway.port);
    const whole = post(body, ["Expect: 100-continue"]).toString();
    client.send(whole.slice(0, -body.length));
    await client.receive(({ text }) => text === "HTTP/1.1 100 Continue\r\n\r\n");
    client.send(body);
    expect(errorOf(await client.receive(({ text }) => text.endsWith("}}"))).message).toContain("nobody");
    client.close();
  });
});

describe("a wrong method is 405, names the right one and allows it", () => {
  test.each([
    ["GET", chatPath, "POST"],
    ["PUT", chatPath, "POST"],
    ["OPTIONS", "/v1/embeddings", "POST"],
    ["POST", "/v1/models", "GET, HEAD"],
    ["DELETE", "/v1/models/sim/ok", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/admin/audit/log", "GET, HEAD"],
  ])("%s %s", async (method, path, allowed) => {
    const answer = await exchange(get(path, ["Host: gateway"], method));
    expect(errorOf(answer)).toMatchObject({ status: 405, type: "invalid_request_error", code: "method_not_allowed" });
    expect(errorOf(answer).message).toContain(`use ${allowed.split(",")[0]}`);
    expect(answer.text).toContain(`\r\nAllow: ${allowed}\r\n`);
  });
});

describe("a path", () => {
  test.each([
    "/v1",
    "/v1/nope",
    `${chatPath}/`,
    "//v1/models",
    "//evil/x",
    "/v1/models/..%2f..%2fhealth/x",
    "/V1/MODELS",
    "/v1/chat%2Fcompletions",
  ])("%s is unknown: 404", async (path) => {
    const error = errorOf(await exchange(get(path)));
    expect(error).toMatchObject({ status: 404, type: "not_found_error" });
  });

  test("of absolute form is routed by its path alone, a foreign host changes nothing", async () => {
    expect((await exchange(get("http://evil.example/health"))).text).toContain('{"status":"ok"}');
    expect(errorOf(await exchange(get("http://evil.example/x"))).message).toContain("GET /x");
  });

  test("may have a query", async () => {
    expect((await exchange(get("/v1/models?limit=1&x=%zz"))).text).toContain('"object":"list"');
    expect(errorOf(await exchange(post("{}", [], `${chatPath}?stream=true`))).param).toBe("model");
  });

  test.each([
    ["/v1/models/sim/ok", "sim/ok"],
    ["/v1/models/sim%2Fok", "sim/ok"],
    ["/v1/models/sim/org/deep/ok-3?x=1", "sim/org/deep/ok-3"],
    ["/v1/models/sim%2Forg%2Fdeep%2Fok-3", "sim/org/deep/ok-3"],
    ["/v1/models/sim/gr%C3%B6%C3%9Fe.ok", "sim/größe.ok"],
  ])("%s is the model %s", async (path, id) => {
    const { text } = await exchange(get(path));
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ id, object: "model" });
  });

  test("of a model nobody has is 404, of a model in broken encoding 400", async () => {
    expect(errorOf(await exchange(get("/v1/models/sim/none")))).toMatchObject({ status: 404, code: "model_not_found" });
    expect(errorOf(await exchange(get("/v1/models/%zz")))).toMatchObject({ status: 400 });
  });

  test("HEAD is answered like GET, without the body", async () => {
    const client = openRawConnection(gateway.port);
    client.send(get("/v1/models", ["Host: gateway"], "HEAD"));
    const { text } = await client.receive((soFar) => soFar.text.endsWith("\r\n\r\n"));
    expect(text).toStartWith("HTTP/1.1 200 ");
    expect(text).toMatch(/\r\ncontent-length: [1-9]\d*\r\n/i);
    client.close();
  });

  test("outside of the base path is unknown, inside it is the whole API", async () => {
    const ask = async (path: string): Promise<string> => (await exchange(get(path), based.port)).text.slice(9, 12);
    expect(await Promise.all(["/g/health", "/g", "/g/v1/models", "/g/v1/models/sim/ok"].map(ask))).toEqual([
      "200",
      "200",
      "200",
      "200",
    ]);
    expect(await Promise.all(["/health", "/v1/models", "/gg/health", "/"].map(ask))).toEqual(Array(4).fill("404"));
  });
});

describe("a Host header", () => {
  test.each([["Host: a/b"], ["Host: a@b"], ["Host: a b"], ["Host: a, b"], ["Host: a\r\nHost: b"], ["Host: "]])(
    "%j is 400 and ends the connection",
    async (host) => {
      const answer = await exchange(get("/health", host.split("\r\n")));
      expect(answer.text).toStartWith("HTTP/1.1 400 ");
      expect(answer.text.toLowerCase()).toContain("\r\nconnection: close\r\n");
    },
  );

  test.each([["Host: gateway.example:8080"], ["Host: 127.0.0.1"], ["Host: [::1]:8080"]])("%j is fine", async (host) => {
    expect((await exchange(get("/health", [host]))).text).toContain('{"status":"ok"}');
  });
});

test.each([
  ["CONNECT", get("/health", ["Host: gateway"], "CONNECT"), 501],
  ["TRACE", get("/health", ["Host: gateway"], "TRACE"), 501],
  ["an expectation that nobody knows", post("{}", ["Expect: the-unexpected"]), 417],
  ["a path that is no UTF-8", Buffer.from("GET /v1/models/\xff\x80 HTTP/1.1\r\nHost: gateway\r\n\r\n", "latin1"), 400],
])("%s is refused and ends the connection", async (_, raw, status) => {
  const client = openRawConnection(gateway.port);
  client.send(raw);
  const answer = await client.receive(() => false);
  expect(errorOf(answer)).toMatchObject({ status, type: "invalid_request_error" });
  expect(answer.end).toBe("fin");
});

test("headers too large are 431, on a model route and on any other", async () => {
  const large = `X-Large: ${"x".repeat(200_000)}`;
  for (const raw of [post("{}", [large]), get("/health", ["Host: gateway", large])]) {
    const client = openRawConnection(gateway.port);
    client.send(raw);
    const { text, end } = await client.receive(() => false);
    expect(text).toStartWith("HTTP/1.1 431 ");
    expect(end).not.toBe("open");
  }
});

describe("the request id", () => {
  const idOf = ({ text }: RawExchange): string | undefined => /\r\nx-request-id: (.*)\r\n/i.exec(text)?.[1];

  test.each(["a", "A.b_c-9", "x".repeat(128)])("%s of the client is kept, for errors too", async (id) => {
    expect(idOf(await exchange(get("/health", ["Host: gateway", `X-Request-ID: ${id}`])))).toBe(id);
    expect(idOf(await exchange(post("", [`x-request-id: ${id}`])))).toBe(id);
  });

  test.each(["", "a b", "x".repeat(129), "a/b", "ä", "a;b", "a,b"])("%j of the client is replaced", async (id) => {
    const given = idOf(await exchange(get("/health", ["Host: gateway", `X-Request-ID: ${id}`])));
    expect(given).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

test("100 pipelined requests are answered in order", async () => {
  const client = openRawConnection(gateway.port);
  const ids = Array.from({ length: 100 }, (_, index) => `pipelined-${index}`);
  client.send(ids.map((id) => get("/health", ["Host: gateway", `X-Request-ID: ${id}`])).join(""));
  const { text } = await client.receive((soFar) => soFar.text.split('{"status":"ok"}').length === 101);
  expect([...text.matchAll(/x-request-id: (.*)\r\n/gi)].map(([, id]) => id)).toEqual(ids);
  client.close();
});

test("a body on a GET does not put the connection out of step", async () => {
  const client = openRawConnection(gateway.port);
  client.send(`${get("/health", ["Host: gateway", "Content-Length: 5"])}hello${get("/v1/models")}`);
  const { text } = await client.receive((soFar) => soFar.text.endsWith("]}"));
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  client.close();
});

test("a model request is not confused by any of this", async () => {
  const { text } = await exchange(modelRequest("chat/completions", "sim/ok"));
  expect(text).toStartWith("HTTP/1.1 200 ");
  simulator.reset();
});
