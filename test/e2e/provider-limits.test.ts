// A provider's own http limits hold for its calls and for nobody else's.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { answerText, type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

/** Longer than the short limit by far, and shorter than the long one. */
const thinkingMs = 300;
const answer = JSON.stringify({
  id: "1",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
});

let upstream: ScriptedUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = startScriptedUpstream();
  upstream.script = (connection) =>
    void setTimeout(
      () => connection.write(answerText(200, { "content-type": "application/json" }, answer)),
      thinkingMs,
    );
  const provider = { type: "openai", base_url: `http://127.0.0.1:${upstream.port}/v1`, models: ["m"] };
  gateway = await startGateway(
    JSON.stringify({
      providers: {
        inherits: provider,
        patient: { ...provider, http: { response_header_timeout: "20s" } },
        hurried: { ...provider, http: { timeout: "40ms", response_header_timeout: "20s" } },
      },
      http: { response_header_timeout: "50ms" },
      models: { configured_provider_models_mode: "allowlist" },
    }),
  );
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});

test.each([
  ["inherits", 504],
  ["patient", 200],
  ["hurried", 504],
])("%s is answered %d", async (name, status) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: `${name}/m`, messages: [] }),
  });
  await response.text();
  expect(response.status).toBe(status);
});
