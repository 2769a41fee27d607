// The official openai SDK meets failing providers through the gateway: error classes, cut streams, its own retries, leaving, limits.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI, { type ClientOptions } from "openai";
import { eventually } from "../support/eventually.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

const statuses = [
  [400, OpenAI.BadRequestError, "invalid_request_error"],
  [401, OpenAI.AuthenticationError, "authentication_error"],
  [403, OpenAI.PermissionDeniedError, "authentication_error"],
  [404, OpenAI.NotFoundError, "not_found_error"],
  [409, OpenAI.ConflictError, "invalid_request_error"],
  [413, OpenAI.APIError, "invalid_request_error"],
  [422, OpenAI.UnprocessableEntityError, "invalid_request_error"],
  [429, OpenAI.RateLimitError, "rate_limit_error"],
  [500, OpenAI.InternalServerError, "provider_error"],
  [502, OpenAI.InternalServerError, "provider_error"],
  [503, OpenAI.InternalServerError, "provider_error"],
  [504, OpenAI.InternalServerError, "provider_error"],
] as const;

const coded = "status-400~message=no%20such%20thing~code=bad_thing";
const waits = "status-429@1~retry-after-ms=700";

let gateway: SimulatedGateway;

function sdk(options: ClientOptions = {}): OpenAI {
  return new OpenAI({ apiKey: "sk-master", baseURL: `${gateway.url}/v1`, maxRetries: 0, ...options });
}

function straight(): OpenAI {
  return new OpenAI({ apiKey: "sk-any", baseURL: gateway.simulator("sim").baseUrl, maxRetries: 0 });
}

/** What an attempt throws. */
async function thrown(attempt: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const caught: unknown = await attempt.then(
    () => new Error("it did not throw"),
    (error: unknown) => error,
  );
  if (caught instanceof OpenAI.APIError) return caught;
  throw caught;
}

const told = (error: InstanceType<typeof OpenAI.APIError>): unknown => ({
  kind: error.constructor.name,
  status: error.status,
  message: error.message,
  error: error.error,
  code: error.code,
  type: error.type,
  param: error.param,
});

beforeAll(async () => {
  gateway = await simulatedGateway(
    {
      providers: {
        sim: {
          listed: [
            ...statuses.map(([status]) => `status-${status}`),
            ...[
              coded,
              waits,
              "status-503@2",
              "cut-after-4",
              "error-middle-503",
              "error-first-429",
              "reset-before-answer",
            ],
            ...["paced-20-500", "slow-first-20000", "hidden-429", "ok"],
          ],
        },
      },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
      logging: { enabled: true },
    },
    { GOMODEL_MASTER_KEY: "sk-master", BODY_SIZE_LIMIT: "4K" },
  );
});
afterAll(() => gateway.stop());

describe("a status of the provider", () => {
  test.each(statuses)("%i is the same error as straight from it", async (status, kind, type) => {
    const create = (client: OpenAI, model: string): Promise<unknown> =>
      client.chat.completions.create({ model, messages });
    const error = await thrown(create(sdk(), `sim/status-${status}`));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, type });
    expect(told(error)).toEqual(told(await thrown(create(straight(), `status-${status}`))));
  });

  test.each(statuses)("%i is the same error when a stream was asked for", async (status, kind) => {
    const create = (client: OpenAI, model: string): Promise<unknown> =>
      client.chat.completions.create({ model, messages, stream: true });
    const error = await thrown(create(sdk(), `sim/status-${status}`));
    expect(error).toBeInstanceOf(kind);
    expect(told(error)).toEqual(told(await thrown(create(straight(), `status-${status}`))));
  });

  test("keeps the provider's message and code", async () => {
    const error = await thrown(sdk().chat.completions.create({ model: `sim/${coded}`, messages }));
    expect(error).toMatchObject({ message: "400 no such thing", code: "bad_thing" });
  });

  test("hidden behind 200 is raised as a RateLimitError instead of an answer without choices", async () => {
    const error = await thrown(sdk().chat.completions.create({ model: "sim/hidden-429", messages }));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ message: "429 simulated error behind 200", code: 429 });
  });

  test("embeddings fail in the same way", async () => {
    const error = await thrown(sdk().embeddings.create({ model: "sim/status-503", input: "text" }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error.status).toBe(503);
  });
});

describe("the request id", () => {
  test("that the caller sends is on the answer and on the error", async () => {
    const named = sdk({ defaultHeaders: { "x-request-id": "order-66" } });
    const answer = await named.chat.completions.create({ model: "sim/ok", messages });
    expect(answer._request_id).toBe("order-66");
    const error = await thrown(named.chat.completions.create({ model: "sim/status-503", messages }));
    expect(error.requestID).toBe("order-66");
  });
});

describe("an error of the gateway", () => {
  test("a wrong key is an AuthenticationError", async () => {
    const error = await thrown(sdk({ apiKey: "sk-wrong" }).chat.completions.create({ model: "sim/ok", messages }));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ message: "401 invalid master key", type: "authentication_error" });
  });

  test("an unknown model is a BadRequestError that names it", async () => {
    const error = await thrown(sdk().chat.completions.create({ model: "nobody-has-it", messages }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error.message).toBe("400 unsupported model: nobody-has-it");
  });

  test("a body over the limit is a 413 that names the setting", async () => {
    const long = [{ role: "user" as const, content: "x".repeat(5000) }];
    const error = await thrown(sdk().chat.completions.create({ model: "sim/ok", messages: long }));
    expect(error).toMatchObject({ status: 413, code: "request_too_large", type: "invalid_request_error" });
    expect(error.message).toContain("BODY_SIZE_LIMIT");
  });

  test("a provider whose connection breaks is a 502 that names it", async () => {
    const error = await thrown(sdk().chat.completions.create({ model: "sim/reset-before-answer", messages }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, type: "provider_error" });
    expect(error.message).toContain("sim");
  });
});

describe("a stream that goes wrong", () => {
  const collected: string[] = [];
  async function read(client: OpenAI, model: string): Promise<void> {
    collected.length = 0;
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) collected.push(chunk.choices[0]?.delta.content ?? "");
  }

  test("cut by the provider raises stream_incomplete after the pieces that came", async () => {
    const error = await thrown(read(sdk(), "sim/cut-after-4"));
    expect(error).toMatchObject({ code: "stream_incomplete", type: "provider_error", status: undefined });
    expect(collected.join("")).toBe("[cut-after-4] this text");
  });

  test("cut by the provider ends silently without the gateway", async () => {
    await read(straight(), "cut-after-4");
    expect(collected.join("")).toBe("[cut-after-4] this text");
  });

  test("with an error of the provider in its middle raises the same error as straight from it", async () => {
    const error = await thrown(read(sdk(), "sim/error-middle-503"));
    const pieces = [...collected];
    expect(told(error)).toEqual(told(await thrown(read(straight(), "error-middle-503"))));
    expect(pieces).toEqual(collected);
    expect(error.code as unknown).toBe(503);
  });

  test("with an error as its first event raises a RateLimitError with its status", async () => {
    const error = await thrown(read(sdk(), "sim/error-first-429"));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error.status).toBe(429);
  });
});

describe("the SDK's own retries", () => {
  test("wait as long as the provider's retry-after-ms says", async () => {
    const begun = performance.now();
    const answer = await sdk({ maxRetries: 2 }).chat.completions.create({ model: `sim/${waits}`, messages });
    // Its own first wait is 500 ms at most.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(699);
    expect(answer.choices[0]?.finish_reason).toBe("stop");
  });

  test("are requests of their own, which the log tells apart by x-stainless-retry-count", async () => {
    const before = gateway.called("sim").length;
    const impatient = sdk({ maxRetries: 2, defaultHeaders: { "x-test": "own retries" } });
    const answer = await impatient.chat.completions.create({ model: "sim/status-503@2", messages });
    expect(answer.object).toBe("chat.completion");
    expect(gateway.called("sim").slice(before)).toEqual(["status-503@2", "status-503@2", "status-503@2"]);
    const counts = await eventually("three rows", async () => {
      const rows = (await gateway.rows(0)).map(({ status_code, data }) => ({
        status_code,
        headers: data.request_headers,
      }));
      const own = rows.filter(({ headers }) => headers?.["x-test"] === "own retries");
      return (
        own.length >= 3 && own.map(({ status_code, headers }) => [status_code, headers?.["x-stainless-retry-count"]])
      );
    });
    expect(counts).toEqual([
      [200, "2"],
      [503, "1"],
      [503, "0"],
    ]);
  });
});

describe("a caller who does not wait", () => {
  test("aborting a stream closes the connection to the provider", async () => {
    const simulator = gateway.simulator("sim");
    const stream = await sdk().chat.completions.create({ model: "sim/paced-20-500", messages, stream: true });
    const call = simulator.calls.length - 1;
    let pieces = 0;
    for await (const chunk of stream) {
      expect(chunk.object).toBe("chat.completion.chunk");
      if (++pieces === 3) stream.controller.abort();
    }
    // Those that had arrived with the third one may still come.
    expect(pieces).toBeLessThan(100);
    expect(await simulator.waitForClosed(call, 2000)).toBeLessThan(1000);
  });

  test("aborting a whole answer is an APIUserAbortError and closes the connection to the provider", async () => {
    const simulator = gateway.simulator("sim");
    const before = simulator.calls.length;
    const leaving = new AbortController();
    const attempt = thrown(
      sdk().chat.completions.create({ model: "sim/slow-first-20000", messages }, { signal: leaving.signal }),
    );
    await eventually("the provider has been called", () => simulator.calls.length > before);
    leaving.abort();
    expect(await attempt).toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(await simulator.waitForClosed(before, 2000)).toBeLessThan(1000);
  });

  test("the SDK's timeout is an APIConnectionTimeoutError and closes the connection to the provider", async () => {
    const simulator = gateway.simulator("sim");
    const before = simulator.calls.length;
    const hasty = sdk({ timeout: 100 });
    const error = await thrown(hasty.chat.completions.create({ model: "sim/slow-first-20000", messages }));
    expect(error).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    expect(await simulator.waitForClosed(before, 2000)).toBeLessThan(1000);
  });
});
