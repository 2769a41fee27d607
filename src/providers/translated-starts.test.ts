// A translated stream that fails before anything of its answer came is no answer: the next target may still give one.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { providerAt, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, type ScriptedUpstream, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ReadStep } from "../core/provider.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

const hello = { messages: [{ role: "user", content: "hello" }] };

describe("a translated stream that fails before anything of its answer came", () => {
  const chatError = 'data: {"error":{"message":"slow down","code":429}}\n\n';
  const openaiFailed = `event: error\ndata: ${JSON.stringify({ type: "error", message: "slow down", code: "rate_limit_exceeded" })}\n\n`;
  const oddText = `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: 5 } }] })}\n\n`;
  const oddPart = `data: ${JSON.stringify({ responseId: "r", candidates: [{ content: { parts: [{ text: 5 }] } }] })}\n\n`;
  test.each([
    ["groq", "messages", chatError, 429],
    ["groq", "messages", oddText, 502],
    ["groq", "responses", oddText, 502],
    ["gemini", "chat-completions", oddPart, 502],
    ["groq", "responses", chatError, 429],
    ["groq", "messages", ": comment\n\n", 502],
    ["groq", "responses", "data: {\n\n", 502],
    ["gemini", "messages", 'data: {"error":{"code":429,"message":"slow down"}}\n\n', 429],
    ["anthropic", "chat-completions", openaiFailed, 502],
    ["anthropic", "responses", ": comment\n\n", 502],
  ] as const)(
    "%s for a caller of %s: nothing goes to the caller, %j is a %i",
    async (type, operation, body, status) => {
      upstream.script = (connection) =>
        connection.write(answerText(200, { "content-type": "text/event-stream" }, body));
      const provider = providerAt(upstream.port, { name: "a", type, apiKeys: ["k"] });
      const hi = operation === "responses" ? { input: "hi" } : { max_tokens: 5, ...hello };
      const call = provider.prepare(requestOf({ stream: true, ...hi }, { operation }), "m");
      const { body: read, reader } = await call.send({ idempotencyKey: undefined });
      const steps: ReadStep[] = [];
      for (let bytes = await read.read(); bytes !== undefined; bytes = await read.read())
        steps.push(reader.push(bytes.slice()));
      if (steps.every(({ failure }) => failure === undefined)) steps.push(reader.end());
      expect(steps.map(({ relay }) => relay)).toEqual(steps.map(() => undefined));
      expect(steps.at(-1)?.failure).toMatchObject({ status });
    },
  );
});
