// What the gateway is asked for at each path, and how what it says comes back, without a network.

import { describe, expect, test } from "bun:test";
import { incomingRequest } from "../../test/support/incoming-request.ts";
import { requestRecord } from "../../test/support/request-record.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { joinBytes } from "../core/byte-pieces.ts";
import { Failure, unexpectedError } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { RecoverableDialect } from "../core/stream-recovery.ts";
import type { Answer } from "../gateway/answer.ts";
import { clientDialects, nameRequestId } from "./client-dialects.ts";
import { Exchange } from "./exchange.ts";
import type { Reply } from "./listener/reply.ts";
import { callModel } from "./model-call.ts";

interface Asked {
  readonly request: ModelRequest;
  readonly dialect: RecoverableDialect;
}

interface Call {
  readonly response: Response;
  readonly asked: readonly Asked[];
  readonly exchange: Exchange;
  /** What was told as a mistake of ours. */
  readonly bugs: readonly unknown[];
}

async function call(
  operation: Operation,
  path: string,
  body: string,
  outcome: Answer | Failure,
  headers: Record<string, string> = {},
  record = requestRecord({ requestId: "r-1", turns: [], answeredBy: undefined }),
): Promise<Call> {
  const asked: Asked[] = [];
  const bugs: unknown[] = [];
  const clock = new FakeClock();
  const dialect = clientDialects[operation];
  const request = incomingRequest(path, body, headers);
  const exchange = new Exchange(request, record, dialect, clock, () => {});
  const ours: Record<string, string> = {};
  nameRequestId(ours, "r-1", dialect);
  const reply = await callModel(exchange, operation, ours, {
    gateway: {
      handle(request, dialect) {
        asked.push({ request, dialect });
        return Promise.resolve(outcome);
      },
      isRepeatUseless: () => true,
    },
    bodySizeLimitBytes: 1000,
    requestDeadlineMs: 0,
    adviseNoRetry: true,
    streamStallTimeoutMs: 0,
    keepBodyBytes: 0,
    onBug: (error, requestId) => void bugs.push([error, requestId]),
  });
  return { response: await responseOf(reply), asked, exchange, bugs };
}

/** What a client makes of it. */
async function responseOf({ status, headers, body }: Reply): Promise<Response> {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    return new Response(body ?? null, { status, headers });
  }
  const pieces: Uint8Array[] = [];
  for (let piece: Uint8Array | undefined = body.first; piece !== undefined; piece = await body.next()) {
    pieces.push(piece);
    body.onPiece(piece);
  }
  body.onEnd();
  return new Response(joinBytes(pieces), { status, headers });
}

const limited = new Failure({
  origin: "status",
  status: 429,
  type: "rate_limit_error",
  message: "slow down",
  code: "rate_limit_exceeded",
  retryAfterMs: 1500,
  headers: [["anthropic-ratelimit-requests-remaining", "0"]],
});

describe("the gateway is asked", () => {
  test.each<[Operation, string, string, string | undefined]>([
    ["messages", "/v1/messages", "?beta=true", "?beta=true"],
    ["count-tokens", "/v1/messages/count_tokens", "?beta=true&key=secret", "?beta=true"],
    ["responses", "/v1/responses", "", undefined],
    ["chat-completions", "/v1/chat/completions", "?api_key=secret", undefined],
  ])("for %s in its own dialect, with what of its query may go up", async (operation, path, query, expected) => {
    const { asked } = await call(operation, path + query, '{"model":"m","provider":"p","stream":false}', limited);
    expect(asked.map(({ request }) => [request.operation, request.model, request.providerHint])).toEqual([
      [operation, "m", "p"],
    ]);
    expect<string | undefined>(asked[0]?.request.query).toBe(expected);
    expect(asked[0]?.dialect).toBe(clientDialects[operation]);
  });

  test.each<[Operation, boolean]>([
    ["messages", true],
    ["responses", true],
    ["chat-completions", true],
    ["count-tokens", false],
  ])("for %s with `stream: true`: a stream: %j", async (operation, stream) => {
    const { asked, exchange } = await call(operation, "/", '{"model":"m","stream":true}', limited);
    expect(asked[0]?.request.stream).toBe(stream);
    expect(exchange.record).toMatchObject({ stream, operation, requestedModel: "m" });
  });

  test("with the caller's headers at hand", async () => {
    const { asked } = await call("messages", "/", '{"model":"m"}', limited, { "Anthropic-Beta": "a,b" });
    expect(asked[0]?.request.callerHeaders?.get("anthropic-beta")).toBe("a,b");
  });

  test("for nothing when the body is too large or no request", async () => {
    for (const body of ["[]", `{"model":"${"m".repeat(1000)}"}`, '{"model":"m","stream":2}']) {
      const { asked, response } = await call("messages", "/", body, limited);
      expect(asked).toEqual([]);
      expect(await response.json()).toMatchObject({ type: "error", request_id: "r-1" });
    }
  });
});

describe("a failure is told", () => {
  test("to a Messages client in its form, with its id under both names, its wait and its limits", async () => {
    const { response } = await call("messages", "/", '{"model":"m"}', limited);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "slow down" },
      request_id: "r-1",
    });
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "x-request-id": "r-1",
      "request-id": "r-1",
      "retry-after": "2",
      "anthropic-ratelimit-requests-remaining": "0",
      "x-should-retry": "false",
    });
  });

  test.each<Operation>(["responses", "chat-completions", "embeddings"])(
    "to a client of %s as OpenAI does",
    async (operation) => {
      const { response } = await call(operation, "/", '{"model":"m"}', limited);
      expect(await response.json()).toEqual({
        error: { message: "slow down", type: "rate_limit_error", param: null, code: "rate_limit_exceeded" },
      });
      expect(response.headers.has("request-id")).toBe(false);
    },
  );
});

test("an answer comes back as it is, under the id of ours alone", async () => {
  const bytes = new TextEncoder().encode('{"id":"msg_1"}');
  const answer: Answer = {
    target: { providerName: "a", model: "m" },
    contentType: "application/json",
    headers: [["anthropic-ratelimit-requests-remaining", "9"]],
    first: bytes,
    whole: true,
    next: () => undefined,
  };
  const { response, exchange } = await call("messages", "/", '{"model":"m"}', answer);
  expect(await response.text()).toBe('{"id":"msg_1"}');
  expect(response.headers.get("request-id")).toBe("r-1");
  expect(response.headers.get("anthropic-ratelimit-requests-remaining")).toBe("9");
  expect(exchange.record.statusCode).toBe(200);
});

test("an answer that is over before its last pieces were asked for is given by its pieces, each once", async () => {
  const pieces = [Buffer.from("two"), Buffer.from("three")];
  const answer: Answer = {
    target: { providerName: "p", model: "m" },
    contentType: "text/event-stream",
    headers: [],
    first: Buffer.alloc(70_000, "1"),
    get whole() {
      return pieces.length < 2;
    },
    next: () => pieces.shift(),
  };
  const { response } = await call("messages", "/v1/messages", '{"model":"m","stream":true}', answer);
  expect(await response.text()).toBe(`${"1".repeat(70_000)}twothree`);
});

describe("a mistake of ours", () => {
  const cause = new TypeError("oops");

  test("that kept a request from being sent is told with its cause, and the caller hears nothing of it", async () => {
    const { response, bugs } = await call("messages", "/v1/messages", '{"model":"m"}', unexpectedError(cause));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("oops");
    expect(bugs).toEqual([[cause, "r-1"]]);
  });

  test("that cut a stream is told at its end", async () => {
    const pieces = [new Uint8Array([1])];
    const record = requestRecord({ requestId: "r-1", turns: [], answeredBy: undefined });
    const answer: Answer = {
      target: { providerName: "p", model: "m" },
      contentType: "text/event-stream",
      headers: [],
      first: new Uint8Array([0]),
      whole: false,
      next() {
        record.failure = unexpectedError(cause);
        return pieces.pop();
      },
    };
    const called = await call("messages", "/v1/messages", '{"model":"m","stream":true}', answer, {}, record);
    expect(await called.response.bytes()).toEqual(new Uint8Array([0, 1]));
    expect(called.bugs).toEqual([[cause, "r-1"]]);
  });

  test("is not what a provider's failure is", async () => {
    const { bugs } = await call("messages", "/v1/messages", '{"model":"m"}', limited);
    expect(bugs).toEqual([]);
  });
});
