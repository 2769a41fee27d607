// OpenCode Go behind a provider: which model is asked in which dialect, how much it shall think, and whose session it is.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { shaped, table } from "../../test/support/shaped-chat.ts";
import type { Row } from "../../test/support/shaped-chat.ts";
import type { ModelRequest } from "../core/model-request.ts";

describe("the effort", () => {
  const efforts = [
    ["none", "low"],
    ["minimal", "low"],
    ["low", "low"],
    ["medium", "low"],
    ["high", "high"],
    ["xhigh", "max"],
    ["max", "max"],
    ["turbo", "turbo"],
  ] as const;
  table("opencode_go", [
    ["glm-5", "{}", '{"reasoning_effort":"low"}'],
    ...efforts.map(([asked, sent]): Row => [
      "glm-5",
      `{"reasoning_effort":"${asked}"}`,
      `{"reasoning_effort":"${sent}"}`,
    ]),
    ["glm-5", '{"reasoning":{"effort":"xhigh"}}', '{"reasoning_effort":"max"}'],
  ]);

  test.each([
    ["max", '{"reasoning_effort":"max"}'],
    ["none", "{}"],
    ["off", "{}"],
  ])("by default is OPENCODE_GO_DEFAULT_REASONING_EFFORT=%s", (effort, sent) => {
    const options = { OPENCODE_GO_DEFAULT_REASONING_EFFORT: effort };
    expect(shaped("opencode_go", "glm-5", "{}", { options }).body).toBe(sent);
  });
});

describe("a schema", () => {
  const format = '"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{"type":"object"}}}';
  const body = `{"reasoning_effort":"low","messages":[],${format}}`;

  test("becomes an instruction", () => {
    expect(JSON.parse(shaped("opencode_go", "glm-5", body).body)).toMatchObject({
      response_format: { type: "json_object" },
      messages: [{ role: "system", content: expect.stringContaining('{"type":"object"}') }],
    });
  });

  test("is a 400 with DEEPSEEK_JSON_SCHEMA_MODE=error", async () => {
    const options = { DEEPSEEK_JSON_SCHEMA_MODE: "error" };
    const call = Promise.resolve().then(() => shaped("opencode_go", "glm-5", body, { options }));
    expect(await failureOf(call)).toMatchObject({ status: 400, param: "response_format" });
  });
});

describe("a call", () => {
  let upstream: ScriptedUpstream;
  beforeEach(() => {
    upstream = startScriptedUpstream();
    upstream.script = (connection, { requestLine }) => {
      const choice = { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" };
      const answer = requestLine.includes("/messages")
        ? {
            id: "m",
            type: "message",
            role: "assistant",
            content: [{ type: "text", text: "hi" }],
            stop_reason: "end_turn",
          }
        : { id: "c", object: "chat.completion", choices: [choice] };
      connection.write(answerText(200, { "content-type": "application/json" }, JSON.stringify(answer)));
    };
  });
  afterEach(() => upstream.stop());

  async function sent(
    model: string,
    options: Readonly<Record<string, string>> = {},
    more: Partial<ModelRequest> = {},
  ): Promise<readonly [line: string | undefined, headers: ReadonlyMap<string, string>]> {
    const baseUrl = `http://127.0.0.1:${upstream.port}/zen/go/v1`;
    const provider = providerAt(upstream.port, { name: "go", type: "opencode_go", baseUrl, apiKeys: ["k"], options });
    const fields = { max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
    await relayed(await provider.prepare(requestOf(fields, more), model).send({ idempotencyKey: undefined }));
    const request = upstream.requests.at(-1);
    const headers = request?.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    return [request?.requestLine, new Map(headers)];
  }

  const chat = "POST /zen/go/v1/chat/completions HTTP/1.1";
  const messages = "POST /zen/go/v1/messages HTTP/1.1";

  test.each([
    ["qwen3.7-max", {}, messages],
    ["glm-5", {}, chat],
    ["glm-5", { OPENCODE_GO_MESSAGES_MODELS: "a, glm-5" }, messages],
    ["qwen3.7-max", { OPENCODE_GO_MESSAGES_MODELS: "a, glm-5" }, chat],
  ])("to %s with %p is %s, whatever the caller speaks", async (model, options, line) => {
    for (const operation of ["chat-completions", "messages"] as const) {
      const [asked, headers] = await sent(model, options, { operation });
      expect(asked).toBe(line);
      expect(headers.get("x-api-key")).toBe(line === messages ? "k" : undefined);
      expect(headers.get("authorization")).toBe(line === messages ? undefined : "Bearer k");
    }
  });

  test.each(["x-opencode-session", "x-session-id", "session_id", "x-claude-code-session-id"])(
    "carries the session that the caller names in %s",
    async (name) => {
      const [, headers] = await sent("glm-5", {}, { callerHeaders: new Headers({ [name]: "s1" }) });
      expect(headers.get("x-opencode-session")).toBe("s1");
    },
  );

  test("carries none with OPENCODE_GO_SESSION_HEADER=false, nor where the caller names none", async () => {
    const callerHeaders = new Headers({ session_id: "s1" });
    const [, without] = await sent("glm-5", { OPENCODE_GO_SESSION_HEADER: "false" }, { callerHeaders });
    expect(without.has("x-opencode-session")).toBe(false);
    const [, unnamed] = await sent("glm-5");
    expect(unnamed.has("x-opencode-session")).toBe(false);
  });
});
