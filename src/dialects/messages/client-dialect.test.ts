// Anthropic's own SDK, over a real socket, reads what the gateway itself says to Messages clients.

import { afterAll, describe, expect, test } from "bun:test";
import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { Failure, invalidRequest } from "../../core/failure.ts";
import type { FailureDetails } from "../../core/failure.ts";
import {
  blockStart,
  blockStop,
  messageDelta,
  messageStart,
  messageStop,
  messagesAnswer,
  textDelta,
} from "../../../test/support/messages-events.ts";
import { messagesRequest } from "../../../test/support/messages-request.ts";
import { requestOf } from "../../../test/support/provider-bench.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { messagesClientDialect } from "./client-dialect.ts";
import { createMessagesStreamReader } from "./stream-reader.ts";
import { messagesTranslator } from "./translator.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let answer: () => Response = () => new Response();
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => answer() });
const client = new Anthropic({ apiKey: "none", baseURL: `http://127.0.0.1:${server.port}`, maxRetries: 0 });
afterAll(() => server.stop(true));

const ask = { model: "m", max_tokens: 10, messages: [{ role: "user" as const, content: "hi" }] };

function failure(details: Partial<FailureDetails>): Failure {
  return new Failure({ origin: "status", status: 502, type: "provider_error", message: "it broke", ...details });
}

function stream(...pieces: readonly (string | Uint8Array)[]): void {
  const bytes = Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece)));
  answer = () => new Response(bytes, { headers: { "content-type": messagesClientDialect.streamContentType } });
}

async function thrown(work: () => Promise<unknown>): Promise<APIError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The texts that came before the error, and the error. */
async function streamed(): Promise<{ texts: string; error: APIError }> {
  let texts = "";
  const error = await thrown(async () => {
    for await (const event of await client.messages.create({ ...ask, stream: true })) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") texts += event.delta.text;
    }
  });
  return { texts, error };
}

describe("an error body", () => {
  test.each([
    [invalidRequest("`max_tokens` is missing"), Anthropic.BadRequestError, "invalid_request_error"],
    [failure({ status: 401 }), Anthropic.AuthenticationError, "authentication_error"],
    [failure({ status: 403 }), Anthropic.PermissionDeniedError, "permission_error"],
    [failure({ status: 404 }), Anthropic.NotFoundError, "not_found_error"],
    [failure({ status: 429 }), Anthropic.RateLimitError, "rate_limit_error"],
    [failure({ status: 503, origin: "circuit-open" }), Anthropic.InternalServerError, "overloaded_error"],
    [failure({ status: 529 }), Anthropic.InternalServerError, "overloaded_error"],
  ])("%s is the SDK's own error with type and message", async (said, errorClass, type) => {
    const body = messagesClientDialect.errorBody(said, "req_7");
    answer = () => new Response(body, { status: said.status, headers: { "content-type": "application/json" } });
    const error = await thrown(() => client.messages.create(ask));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ status: said.status, type, apiMessage: said.message });
    expect(error.error).toEqual({ type: "error", error: { type, message: said.message }, request_id: "req_7" });
  });
});

describe("the details of an error", () => {
  const detailsIn = (said: Failure): unknown =>
    JSON.parse(messagesClientDialect.errorBody(said, "req_7")).error.details;

  test("are those of the provider", () => {
    const body = new TextEncoder().encode(
      '{"type":"error","error":{"type":"invalid_request_error","message":"m","details":{"error_code":"thread_already_continued"}}}',
    );
    const about = { status: 400, body, providerName: "p", headers: [], retryAfterMs: undefined };
    expect(detailsIn(failureOfErrorBody(about))).toEqual({ error_code: "thread_already_continued" });
  });

  test("tell the SDK to send the whole history when a provider cannot continue a thread", () => {
    const refused = invalidRequest("`thread` is not supported by provider p: leave it out", { param: "thread" });
    expect(detailsIn(refused)).toEqual({ error_code: "thread_not_found" });
    expect(detailsIn(invalidRequest("no", { param: "container" }))).toBeUndefined();
  });
});

test("a thread that begins is answered anywhere, one that goes on only where it is held", () => {
  const weightOf = (thread: object): unknown => {
    const body = { max_tokens: 5, messages: [{ role: "user", content: "Hi" }], thread };
    const { own } = messagesTranslator.decodeRequest(requestOf(body, { operation: "messages" }));
    return own.find(({ name }) => name === "thread")?.weight;
  };
  expect(weightOf({ type: "create" })).toBe("harmless");
  expect(weightOf({ type: "continue", previous_message_id: "msg_1" })).toBe("changes-result");
});

describe("in a stream", () => {
  test("a broken one ends in an api_error behind the text that was delivered", async () => {
    stream(
      messageStart(),
      blockStart(),
      textDelta("one"),
      messagesClientDialect.streamError("cut off", "stream_incomplete"),
    );
    const { texts, error } = await streamed();
    expect(texts).toBe("one");
    expect(error).toMatchObject({ type: "api_error", apiMessage: "cut off" });
    expect(error.error).toMatchObject({ error: { code: "stream_incomplete" } });
  });

  test("a failure behind heartbeats is the error that it would have been without them", async () => {
    const { heartbeat, failureEvent } = messagesClientDialect;
    stream(heartbeat, heartbeat, failureEvent(failure({ status: 429, message: "slow down" })));
    const { texts, error } = await streamed();
    expect([texts, error.type, error.apiMessage]).toEqual(["", "rate_limit_error", "slow down"]);
  });

  test("heartbeats before, within and behind content change nothing", async () => {
    const { heartbeat } = messagesClientDialect;
    const events = messagesAnswer("a", "one two").flatMap((event) => [heartbeat, event]);
    stream(...events);
    const message = await client.messages.stream(ask).finalMessage();
    expect(message).toMatchObject({
      id: "msg_a",
      stop_reason: "end_turn",
      content: [{ type: "text", text: "one two" }],
    });
    expect(decoder.decode(heartbeat)).toBe('event: ping\ndata: {"type": "ping"}\n\n');
  });

  test("the terminal that is put in for a missing one ends the message", async () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    const sent = messagesAnswer("a", "one two").slice(0, -1).join("");
    stream(reader.push(encoder.encode(sent)).relay ?? "", reader.end().relay ?? "");
    const message = await client.messages.stream(ask).finalMessage();
    expect(message).toMatchObject({ stop_reason: "end_turn", usage: { input_tokens: 10, output_tokens: 2 } });
  });

  test("an error of the provider without its name is thrown all the same", async () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    const error = 'data: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const step = reader.push(encoder.encode(messageStart() + blockStart() + textDelta("one") + error));
    expect(step.inBand).toBe(true);
    stream(step.relay ?? "");
    const seen = await streamed();
    expect([seen.texts, seen.error.type, seen.error.apiMessage]).toEqual(["one", "overloaded_error", "Overloaded"]);
  });

  test("an answer that another one went on with is one message of the first, with the usage of both", async () => {
    const first = messageStart("a") + blockStart() + textDelta("one") + textDelta(" two");
    const delivered = messagesClientDialect.followStream(
      messagesRequest('{"messages":[{"role":"user","content":"hi"}]}'),
    );
    const broken = createMessagesStreamReader({ providerName: "up" });
    broken.push(encoder.encode(first));
    delivered.took(encoder.encode(first));
    const next = delivered.resume(createMessagesStreamReader({ providerName: "down" }), "fresh", broken.facts());
    const tool = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
    const other =
      messageStart("b") +
      blockStart() +
      textDelta("one two three") +
      blockStop() +
      blockStart(1, tool) +
      blockStop(1) +
      messageDelta("tool_use", { output_tokens: 20 }) +
      messageStop;
    stream(first, next.push(encoder.encode(other)).relay ?? "");
    const message = await client.messages.stream(ask).finalMessage();
    expect(message).toMatchObject({
      id: "msg_a",
      model: "a",
      content: [{ type: "text", text: "one two three" }, tool],
      stop_reason: "tool_use",
      usage: { input_tokens: 20, output_tokens: 22 },
    });
  });
});
