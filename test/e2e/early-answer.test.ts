// EARLY_COMMIT_AFTER over real sockets: a stream that waits has its status and comments, and in the end its answer or the failure as an event.

import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { eventually } from "../support/eventually.ts";
import { type StrongGateway, strongGateway } from "../support/strong-gateway.ts";

const env = { EARLY_COMMIT_AFTER: "20s" };
const logged = { logging: { enabled: true, flush_interval: "100ms" } };
const comment = /^: [a-z]+\n\n$/;

interface Piece {
  readonly at: number;
  readonly text: string;
}

/** A stream's headers and its pieces with the moments at which they came, on the gateway's clock. */
async function read(gateway: StrongGateway, init: RequestInit = {}) {
  const begun = gateway.clock.now();
  const response = await gateway.chat("v", { stream: true }, init);
  const headersAt = gateway.clock.now() - begun;
  const pieces: Piece[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    pieces.push({ at: gateway.clock.now() - begun, text: decoder.decode(bytes, { stream: true }) });
  }
  return { response, headersAt, pieces, text: pieces.map(({ text }) => text).join("") };
}

function sdk({ url }: StrongGateway): OpenAI {
  return new OpenAI({ apiKey: "sk-any", baseURL: `${url}/v1`, maxRetries: 0 });
}

const question = { model: "v", messages: [{ role: "user" as const, content: "Hello" }], stream: true as const };

describe("a stream whose first event comes after 42 s", () => {
  test.concurrent("has 200 and a comment after 20 s, more comments every 15 s, and then every event", async () => {
    await using gateway = await strongGateway({ a: "slow-first-42000" }, { env });
    const { response, headersAt, pieces, text } = await read(gateway);
    expect(response.status).toBe(200);
    expect(headersAt).toBeGreaterThanOrEqual(20_000);
    expect(headersAt).toBeLessThan(42_000);
    const comments = pieces.filter((piece) => comment.test(piece.text));
    expect(comments).toHaveLength(2);
    expect(comments[1]?.at ?? 0).toBeGreaterThanOrEqual(35_000);
    expect(text.replaceAll(/^: [a-z]+\n\n/gm, "")).toStartWith('data: {"id":');
    expect(text).toEndWith("data: [DONE]\n\n");
  });

  test.concurrent("has the headers of a stream and its request id, and none that name who answers", async () => {
    await using gateway = await strongGateway({ a: "slow-first-42000" }, { env });
    const { headers } = (await read(gateway, { headers: { "x-request-id": "early-1" } })).response;
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-request-id")).toBe("early-1");
    expect([...headers.keys()].filter((name) => name.startsWith("x-gomodel"))).toEqual([]);
  });

  test.concurrent("is read by the OpenAI SDK as if nothing had been", async () => {
    await using gateway = await strongGateway({ a: "slow-first-42000" }, { env });
    let text = "";
    let finish: string | null | undefined;
    for await (const chunk of await sdk(gateway).chat.completions.create(question)) {
      text += chunk.choices[0]?.delta.content ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(text).toStartWith("[m] this text was made up");
    expect(finish).toBe("stop");
  });

  test.concurrent("fails over behind its comments, and the log names who answered", async () => {
    await using gateway = await strongGateway(
      { a: "hang-before-answer", b: "slow-first-20000" },
      { env, more: logged },
    );
    const { text } = await read(gateway);
    expect(text).toMatch(/^: [a-z]+\n\ndata: /);
    expect(text).toEndWith("data: [DONE]\n\n");
    const [row] = await gateway.rows(1);
    expect(row).toMatchObject({ status_code: 200, provider_name: "b", error_type: null });
    expect(row?.data).toMatchObject({ failover: { target_model: "b/m" } });
    expect(row?.data.stream_error).toBeUndefined();
  });
});

describe("a stream that nobody answers in the end", () => {
  const exhausted = { a: "status-429~retry-after=12~message=too%20much~code=slow_down" };

  test.concurrent("has the failure itself as an event, and then its end without [DONE]", async () => {
    await using gateway = await strongGateway(exhausted, { env });
    const { response, text } = await read(gateway);
    expect(response.status).toBe(200);
    expect(text).toMatch(/^(?:: [a-z]+\n\n)+data: \{.*\}\n\n$/);
    expect(JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "null")).toEqual({
      error: { message: "too much", type: "rate_limit_error", param: null, code: "slow_down" },
    });
  });

  test.concurrent("is an error with the provider's words for the OpenAI SDK", async () => {
    await using gateway = await strongGateway(exhausted, { env });
    const reading = (async (): Promise<void> => {
      for await (const _ of await sdk(gateway).chat.completions.create(question)) throw new Error("an event");
    })();
    const error: unknown = await reading.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ message: "too much", code: "slow_down", type: "rate_limit_error" });
  });

  test.concurrent("is in the log as a stream that failed, with its 200", async () => {
    await using gateway = await strongGateway(exhausted, { env, more: logged });
    await read(gateway);
    const [row] = await gateway.rows(1);
    expect(row).toMatchObject({ status_code: 200, error_type: "rate_limit_error" });
    expect(row?.data).toMatchObject({ stream_error: "too much", error_code: "slow_down" });
    expect(row?.data.attempts).toHaveLength(4);
  });

  test.concurrent("because its time is over has that as an event", async () => {
    await using gateway = await strongGateway(
      { a: "hang-before-answer" },
      { env: { ...env, REQUEST_DEADLINE: "30s" } },
    );
    expect((await read(gateway)).text).toContain('{"error":{"message":"request timed out","type":"provider_error"');
  });
});

test.concurrent("a gateway that shuts down during the comments says so in an event", async () => {
  const gateway = await strongGateway({ a: "hang-before-answer" }, { env: { ...env, SHUTDOWN_GRACE: "5s" } });
  const response = await gateway.chat("v", { stream: true });
  const reading = response.text();
  await gateway.stop();
  expect(await reading).toContain('{"error":{"message":"the gateway is shutting down","type":"provider_error"');
});

test.concurrent("a caller who leaves during the comments takes the call with it and is a 499 in the log", async () => {
  await using gateway = await strongGateway(
    { a: "hang-before-answer", b: "ok" },
    { env: { ...env, HTTP_FIRST_EVENT_TIMEOUT: "0" }, more: logged },
  );
  const leave = new AbortController();
  const response = await gateway.chat("v", { stream: true }, { signal: leave.signal });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(comment);
  leave.abort();
  const call = gateway.simulator("a").calls.findIndex(({ method }) => method === "POST");
  await gateway.simulator("a").waitForClosed(call, 40_000);
  const [row] = await gateway.rows(1);
  expect(row).toMatchObject({ status_code: 499, provider_name: "a" });
  expect(row?.data.attempts).toMatchObject([{ target: "a/m", outcome: "cancelled" }]);
  expect(gateway.calls()).toEqual([1, 0]);
  await eventually("nothing in flight", () => gateway.application.inFlight === 0);
});

test.concurrent("a buffered call waits for its answer and has a status of its own", async () => {
  await using gateway = await strongGateway({ a: "slow-first-30000" }, { env });
  const seen = await gateway.ask(false);
  expect(seen).toMatchObject({ status: 200, answeredBy: "a 1" });
  expect(seen.text).toStartWith("{");
});

test.concurrent("a stream that is answered in time has a status and a target of its own", async () => {
  await using gateway = await strongGateway({ a: "slow-first-5000" }, { env });
  expect(await gateway.ask(true)).toMatchObject({ status: 200, answeredBy: "a 1" });
  gateway.simulator("a").setFault("m", "status-400");
  expect(await gateway.ask(true)).toMatchObject({ status: 400, answeredBy: "a 1" });
});
