// The owner's page "Ausfallsicherheit": streams that end too early end in an explicit error, and whole ones stay whole.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentOf, seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const cuts = ["cut-after-1", "cut-after-4", "cut-in-event-4", "cut-in-tool-call", "cut-in-character", "cut-in-done"];
const ends = ["clean", "fin", "reset"];
const broken = [
  ...cuts.flatMap((cut) => ends.map((end) => `${cut}~end=${end}`)),
  ...["event-malformed-middle", "event-junk-middle", "stall-4", "cut-after-first-finish"],
];
const whole = [
  ...["cut-before-done", "cut-after-finish"].flatMap((cut) => ends.map((end) => `${cut}~end=${end}`)),
  ...["ok", "no-finish", "done-no-blank-line"],
];

const incomplete = /\n\ndata: (\{"error":\{.*\}\})\n\n$/;

let gateway: SimulatedGateway;

beforeAll(async () => {
  gateway = await simulatedGateway({
    providers: { p: { listed: [...broken, ...whole, "error-middle-503", "slow-first-5000", "status-503"] } },
    resilience: { circuit_breaker: { enabled: false } },
    http: { stream_idle_timeout: "150ms" },
  });
});
afterAll(() => gateway.stop());

async function streamed(model: string): Promise<string> {
  const fields = model === "cut-after-first-finish" ? { n: 2 } : {};
  const response = await gateway.chat(`p/${model}`, { stream: true, ...fields });
  expect(response.status).toBe(200);
  return response.text();
}

describe("a stream without its end", () => {
  test.each(broken)("%s is relayed as far as it came, then stream_incomplete and nothing more", async (model) => {
    const text = await streamed(model);
    const { error } = JSON.parse(incomplete.exec(text)?.[1] ?? "null") as { error: Record<string, unknown> };
    expect(error).toEqual({
      message: expect.any(String),
      type: "provider_error",
      param: null,
      code: "stream_incomplete",
    });
    expect(text.startsWith('data: {"id":')).toBe(true);
    expect(text).not.toContain("[DONE]");
    expect(text.match(/"error":/g)).toHaveLength(1);
  });

  test("has delivered every whole event that came before", async () => {
    const text = await streamed("cut-after-4~end=reset");
    expect(text.match(/"delta":/g)).toHaveLength(4);
  });

  test("that the provider ended with its own error has that error and no second one", async () => {
    const text = await streamed("error-middle-503");
    expect(incomplete.exec(text)?.[1]).toBe('{"error":{"message":"simulated error in the stream","code":503}}');
    expect(text).not.toContain("stream_incomplete");
  });
});

describe("a stream that has had its end", () => {
  test.each(whole)("%s is whole", async (model) => {
    const text = await streamed(model);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(text).not.toContain('"error"');
  });
});

describe("REQUEST_DEADLINE", () => {
  test("ends a request that is under way in 504 request_timeout", async () => {
    await using hurried = await simulatedGateway({
      providers: { p: { listed: ["slow-first-5000"] } },
      server: { request_deadline: "120ms" },
    });
    expect(await seenError(await hurried.chat("p/slow-first-5000"))).toMatchObject({
      status: 504,
      message: "request timed out",
      code: "request_timeout",
    });
    const call = hurried.simulator("p").calls.findIndex(({ method }) => method === "POST");
    expect(await hurried.simulator("p").waitForClosed(call, 2000)).toBeLessThan(1000);
  });

  test("keeps a retry from being begun that would not fit, and the provider's error is the answer", async () => {
    await using hurried = await simulatedGateway({
      providers: { p: { listed: ["status-503"] } },
      resilience: { retry: { initial_backoff: "30s" } },
      server: { request_deadline: "5s" },
    });
    const begun = performance.now();
    expect((await hurried.chat("p/status-503")).status).toBe(503);
    expect(performance.now() - begun).toBeLessThan(4000);
    expect(hurried.called("p")).toHaveLength(1);
  });

  test("lets pass what fits", async () => {
    await using hurried = await simulatedGateway({
      providers: { p: { listed: ["status-503@2"] } },
      server: { request_deadline: "20s" },
    });
    expect(await contentOf(await hurried.chat("p/status-503@2"))).toContain("[status-503@2]");
  });
});
