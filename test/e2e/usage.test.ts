// Bytes and usage pass: what the gateway adds for its own bookkeeping never shows, and all else stays as it was sent.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { answerUsage } from "../../src/upstream-simulator/answer-text.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const wholeStreams = [
  ...["ok-5", "tools", "parallel-tools", "reasoning", "two-choices", "terminal-in-text", "error-null", "done-twice"],
  ...["sse-crlf", "sse-cr", "sse-mixed-line-ends", "sse-bom", "sse-no-space", "sse-multi-line-data", "sse-comments"],
  ...["sse-event-and-id", "sse-blank-lines", "sse-spaced-json", "usage-every-chunk", "usage-null-chunks"],
  ...["usage-with-choices", "usage-never", "finish-with-word", "filter-first", "no-role"],
];
const wholeDocuments = ["ok-5", "tools", "reasoning", "two-choices", "fields-new", "usage-missing", "refusal"];
const listed = [...new Set([...wholeStreams, ...wholeDocuments])];

let gateway: SimulatedGateway;
let modest: SimulatedGateway;

beforeAll(async () => {
  [gateway, modest] = await Promise.all([
    simulatedGateway({ providers: { p: { listed } }, logging: { enabled: true } }),
    simulatedGateway({ providers: { p: { listed } } }, { ENFORCE_RETURNING_USAGE_DATA: "false" }),
  ]);
});
afterAll(() => Promise.all([gateway.stop(), modest.stop()]));
beforeEach(() => {
  for (const each of [gateway, modest]) each.simulator("p").reset();
});

async function post(url: string, body: string | Uint8Array): Promise<Buffer> {
  const response = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.bytes());
}

const through = (to: SimulatedGateway, body: string | Uint8Array): Promise<Buffer> =>
  post(`${to.url}/v1/chat/completions`, body);
const straight = (body: string): Promise<Buffer> => post(`${gateway.simulator("p").baseUrl}/chat/completions`, body);
const chat = (model: string, fields: object = {}): string =>
  JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], ...fields });

/** The body that reached the provider. */
function sent(to: SimulatedGateway): string {
  return Buffer.from(to.simulator("p").calls.at(-1)?.body ?? []).toString();
}

describe("an answer passes byte for byte", () => {
  test.each(wholeDocuments)("%s, buffered", async (model) => {
    expect(await through(gateway, chat(`p/${model}`))).toEqual(await straight(chat(model)));
  });

  test.each(wholeStreams)("%s, as a stream whose caller asked for usage", async (model) => {
    const fields = { stream: true, stream_options: { include_usage: true } };
    const seen = await through(gateway, chat(`p/${model}`, fields));
    expect(seen.toString()).toBe(answerIn((await straight(chat(model, fields))).toString()));
  });

  // In the others the usage event that is cut out leaves traces: alternating line ends, numbered events, comments around it.
  const traceless = wholeStreams.filter(
    (name) => !["sse-mixed-line-ends", "sse-event-and-id", "sse-comments"].includes(name),
  );
  test.each(traceless)("%s, as a stream whose caller did not", async (model) => {
    const seen = await through(gateway, chat(`p/${model}`, { stream: true }));
    expect(seen.toString()).toBe(answerIn((await straight(chat(model, { stream: true }))).toString()));
  });
});

/** Without comments before the first event and without what follows the terminal: neither is part of the answer. */
function answerIn(stream: string): string {
  const begun = stream.replace(/^(?::[^\n]*\n)+\n/, "");
  const terminal = /data: ?\[DONE\](?:\r\n\r\n|\r\r|\n\n|\r\n\n|\n\r\n|\r\n\r|\n\r)/.exec(begun);
  return terminal === null ? begun : begun.slice(0, terminal.index + terminal[0].length);
}

describe("a request passes byte for byte", () => {
  const odd = [
    [
      "white space, key order and unknown fields",
      '{ "z" : [1, {"deep":{"er":null}}] ,\n\t"model": "MODEL" ,"messages":[] }',
    ],
    [
      "numbers as they are written",
      '{"model":"MODEL","messages":[],"seed":12345678901234567890,"temperature":1.0,"top_p":1e-1}',
    ],
    [
      "escapes as they are written",
      '{"messages":[{"role":"user","content":"caf\\u00e9 \\ud83d\\ude42 \\/ \u{1f642}"}],"model":"MODEL"}',
    ],
    [
      "fields whose text looks like the model's",
      '{"user":"\\"model\\":\\"p/ok-5\\"","model":"MODEL","messages":[{"model":"p/ok-5"}]}',
    ],
    [
      "fields that came after this gateway",
      '{"model":"MODEL","messages":[],"frobnicate":{"level":11},"x-vendor":true}',
    ],
  ] as const;

  test.each(odd)("%s", async (_name, body) => {
    await through(gateway, body.replace("MODEL", "p/ok-5"));
    expect(sent(gateway)).toBe(body.replace("MODEL", "ok-5"));
  });

  test("a model that its provider knows by the same name is not even rewritten", async () => {
    const body = '{"model" :"ok-5", "messages" :[]}';
    await through(gateway, body);
    expect(sent(gateway)).toBe(body);
  });

  test("of two megabytes", async () => {
    const body = chat("p/ok-5", { filler: "\u00e4\u{1f642}".repeat(350_000) });
    await through(gateway, body);
    expect(sent(gateway)).toBe(body.replace("p/ok-5", "ok-5"));
  });
});

describe("usage of a stream", () => {
  const usageIn = (bytes: Buffer): boolean => bytes.toString().includes('"usage":{');

  test("that its caller did not ask for is asked for upstream, logged, and not delivered", async () => {
    const response = await gateway.chat("p/ok-5", { stream: true }, { headers: { "x-request-id": "unasked" } });
    expect(await response.text()).not.toContain('"usage":{');
    expect(JSON.parse(sent(gateway))).toMatchObject({ stream_options: { include_usage: true } });
    const [row] = await loggedRows(gateway.url, "unasked");
    expect(row?.usage).toMatchObject({ input_tokens: 11, output_tokens: 5, total_tokens: 16 });
  });

  test("that its caller asked for is delivered, and the request is not touched", async () => {
    const body = chat("p/ok-5", { stream: true, stream_options: { include_usage: true, other: 1 } });
    const seen = (await through(gateway, body)).toString();
    expect(seen).toContain(`"usage":${JSON.stringify(answerUsage(5))}`);
    expect(sent(gateway)).toBe(body.replace("p/ok-5", "ok-5"));
  });

  test("that its caller declined is not delivered, and other stream options stay", async () => {
    const body = chat("p/ok-5", { stream: true, stream_options: { other: 1, include_usage: false } });
    expect(usageIn(await through(gateway, body))).toBe(false);
    expect(JSON.parse(sent(gateway))).toMatchObject({ stream_options: { other: 1, include_usage: true } });
  });

  test("is not asked for in buffered requests", async () => {
    await through(gateway, chat("p/ok-5"));
    expect(sent(gateway)).toBe(chat("ok-5"));
  });

  test.each([
    ["absent", {}],
    ["declined", { stream_options: { include_usage: false } }],
    ["asked for", { stream_options: { include_usage: true } }],
  ])("with ENFORCE_RETURNING_USAGE_DATA=false is up to the caller: %s", async (name, options) => {
    const body = chat("p/ok-5", { stream: true, ...options });
    expect(usageIn(await through(modest, body))).toBe(name === "asked for");
    expect(sent(modest)).toBe(body.replace("p/ok-5", "ok-5"));
  });
});
