import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { modelRequest, openRawConnection } from "../../test/support/raw-exchange.ts";
import { answerText } from "./answer-text.ts";
import { refusedPort } from "../../test/support/refused-port.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeEach(() => {
  simulator = startSimulator({ models: ["ok", "demo.status-500"] });
});

afterEach(() => simulator.stop());

function chat(model: string, extra: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ model, messages: [], ...extra });
  return fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body, headers });
}

async function statuses(model: string, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let call = 0; call < count; call++) seen.push((await chat(model)).status);
  return seen;
}

describe("answers", () => {
  test("a chat answer has the text, the usage and the model's name as it was asked for", async () => {
    const answer = await (await chat("a.ok-3")).json();
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "a.ok-3",
      choices: [{ index: 0, message: { role: "assistant", content: "[a.ok-3] this text" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    });
  });

  test("equal requests get equal bytes", async () => {
    expect(await (await chat("ok")).text()).toBe(await (await chat("ok")).text());
  });

  test("a long text carries the model's name in every round through the sentence", () => {
    expect(answerText("m", 60).match(/\[m(?:\/\d+)?\]/g)).toEqual(["[m]", "[m/2]", "[m/3]"]);
  });

  test("embeddings answer with a vector, also when a stream is asked for", async () => {
    const body = JSON.stringify({ model: "ok", input: "x", stream: true });
    const response = await fetch(`${simulator.baseUrl}/embeddings`, { method: "POST", body });
    expect(await response.json()).toMatchObject({ object: "list", data: [{ embedding: [0.25, -0.5, 0.125, 1] }] });
  });

  test("the listing names the models that were given", async () => {
    const listing = await (await fetch(`${simulator.baseUrl}/models`)).json();
    expect(listing).toMatchObject({ object: "list", data: [{ id: "ok", object: "model" }, { id: "demo.status-500" }] });
  });

  test("a path before the operation and a query after it change nothing", async () => {
    const url = `http://127.0.0.1:${simulator.port}/openai/deployments/x/chat/completions?api-version=1`;
    expect((await fetch(url, { method: "POST", body: '{"model":"ok"}' })).status).toBe(200);
  });
});

describe("refusals", () => {
  test("a name that means nothing is 404 model_not_found", async () => {
    const response = await chat("gpt-5");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "model_not_found", type: "not_found_error" } });
  });

  test("a fault that has no form for the mode is 400 fault_not_applicable", async () => {
    const response = await chat("cut-after-2");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "fault_not_applicable" } });
  });

  test("a body that is no JSON object with a model is 400", async () => {
    for (const body of ["", "{", "[]", "null", '{"model":1}']) {
      expect((await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body })).status).toBe(400);
    }
  });

  test("an unknown route is 404", async () => {
    expect((await fetch(`${simulator.baseUrl}/files`)).status).toBe(404);
  });

  test("a wrong key or none is 401 where a key is set, the right one works in both header fields", async () => {
    await simulator.stop();
    simulator = startSimulator({ apiKey: "sk-right" });
    expect((await chat("ok")).status).toBe(401);
    expect((await chat("ok", {}, { authorization: "Bearer sk-wrong" })).status).toBe(401);
    expect((await chat("ok", {}, { authorization: "Bearer sk-right" })).status).toBe(200);
    expect((await chat("ok", {}, { "api-key": "sk-right" })).status).toBe(200);
    expect((await fetch(`${simulator.baseUrl}/models`)).status).toBe(401);
  });

  test("a request that is no HTTP/1.1 is 400 and the connection closes", async () => {
    const client = openRawConnection(simulator.port);
    client.send("hello\r\n\r\n");
    const { text, end } = await client.receive(() => false);
    expect(text).toStartWith("HTTP/1.1 400 ");
    expect(end).toBe("fin");
  });
});

describe("faults that change", () => {
  test("status-503@2 is faulty twice for each name, then healthy", async () => {
    expect(await statuses("a.status-503@2", 4)).toEqual([503, 503, 200, 200]);
    expect(await statuses("b.status-503@2", 3)).toEqual([503, 503, 200]);
  });

  test("reset makes it faulty again and forgets the calls", async () => {
    await statuses("status-503@1", 2);
    simulator.reset();
    expect(simulator.calls).toEqual([]);
    expect(await statuses("status-503@1", 2)).toEqual([503, 200]);
  });

  test("setFault breaks and heals a name at once", async () => {
    simulator.setFault("primary", "status-500");
    expect(await statuses("primary", 1)).toEqual([500]);
    simulator.setFault("primary", "status-429@1");
    expect(await statuses("primary", 2)).toEqual([429, 200]);
    simulator.setFault("primary", "ok-2");
    expect(await (await chat("primary")).json()).toMatchObject({
      choices: [{ message: { content: answerText("primary", 2) } }],
    });
  });

  test("setFault throws for a word that is no fault", () => {
    expect(() => simulator.setFault("primary", "sttus-500")).toThrow(RangeError);
    expect(() => simulator.setListingFault("nothing")).toThrow(RangeError);
  });

  test("the listing breaks and heals", async () => {
    simulator.setListingFault("status-500");
    expect((await fetch(`${simulator.baseUrl}/models`)).status).toBe(500);
    simulator.setListingFault("json-junk");
    expect(await (await fetch(`${simulator.baseUrl}/models`)).text()).toBe("hello");
    simulator.setListingFault("reset-before-answer");
    const client = openRawConnection(simulator.port);
    client.send("GET /v1/models HTTP/1.1\r\n\r\n");
    expect(await client.receive(() => false)).toMatchObject({ text: "", end: "reset" });
    simulator.setListingFault("ok");
    expect((await fetch(`${simulator.baseUrl}/models`)).status).toBe(200);
  });

  test.each(["fin", "reset"] as const)(
    "a connection fault of %s ends a connection before anything is read",
    async (fault) => {
      simulator.setConnectionFault(fault);
      const client = openRawConnection(simulator.port);
      expect(await client.receive(() => false)).toMatchObject({ text: "", end: fault });
      expect(simulator.calls).toEqual([]);
    },
  );

  test("a connection fault of hang reads nothing until the peer leaves, and ends with none", async () => {
    simulator.setConnectionFault("hang");
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", "ok"));
    expect(await client.receive(() => false, 50).catch(String)).toContain("not received within 50 ms; 0 characters");
    client.close();
    simulator.setConnectionFault("none");
    expect((await chat("ok")).status).toBe(200);
    expect(simulator.calls.length).toBe(1);
  });

  test("nobody listens on a refused port", async () => {
    const client = openRawConnection(refusedPort());
    expect(await client.receive(() => false)).toMatchObject({ text: "", end: "reset" });
  });
});

describe("calls", () => {
  test("a call keeps what was sent, headers in both forms", async () => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions?x=1", "ok", { stream: true, odd: [1] }, ["X-Odd:  a b ", "x-odd: c"]));
    await client.receive(({ text }) => text.endsWith("0\r\n\r\n"));
    const [call] = simulator.calls;
    expect(call).toMatchObject({ method: "POST", path: "/v1/chat/completions?x=1", model: "ok", stream: true });
    expect(call?.headers["x-odd"]).toBe("c");
    expect(call?.rawHeaders.slice(2, 4)).toEqual([
      ["X-Odd", "a b"],
      ["x-odd", "c"],
    ]);
    expect(JSON.parse(Buffer.from(call?.body ?? []).toString())).toMatchObject({ model: "ok", odd: [1] });
    client.close();
  });

  test("a call knows when it was answered and with how many bytes", async () => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", "ok"));
    const { bytes } = await client.receive(({ text }) => text.endsWith("}"));
    const [call] = simulator.calls;
    expect(call?.bytesWritten).toBe(bytes.length);
    expect(call?.answeredAt).toBeGreaterThanOrEqual(call?.startedAt ?? Number.NaN);
    expect(call?.closedByPeerAt).toBeUndefined();
    client.close();
  });

  test("requests on one connection share its id and are answered in order, also when they come in pieces", async () => {
    const client = openRawConnection(simulator.port);
    const both = modelRequest("chat/completions", "ok-1") + modelRequest("chat/completions", "ok-2");
    client.send(both.slice(0, 40));
    await new Promise((resolve) => setTimeout(resolve, 5));
    client.send(both.slice(40));
    const { text } = await client.receive((soFar) => soFar.text.includes(answerText("ok-2", 2)));
    expect(text.indexOf(answerText("ok-1", 1))).toBeGreaterThan(0);
    expect(simulator.calls.map((call) => call.model)).toEqual(["ok-1", "ok-2"]);
    expect(simulator.calls[0]?.connectionId).toBe(simulator.calls[1]?.connectionId ?? Number.NaN);
    expect(simulator.openSockets).toBe(1);
    client.close();
  });

  test("a body in chunks is put together, and one that waits for 100 gets it", async () => {
    const client = openRawConnection(simulator.port);
    client.send("POST /v1/chat/completions HTTP/1.1\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n");
    expect((await client.receive(({ text }) => text.length > 0)).text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    client.send('9;a=b\r\n{"model":\r\n');
    client.send('5\r\n"ok"}\r\n0\r\nx-trailer: 1\r\n\r\n');
    expect((await client.receive(({ text }) => text.endsWith("}"))).text).toStartWith("HTTP/1.1 200 OK\r\n");
    expect(Buffer.from(simulator.calls[0]?.body ?? []).toString()).toBe('{"model":"ok"}');
    client.close();
  });

  test("a peer that asks for it gets the connection closed after the answer", async () => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", "ok", {}, ["connection: close"]));
    expect(await client.receive(() => false)).toMatchObject({ end: "fin" });
    client.close();
    await simulator.waitForClosed(0, 1000);
    expect(simulator.openSockets).toBe(0);
  });

  test("a call answered by FIN knows when the peer closed its side too", async () => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", "fin-in-body", { stream: true }));
    expect(await client.receive(() => false)).toMatchObject({ end: "fin" });
    client.close();
    await simulator.waitForClosed(0, 1000);
    expect(simulator.calls[0]?.closedByPeerAt).toBeGreaterThanOrEqual(simulator.calls[0]?.answeredAt ?? Number.NaN);
  });

  test("a peer that leaves an unfinished answer is noticed at once", async () => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", "stall-2", { stream: true }));
    await client.receive(({ text }) => text.includes("[stall-2]"));
    const closed = simulator.waitForClosed(0, 1000);
    client.close();
    expect(await closed).toBeLessThan(100);
    expect(simulator.calls[0]?.closedByPeerAt).toBeGreaterThan(simulator.calls[0]?.startedAt ?? Number.NaN);
    expect(simulator.calls[0]?.answeredAt).toBeUndefined();
    expect(simulator.openSockets).toBe(0);
    expect(await simulator.waitForClosed(0, 1000)).toBe(0);
  });

  test("waiting for a connection that stays open, or for a call that never was, is an error", async () => {
    await chat("ok");
    expect(await simulator.waitForClosed(0, 20).catch(String)).toContain("still open after 20 ms");
    expect(await simulator.waitForClosed(1, 20).catch(String)).toContain("there is no call 1, only 1");
  });

  test("nothing is recorded where it was not wanted", async () => {
    await simulator.stop();
    simulator = startSimulator({ recordCalls: false });
    expect((await chat("ok")).status).toBe(200);
    expect(simulator.calls).toEqual([]);
  });
});

test("a stopped simulator has closed every connection and refuses new ones", async () => {
  const client = openRawConnection(simulator.port);
  client.send(modelRequest("chat/completions", "hang-before-answer"));
  while (simulator.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await simulator.stop();
  expect(await client.receive(() => false)).toMatchObject({ end: "reset" });
  expect(simulator.openSockets).toBe(0);
  expect(await openRawConnection(simulator.port).receive(() => false)).toMatchObject({ end: "reset" });
});
