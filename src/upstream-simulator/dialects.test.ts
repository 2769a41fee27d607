// What all dialects share: keys, refusals, tool results, last messages from the assistant, and that every fault has the forms it says.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Dialect } from "../core/chat-request.ts";
import { openRawConnection } from "../../test/support/raw-exchange.ts";
import { answerText } from "./answer-text.ts";
import { allDialects } from "./fault.ts";
import { faults, faultsIn } from "./faults.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

interface Ask {
  readonly model: string;
  readonly stream?: boolean;
  /** What the conversation ends with, in the dialect's own form. */
  readonly last?: object;
}

const paths: Readonly<Record<Dialect, string>> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1beta/models/",
};

function requestOf(dialect: Dialect, { model, stream = false, last }: Ask): { path: string; body: string } {
  const turns = last === undefined ? [] : [last];
  if (dialect === "gemini") {
    const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
    return { path: `${paths.gemini}${encodeURIComponent(model)}:${verb}`, body: JSON.stringify({ contents: turns }) };
  }
  const conversation = dialect === "responses" ? { input: turns } : { messages: turns };
  return { path: paths[dialect], body: JSON.stringify({ model, stream, ...conversation }) };
}

function ask(dialect: Dialect, what: Ask, headers: Record<string, string> = {}, of = simulator): Promise<Response> {
  const { path, body } = requestOf(dialect, what);
  return fetch(`${of.origin}${path}`, { method: "POST", body, headers });
}

/** All texts of an answer, whatever they are called. */
async function textIn(response: Response): Promise<string> {
  const texts: string[] = [];
  JSON.parse(await response.text(), (key, value: unknown) => {
    if ((key === "text" || key === "content") && typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("");
}

const bodies: Readonly<Record<Dialect, (status: number, type: string) => object>> = {
  "chat-completions": (_, type) => ({ error: { type } }),
  responses: (_, type) => ({ error: { type } }),
  messages: (_, type) => ({ type: "error", error: { type }, request_id: "req_simulated" }),
  gemini: (code, status) => ({ error: { code, status } }),
};

describe("an error document is that of the dialect", () => {
  test.each<[Dialect, number, string]>([
    ["responses", 400, "invalid_request_error"],
    ["responses", 429, "rate_limit_error"],
    ["messages", 400, "invalid_request_error"],
    ["messages", 401, "authentication_error"],
    ["messages", 403, "permission_error"],
    ["messages", 404, "not_found_error"],
    ["messages", 413, "request_too_large"],
    ["messages", 429, "rate_limit_error"],
    ["messages", 500, "api_error"],
    ["messages", 529, "overloaded_error"],
    ["gemini", 400, "INVALID_ARGUMENT"],
    ["gemini", 403, "PERMISSION_DENIED"],
    ["gemini", 429, "RESOURCE_EXHAUSTED"],
    ["gemini", 500, "INTERNAL"],
    ["gemini", 503, "UNAVAILABLE"],
    ["gemini", 504, "DEADLINE_EXCEEDED"],
  ])("%s says of %d that it is %s", async (dialect, status, type) => {
    const response = await ask(dialect, { model: `status-${status}` });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(bodies[dialect](status, type));
  });

  test("Gemini's has the code of the model name among its details, and its type as the status", async () => {
    const response = await ask("gemini", { model: "status-400~code=API_KEY_INVALID~type=FAILED_PRECONDITION" });
    expect(await response.json()).toMatchObject({
      error: { status: "FAILED_PRECONDITION", details: [{ reason: "API_KEY_INVALID" }] },
    });
  });

  test.each([...allDialects])("%s: a name that means nothing is 404", async (dialect) => {
    const response = await ask(dialect, { model: "gpt-5" });
    expect(response.status).toBe(404);
    expect(Object.keys((await response.json()) as object)).toContain("error");
  });
});

describe("keys", () => {
  let guarded: Simulator | undefined;
  afterEach(() => guarded?.stop());

  test.each<[Dialect, string, string]>([
    ["messages", "x-api-key", ""],
    ["messages", "authorization", "Bearer "],
    ["gemini", "x-goog-api-key", ""],
    ["responses", "authorization", "Bearer "],
  ])("%s: the right one passes in %s, a wrong one is 401", async (dialect, field, prefix) => {
    guarded = startSimulator({ apiKey: "sk-right" });
    const status = async (key: string): Promise<number> =>
      (await ask(dialect, { model: "ok" }, { [field]: `${prefix}${key}` }, guarded)).status;
    expect(await status("sk-right")).toBe(200);
    expect(await status("sk-wrong")).toBe(401);
  });
});

describe("the end of the conversation", () => {
  test.each<[Dialect, object]>([
    ["chat-completions", { role: "tool", tool_call_id: "call_1", content: "rain" }],
    ["responses", { type: "function_call_output", call_id: "call_1", output: "rain" }],
    ["messages", { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "rain" }] }],
    ["gemini", { role: "user", parts: [{ functionResponse: { name: "get_weather", response: {} } }] }],
  ])("%s: a tool's result is answered with text by a model that calls tools", async (dialect, last) => {
    expect(await textIn(await ask(dialect, { model: "ok-tools", last }))).toBe(answerText("ok-tools"));
    expect(await textIn(await ask(dialect, { model: "ok-tools" }))).toBe("");
    const streamed = await (await ask(dialect, { model: "ok-tools", last, stream: true })).text();
    expect(streamed).toContain("[ok-tools]");
  });

  test.each<[Dialect, (given: string) => object]>([
    ["responses", (given) => ({ role: "assistant", content: given })],
    ["responses", (given) => ({ role: "assistant", content: [{ type: "output_text", text: given }] })],
    ["messages", (given) => ({ role: "assistant", content: given })],
    ["messages", (given) => ({ role: "assistant", content: [{ type: "text", text: given }] })],
    ["gemini", (given) => ({ role: "model", parts: [{ text: given }] })],
  ])("%s: a text of the assistant is gone on from, or refused", async (dialect, lastOf) => {
    const model = "ok-4~prefill=go-on";
    expect(await textIn(await ask(dialect, { model, last: lastOf(`[${model}] th`) }))).toBe("is text was");
    expect((await ask(dialect, { model: "ok~prefill=refuse", last: lastOf("any") })).status).toBe(400);
    expect(await textIn(await ask(dialect, { model: "ok-2", last: lastOf("any") }))).toBe("[ok-2] this");
  });
});

const silent = /^hang-before-answer$|^fin-before-answer$|^reset-before-answer$/;

describe("every example", () => {
  test.each(allDialects.filter((dialect) => dialect !== "chat-completions"))(
    "%s: sends something of its own in each mode that has a form, and is refused in the others",
    async (dialect) => {
      for (const fault of [...faults, ...faultsIn(dialect).filter((one) => one.modes.length === 0)]) {
        for (const mode of ["buffered", "stream"] as const) {
          const has = fault.formsIn(dialect).includes(mode);
          for (const model of has ? fault.examplesIn(dialect) : fault.examples.slice(0, 1)) {
            if (silent.test(model)) continue;
            const { path, body } = requestOf(dialect, { model, stream: mode === "stream" });
            const client = openRawConnection(simulator.port);
            client.send(`POST ${path} HTTP/1.1\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
            const { text } = await client.receive((soFar) => soFar.text.length > 0);
            const isRefused = text.includes(`The fault ${fault.name} has no ${dialect} ${mode} form`);
            expect(`${model} ${mode} ${isRefused}`).toBe(`${model} ${mode} ${!has}`);
            expect(text.length).toBeGreaterThan(0);
            client.close();
          }
        }
      }
    },
    20_000,
  );
});
