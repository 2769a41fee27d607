// The owner's page "Ausfallsicherheit", on the wire: what is retried, how often, and with which Idempotency-Key.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const retried = [429, 502, 503, 504, 522, 524];
const notRetried = [400, 401, 403, 404, 408, 422, 500, 501, 520, 521, 523, 529];
const broken = ["reset-in-headers", "fin-in-headers", "reset-in-body", "fin-in-body"];
const listed = [
  ...[...retried, ...notRetried].map((status) => `status-${status}`),
  ...broken,
  ...[
    "reset-before-answer",
    "slow-first-5000",
    "status-503@2",
    "status-429~retry-after=60",
    "status-418",
    "choices-empty",
    "json-junk",
  ],
  ...["status-503~retry-after-ms=120", "ok"],
];

let gateway: SimulatedGateway;

beforeAll(async () => {
  gateway = await simulatedGateway({
    providers: {
      plain: { listed },
      never: { listed, resilience: { retry: { max_retries: 0 } } },
      own: { listed, resilience: { retry: { max_retries: 1, retry_on_statuses: [418, 500] } } },
      byClass: { listed, resilience: { retry: { max_retries: 1, retry_on_statuses: ["5xx"] } } },
      none: { listed, resilience: { retry: { max_retries: 1, retry_on_statuses: [] } } },
      patient: { listed, resilience: { retry: { max_retries: 1, initial_backoff: "200ms" } } },
    },
    resilience: { circuit_breaker: { enabled: false } },
    http: { timeout: "150ms" },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  for (const name of ["plain", "never", "own", "byClass", "none", "patient"]) gateway.simulator(name).reset();
});

/** How often `provider` was called for one request, and with what the request ended. */
async function calls(provider: string, model: string, fields: Record<string, unknown> = {}): Promise<[number, number]> {
  const response = await gateway.chat(`${provider}/${model}`, fields);
  await response.text();
  return [gateway.called(provider).length, response.status];
}

describe("with the default settings", () => {
  test.each(retried)("%i is tried four times and its error answered", async (status) => {
    expect(await calls("plain", `status-${status}`)).toEqual([4, status]);
  });

  test.each(notRetried)("%i is answered after one attempt", async (status) => {
    expect(await calls("plain", `status-${status}`)).toEqual([1, status]);
  });

  test.each(broken)("the transport error %s is tried four times", async (model) => {
    expect(await calls("plain", model)).toEqual([4, 502]);
  });

  test("two failures and a success are an answer for the caller", async () => {
    expect(await calls("plain", "status-503@2")).toEqual([3, 200]);
  });

  test("a local timeout is a 504 at once, without a retry", async () => {
    expect(await calls("plain", "slow-first-5000")).toEqual([1, 504]);
  });

  test.each(["choices-empty", "json-junk"])("the unusable answer %s is a 502 without a retry", async (model) => {
    expect(await calls("plain", model)).toEqual([1, 502]);
  });

  test.each(["status-503", "status-429", "reset-in-headers", "reset-in-body"])(
    "a stream is never sent twice: %s",
    async (model) => {
      expect((await calls("plain", model, { stream: true }))[0]).toBe(1);
    },
  );

  test("a provider whose name is not found is tried four times and is a 502 that names it", async () => {
    // Too long for a label, so that no name server has to be asked.
    const host = `${"x".repeat(70)}.invalid`;
    await using lost = await simulatedGateway({ providers: { gone: { base_url: `http://${host}/v1` } } });
    const response = await lost.chat("gone/ok");
    expect(response.headers.get("x-gomodel-attempts")).toBe("4");
    const error = await seenError(response);
    expect(error).toMatchObject({ status: 502, type: "provider_error" });
    expect(error.message).toContain("gone");
  });

  test("an idle connection that turns out to be dead is replaced once in each of the four attempts", async () => {
    await calls("plain", "ok");
    const response = await gateway.chat("plain/reset-before-answer");
    expect([response.status, response.headers.get("x-gomodel-attempts")]).toEqual([502, "4"]);
  });

  test("a provider that refuses connections is tried four times and is a 502 that names it", async () => {
    await using unreachable = await simulatedGateway({
      providers: { gone: { base_url: "http://127.0.0.1:1/v1" } },
    });
    const response = await unreachable.chat("gone/ok");
    expect(response.headers.get("x-gomodel-attempts")).toBe("4");
    const error = await seenError(response);
    expect(error).toMatchObject({ status: 502, type: "provider_error" });
    expect(error.message).toContain("gone");
  });
});

describe("settings of one provider", () => {
  test("max_retries: 0 is exactly one attempt", async () => {
    expect(await calls("never", "status-503")).toEqual([1, 503]);
    expect(await calls("never", "reset-in-headers")).toEqual([2, 502]);
  });

  test("a status list of its own replaces the default", async () => {
    expect(await calls("own", "status-418")).toEqual([2, 418]);
    expect(await calls("own", "status-500")).toEqual([4, 500]);
    expect(await calls("own", "status-503")).toEqual([5, 503]);
    expect(await calls("own", "reset-in-headers")).toEqual([7, 502]);
  });

  test("a class such as 5xx stands for each of its statuses", async () => {
    expect(await calls("byClass", "status-529")).toEqual([2, 529]);
    expect(await calls("byClass", "status-429")).toEqual([3, 429]);
  });

  test("[] switches status triggers off and leaves transport errors", async () => {
    expect(await calls("none", "status-503")).toEqual([1, 503]);
    expect(await calls("none", "reset-in-headers")).toEqual([3, 502]);
  });

  test("initial_backoff is waited out before the retry", async () => {
    const begun = performance.now();
    expect(await calls("patient", "status-503")).toEqual([2, 503]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
  });
});

describe("Retry-After", () => {
  test("of 120 ms is waited out instead of the shorter back-off", async () => {
    const begun = performance.now();
    expect(await calls("plain", "status-503~retry-after-ms=120")).toEqual([4, 503]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(359);
  });

  test("of a minute ends the attempts at once and is handed to the caller", async () => {
    const response = await gateway.chat("plain/status-429~retry-after=60");
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(gateway.called("plain")).toHaveLength(1);
  });
});

describe("Idempotency-Key", () => {
  /** The keys that reached `provider`. */
  async function keys(provider: string, model: string, key: string): Promise<(string | undefined)[]> {
    await (await gateway.chat(`${provider}/${model}`, {}, { headers: { "idempotency-key": key } })).text();
    return gateway.simulator(provider).calls.map(({ headers }) => headers["idempotency-key"]);
  }

  test("goes unchanged to the provider and to every retry", async () => {
    const key = "Order-4711!~{}";
    expect(await keys("plain", "status-503", key)).toEqual([key, key, key, key]);
  });

  test("may have 255 visible characters", async () => {
    expect(await keys("plain", "ok", "k".repeat(255))).toEqual(["k".repeat(255)]);
  });

  test.each([
    ["of 256 characters", "k".repeat(256)],
    ["with a space", "two words"],
    ["with a letter beyond ASCII", "schl\u00fcssel"],
  ])("%s is ignored and the request served", async (_name, key) => {
    expect(await keys("plain", "ok", key)).toEqual([undefined]);
  });

  test("is not made up when the client sends none", async () => {
    await (await gateway.chat("plain/ok")).text();
    expect(gateway.simulator("plain").calls[0]?.headers["idempotency-key"]).toBeUndefined();
  });
});
