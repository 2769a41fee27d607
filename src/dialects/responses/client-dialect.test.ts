// What a Responses client is told of failures, to the letter, and that the openai package and the AI SDK understand it over a real socket.

import { expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";
import OpenAI from "openai";
import { errorTypeOf, Failure, invalidRequest } from "../../core/failure.ts";
import { responsesClientDialect } from "./client-dialect.ts";
import { createResponsesStreamReader } from "./stream-reader.ts";

const decoder = new TextDecoder();

function failure(status: number, code: string | number | null = null): Failure {
  return new Failure({ origin: "status", status, type: errorTypeOf(status), message: "no\nway", code });
}

interface Sent {
  readonly type: string;
  readonly sequence_number: number;
  readonly code?: string | null;
  readonly response?: { readonly status: string; readonly error: { readonly code: string; readonly message: string } };
}

function parse(bytes: Uint8Array): readonly Sent[] {
  return decoder
    .decode(bytes)
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [, name, json] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      const sent = JSON.parse(json ?? "") as Sent;
      expect(sent.type).toBe(name as string);
      return sent;
    });
}

test("an error body is the envelope with its four members", () => {
  expect(responsesClientDialect.errorBody(invalidRequest("no", { param: "model" }), "r")).toBe(
    '{"error":{"message":"no","type":"invalid_request_error","param":"model","code":null}}',
  );
});

test("a stream that cannot be finished ends in error and response.failed, numbered from 0", () => {
  const [error, failed, ...rest] = parse(responsesClientDialect.streamError("cut", "stream_incomplete"));
  const fields = { code: "stream_incomplete", message: "cut", param: null };
  expect(error as unknown).toEqual({
    type: "error",
    ...fields,
    sequence_number: 0,
    error: { type: "provider_error", ...fields },
  });
  expect(failed).toMatchObject({
    type: "response.failed",
    sequence_number: 1,
    response: {
      object: "response",
      status: "failed",
      output: [],
      error: { code: "stream_incomplete", message: "cut" },
    },
  });
  expect(rest).toEqual([]);
});

test.each([
  [429, null, "rate_limit_exceeded"],
  [429, "insufficient_quota", "insufficient_quota"],
  [500, null, "server_error"],
  [502, "whatever", "whatever"],
  [503, "server_is_overloaded", "server_error"],
  [503, "slow_down", "server_error"],
  [503, 503, "server_error"],
  [504, "request_timeout", "request_timeout"],
  [400, "context_length_exceeded", "context_length_exceeded"],
  [400, null, "invalid_prompt"],
  [401, "invalid_api_key", "invalid_prompt"],
  [408, null, "server_error"],
])("a failure of status %d and code %p tells Codex %s", (status, code, told) => {
  const [error, failed] = parse(responsesClientDialect.failureEvent(failure(status, code)));
  expect(error?.code as unknown).toBe(code === null ? null : String(code));
  expect(failed?.response?.error).toEqual({ code: told, message: "no\nway" });
});

test("the heartbeat is a comment and a blank line", () => {
  expect(decoder.decode(responsesClientDialect.heartbeat)).toMatch(/^: [a-z]+\n\n$/);
});

async function clientOf(status: number, contentType: string, body: string | Uint8Array) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(body, { status, headers: { "content-type": contentType } }),
  });
  const client = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${server.port}/v1`, maxRetries: 0 });
  return { client, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function readAll(client: OpenAI): Promise<void> {
  const stream = await client.responses.create({ model: "m", input: "x", stream: true });
  for await (const event of stream) expect(event.type).toStartWith("response.");
}

test.each([400, 401, 404, 429, 503])(
  "the openai package throws its error for an error body of status %d",
  async (status) => {
    const body = responsesClientDialect.errorBody(failure(status, "some_code"), "r");
    await using served = await clientOf(status, "application/json", body);
    const error = await errorOf(() => served.client.responses.create({ model: "m", input: "x" }));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status, code: "some_code", type: errorTypeOf(status), param: null });
  },
);

const begun =
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","output":[]}}\n\n';

/** What the reader makes of a body that breaks, with its end. */
function broken(...chunks: readonly string[]): Uint8Array {
  const reader = createResponsesStreamReader({ providerName: "up" });
  const pieces: Uint8Array[] = [];
  for (const chunk of [...chunks, undefined]) {
    const step = chunk === undefined ? reader.end() : reader.push(new TextEncoder().encode(chunk));
    if (step.relay !== undefined) pieces.push(step.relay);
    if (step.failure === undefined) continue;
    if (!step.inBand) pieces.push(reader.breakOff?.(step.failure.message, "stream_incomplete") ?? new Uint8Array(0));
    break;
  }
  return Buffer.concat(pieces);
}

const providerError =
  'data: {"type":"error","code":"server_error","message":"their words","param":null,"sequence_number":1}\n\n';
const providerFailed =
  'data: {"type":"response.failed","sequence_number":1,"response":{"id":"resp_1","error":{"code":"server_error","message":"their words"}}}\n\n';

test.each([
  ["of ours for a stream nothing of which was delivered", responsesClientDialect.streamError("cut", "c"), "cut"],
  ["of ours for a failure", responsesClientDialect.failureEvent(failure(503, "server_is_overloaded")), "no\nway"],
  ["of a stream that was cut", broken(begun), "provider up ended the stream before the answer was complete"],
  ["of a provider's flat error", broken(begun, providerError), "their words"],
  ["of a provider's response.failed", broken(begun, providerFailed), "their words"],
])("the openai package throws at the events %s", async (_, body, message) => {
  await using served = await clientOf(
    200,
    "text/event-stream",
    Buffer.concat([responsesClientDialect.heartbeat, body]),
  );
  const error = await errorOf(() => readAll(served.client));
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error).toMatchObject({ error: { message } });
});

test("the helper of the openai package throws at a cut stream, too", async () => {
  await using served = await clientOf(200, "text/event-stream", broken(begun));
  const error = await errorOf(() => served.client.responses.stream({ model: "m", input: "x" }).finalResponse());
  expect(error).toBeInstanceOf(OpenAI.APIError);
});

test.each([
  ["a stream nothing of which was delivered", responsesClientDialect.streamError("cut", "c"), "cut"],
  ["a stream that was cut", broken(begun), "provider up ended the stream before the answer was complete"],
  ["a provider's flat error", broken(begun, providerError), "their words"],
])("the AI SDK gives an error part at the events of %s", async (_, body, message) => {
  await using served = await clientOf(200, "text/event-stream", body);
  const provider = createOpenAI({ apiKey: "k", baseURL: served.client.baseURL });
  const { fullStream } = streamText({ model: provider.responses("m"), prompt: "x", maxRetries: 0, onError: () => {} });
  const errors: unknown[] = [];
  for await (const part of fullStream) if (part.type === "error") errors.push(part.error);
  expect(JSON.stringify(errors)).toContain(message);
});
