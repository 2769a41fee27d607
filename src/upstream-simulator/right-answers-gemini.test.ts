// Gemini's right answers, whole and in chunks, against its documentation (https://ai.google.dev/api/generate-content).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "./answer-text.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator({ models: ["ok", "other.ok"] });
});
afterAll(() => simulator.stop());

interface Chunk {
  readonly candidates?: { readonly content: { readonly parts?: readonly Part[] }; readonly finishReason?: string }[];
  readonly promptFeedback?: object;
  readonly usageMetadata: object;
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: object;
}

function post(path: string, body: object = { contents: [{ role: "user", parts: [{ text: "Hello" }] }] }) {
  return fetch(`${simulator.origin}/v1beta/models/${path}`, { method: "POST", body: JSON.stringify(body) });
}

async function chunksOf(model: string): Promise<Chunk[]> {
  const response = await post(`${model}:streamGenerateContent?alt=sse`);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = (await response.text()).split("\n\n").slice(0, -1);
  return events.map((event) => JSON.parse(event.replace(/^data: /, "")));
}

const thoughtSignature = "CiQBc2ltdWxhdGVkIHRob3VnaHQ=";
const cologne = { functionCall: { name: "get_weather", args: { city: "Köln" } }, thoughtSignature };
const osaka = { functionCall: { name: "get_weather", args: { city: "大阪" } } };

describe("Gemini", () => {
  test.each<[model: string, finishReason: string, whole: Part[], streamed: Part[]]>([
    ["ok", "STOP", [{ text: answerText("ok") }], [{ text: answerText("ok") }]],
    ["ok-tools", "STOP", [cologne], [cologne, { text: "" }]],
    ["ok-parallel-tools", "STOP", [cologne, osaka], [cologne, osaka, { text: "" }]],
    [
      "ok-reasoning",
      "STOP",
      [
        { text: "let me think", thought: true },
        { text: "done thinking", thoughtSignature },
      ],
      [
        { text: "let me think", thought: true },
        { text: "done thinking", thoughtSignature },
      ],
    ],
    ["ok-length", "MAX_TOKENS", [{ text: "cut by the limit" }], [{ text: "cut by the limit" }]],
    ["ok-content-filter", "SAFETY", [{ text: "cut by the filter" }], [{ text: "cut by the filter" }]],
    ["ok-stop-sequence", "STOP", [{ text: "cut by the sequence" }], [{ text: "cut by the sequence" }]],
    ["ok-empty", "STOP", [], []],
  ])("%s finishes for %s", async (model, finishReason, whole, streamed) => {
    const [candidate] = ((await (await post(`${model}:generateContent`)).json()) as Chunk).candidates ?? [];
    expect(candidate).toMatchObject({ content: { role: "model" }, finishReason, index: 0 });
    expect(candidate?.content.parts ?? []).toEqual(whole);

    const chunks = await chunksOf(model);
    expect(chunks.map(({ candidates }) => candidates?.[0]?.finishReason)).toEqual([
      ...Array.from({ length: chunks.length - 1 }, () => undefined),
      finishReason,
    ]);
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content.parts ?? []);
    expect(joined(parts)).toEqual(streamed);
  });

  test("usage is in every chunk, and the last one has all of it", async () => {
    const chunks = await chunksOf("ok-3");
    expect(chunks.map(({ usageMetadata }) => usageMetadata)).toEqual([
      { promptTokenCount: 11, candidatesTokenCount: 1, totalTokenCount: 12 },
      { promptTokenCount: 11, candidatesTokenCount: 2, totalTokenCount: 13 },
      { promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 },
      { promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 },
    ]);
    expect((await chunksOf("ok-cached-usage")).at(-1)?.usageMetadata).toEqual({
      promptTokenCount: 1211,
      candidatesTokenCount: 7,
      totalTokenCount: 1223,
      cachedContentTokenCount: 1000,
      thoughtsTokenCount: 5,
    });
  });

  test("a refusal is a prompt that was blocked: no candidates", async () => {
    const refused = { promptFeedback: { blockReason: "PROHIBITED_CONTENT", safetyRatings: [] } };
    const whole = await (await post("ok-refusal:generateContent")).json();
    expect(whole).toMatchObject(refused);
    expect(whole).not.toHaveProperty("candidates");
    expect(await chunksOf("ok-refusal")).toMatchObject([refused]);
  });

  test("a model name in the path may be percent-encoded", async () => {
    const name = "status-400~message=a%20b";
    const response = await post(`${encodeURIComponent(name)}:generateContent`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code: 400, message: "a b", status: "INVALID_ARGUMENT" } });
    expect(simulator.calls.at(-1)).toMatchObject({ model: name, stream: false });
  });

  test("a stream that does not ask for events with alt=sse is refused", async () => {
    const response = await post("ok:streamGenerateContent");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
  });

  test("tokens are counted", async () => {
    expect(await (await post("ok:countTokens")).json()).toEqual({ totalTokens: 11 });
  });

  test("the listing names the models in Gemini's way", async () => {
    const expected = { models: [{ name: "models/ok" }, { name: "models/other.ok" }] };
    expect(await (await fetch(`${simulator.origin}/v1beta/models`)).json()).toMatchObject(expected);
    const byKey = await fetch(`${simulator.baseUrl}/models`, { headers: { "x-goog-api-key": "k" } });
    expect(await byKey.json()).toMatchObject(expected);
  });
});

/** Texts of one kind that follow each other are one; a signature belongs to what it follows. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.text === undefined || part.text === undefined || last.thought !== part.thought) whole.push(part);
    else whole[whole.length - 1] = { ...last, ...part, text: last.text + part.text };
  }
  return whole;
}
