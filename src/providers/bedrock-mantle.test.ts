// Bedrock Mantle behind a provider: what enables it, which path serves which model, and who vouches for a call.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { loaded } from "../../test/support/load-config.ts";
import { providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { providerConfig } from "../../test/support/provider-config.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { wireTools } from "../../test/support/wire-tools.ts";
import { Cancellation } from "../core/cancellation.ts";
import { systemClock } from "../core/clock.ts";
import type { ModelRequest } from "../core/model-request.ts";
import { signatureHeaders } from "./aws/signature.ts";
import { bedrockMantle } from "./bedrock-mantle.ts";
import { providerTypes } from "./registry.ts";

const types = providerTypes.map(({ info }) => info);
const account = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "sssh-it-is-secret" };

describe("the environment", () => {
  test.each([
    [{ BEDROCK_MANTLE_API_KEY: "k" }, "https://bedrock-mantle.us-east-1.api.aws"],
    [{ BEDROCK_MANTLE_API_KEY: "k", AWS_DEFAULT_REGION: "eu-west-1" }, "https://bedrock-mantle.eu-west-1.api.aws"],
    [
      { BEDROCK_MANTLE_API_KEY: "k", AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "eu-west-2" },
      "https://bedrock-mantle.eu-west-2.api.aws",
    ],
    [
      { BEDROCK_MANTLE_API_KEY: "k", AWS_REGION: "eu-west-2", BEDROCK_MANTLE_REGION: "us-gov-west-1" },
      "https://bedrock-mantle.us-gov-west-1.api.aws",
    ],
    [
      { BEDROCK_MANTLE_BASE_URL: "ap-southeast-2", AWS_REGION: "eu-west-2", ...account },
      "https://bedrock-mantle.ap-southeast-2.api.aws",
    ],
    [{ BEDROCK_MANTLE_BASE_URL: "https://vpce.example/openai/v1", ...account }, "https://vpce.example/openai/v1"],
  ])("%p registers it at %s", (env, baseUrl) => {
    expect(loaded({ env, types }).config.providers).toMatchObject([
      { name: "bedrock-mantle", type: "bedrock-mantle", baseUrl },
    ]);
  });

  test.each([account, { AWS_REGION: "eu-west-1" }])("%p alone registers nothing", (env) => {
    expect(loaded({ env, types }).config.providers).toEqual([]);
  });

  test("a region in a block of its own is the address there", () => {
    const yaml = "providers: {aws: {type: bedrock-mantle, base_url: eu-north-1, api_key: k}}";
    expect(loaded({ yaml, types }).config.providers).toMatchObject([
      { name: "aws", baseUrl: "https://bedrock-mantle.eu-north-1.api.aws" },
    ]);
  });
});

describe("the path of a model", () => {
  const pathsOf = (model: string, path = "", options: Readonly<Record<string, string>> = {}) => {
    const baseUrl = `https://bedrock-mantle.us-east-1.api.aws${path}`;
    const config = providerConfig({ type: "bedrock-mantle", baseUrl, apiKeys: ["k"], options });
    const { paths, speaks } = bedrockMantle.createWire(config, wireTools);
    return [paths.chatCompletions?.(model), paths.responses?.(model), speaks?.(model)];
  };
  const both = ["chat-completions", "responses"] as const;
  const one = ["responses"] as const;

  test.each([
    ["openai.gpt-5.6-sol", "/openai/v1", one],
    ["openai.gpt-5.5", "/openai/v1", one],
    ["openai.gpt-6-sol", "/openai/v1", both],
    ["google.gemma-4-31b", "/openai/v1", both],
    ["xai.grok-4.3", "/openai/v1", both],
    ["openai.gpt-oss-120b", "/v1", both],
    ["google.gemma-3-27b-it", "/v1", both],
    ["deepseek.v3.2", "/v1", both],
  ])("%s is below %s", (model, base, spoken) => {
    expect(pathsOf(model)).toEqual([`${base}/chat/completions`, `${base}/responses`, spoken]);
  });

  test.each([
    ["openai", "", "/openai/v1"],
    ["standard", "", "/v1"],
    ["standard", "/openai/v1", "/v1"],
    [undefined, "/openai/v1", "/openai/v1"],
    [undefined, "/v1", "/v1"],
    ["auto", "/v1", "/openai/v1"],
  ])("with the mode %p and an address that ends in %p is %s for gpt-6", (mode, path, base) => {
    const options: Readonly<Record<string, string>> = mode === undefined ? {} : { BEDROCK_MANTLE_API_MODE: mode };
    expect(pathsOf("openai.gpt-6-sol", path, options)[0]).toBe(`${base}/chat/completions`);
  });
});

describe("a call", () => {
  let upstream: ScriptedUpstream;
  beforeEach(() => {
    upstream = startScriptedUpstream();
    const answer = { id: "c", object: "chat.completion", choices: [{ index: 0, message: { content: "hi" } }] };
    upstream.script = (connection) =>
      connection.write(answerText(200, { "content-type": "application/json" }, JSON.stringify(answer)));
  });
  afterEach(() => upstream.stop());

  const at = Date.UTC(2026, 7, 30, 12, 36);
  const clock = { ...systemClock, now: () => systemClock.now(), wallNow: () => at };

  function provider(options: Readonly<Record<string, string>>, apiKeys: readonly string[] = []) {
    const config = { name: "aws", type: "bedrock-mantle", baseUrl: `http://127.0.0.1:${upstream.port}` };
    return providerAt(upstream.port, { ...config, options, apiKeys }, { clock });
  }

  const ask = (
    options: Readonly<Record<string, string>>,
    apiKeys?: readonly string[],
    more: Partial<ModelRequest> = {},
  ) =>
    provider(options, apiKeys)
      .prepare(requestOf({ messages: [{ role: "user", content: "hi" }] }, more), "deepseek.v3.2")
      .send({ idempotencyKey: undefined })
      .then(relayed);

  function headers() {
    const [request] = upstream.requests;
    return Object.fromEntries(request?.headers.map(([name, value]) => [name.toLowerCase(), value]) ?? []);
  }

  test("with a key carries that and no signature", async () => {
    await ask(account, ["bedrock-key"]);
    expect(headers()["authorization"]).toBe("Bearer bedrock-key");
    expect(headers()).not.toHaveProperty("x-amz-date");
  });

  test.each([undefined, "tok"])(
    "without a key is signed over its own bytes, with the session token %p",
    async (token) => {
      await ask({ ...account, AWS_REGION: "eu-west-1", ...(token === undefined ? {} : { AWS_SESSION_TOKEN: token }) });
      const [request] = upstream.requests;
      const expected = signatureHeaders(
        {
          method: "POST",
          authority: `127.0.0.1:${upstream.port}`,
          path: "/v1/chat/completions",
          body: new TextEncoder().encode(request?.body),
        },
        {
          accessKeyId: "AKIDEXAMPLE",
          secretAccessKey: "sssh-it-is-secret",
          ...(token === undefined ? {} : { sessionToken: token }),
        },
        { region: "eu-west-1", service: "bedrock-mantle", at },
      );
      expect(headers()["authorization"]).toContain("/20260830/eu-west-1/bedrock-mantle/aws4_request, ");
      for (const [name, value] of expected) expect(headers()[name.toLowerCase()]).toBe(value);
      expect(headers()["x-amz-security-token"]).toBe(token);
    },
  );

  test("for the listing is signed, too", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, { "content-type": "application/json" }, '{"data":[{"id":"deepseek.v3.2"}]}'));
    const models = await provider(account).listModels(new Cancellation());
    expect(models.map(({ id }) => id)).toEqual(["deepseek.v3.2"]);
    expect(upstream.requests[0]?.requestLine).toBe("GET /v1/models HTTP/1.1");
    expect(headers()["authorization"]).toStartWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/");
  });

  test("of nobody is a mistake of the configuration that says what to set", () => {
    expect(() => provider({})).toThrow(
      "provider aws has no key: set BEDROCK_MANTLE_API_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  });
});

test("the region that signs is the one of the address", () => {
  const config = providerConfig({
    type: "bedrock-mantle",
    baseUrl: "https://bedrock-mantle.eu-north-1.api.aws",
    apiKeys: [],
    options: { ...account, AWS_REGION: "us-west-2" },
  });
  const signed = bedrockMantle
    .createWire(config, wireTools)
    .sign?.({ method: "GET", authority: "bedrock-mantle.eu-north-1.api.aws", path: "/v1/models", body: undefined });
  expect(signed?.find(([name]) => name === "Authorization")?.[1]).toContain("/eu-north-1/bedrock-mantle/aws4_request");
});
