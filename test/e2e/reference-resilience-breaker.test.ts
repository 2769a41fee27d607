// The owner's page "Ausfallsicherheit", over real sockets: what the circuit breaker counts, refuses, probes and isolates.

import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

type Breaker = Readonly<Record<string, unknown>>;

/** One provider `p` whose model `m` behaves as each test says. No retries. */
function withBreaker(breaker: Breaker, more: Readonly<Record<string, unknown>> = {}): Promise<SimulatedGateway> {
  return simulatedGateway({
    providers: { p: { listed: ["m", "other", "third"] } },
    resilience: { retry: { max_retries: 0 }, circuit_breaker: { timeout: "1h", ...breaker } },
    ...more,
  });
}

/** Sends `count` requests for `model` one after the other while it behaves as `fault`; gives their statuses. */
async function send(
  gateway: SimulatedGateway,
  fault: string,
  count = 1,
  model = "m",
  fields: Record<string, unknown> = {},
): Promise<number[]> {
  gateway.simulator("p").setFault(model, fault);
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const response = await gateway.chat(`p/${model}`, fields);
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

/** Whether the next request for `model` is refused without a call. */
async function isOpen(gateway: SimulatedGateway, model = "m"): Promise<boolean> {
  const before = gateway.called("p").length;
  const statuses = await send(gateway, "ok", 1, model);
  return statuses[0] === 503 && gateway.called("p").length === before;
}

async function becomesHalfOpen(gateway: SimulatedGateway): Promise<void> {
  await eventually("the open circuit's time is over", async () => {
    const { providers } = await gateway.status();
    const at = providers[0]?.circuit_breaker?.next_probe_at;
    return typeof at === "string" && Date.parse(at) + 5 <= Date.now();
  });
}

describe("what counts", () => {
  test.each([
    "status-429",
    "status-500",
    "status-503",
    "status-529",
    "hidden-503",
    "reset-in-headers",
    "choices-empty",
  ])("five times %s opens the circuit, four times do not", async (fault) => {
    await using gateway = await withBreaker({});
    await send(gateway, fault, 4);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("closed");
    await send(gateway, fault);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("open");
    expect(await isOpen(gateway)).toBe(true);
  });

  test("a local timeout counts", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1 }, { http: { timeout: "60ms" } });
    expect(await send(gateway, "slow-first-5000")).toEqual([504]);
    expect(await isOpen(gateway)).toBe(true);
  });

  test("an exhausted row of retries is one failure", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["m"] } },
      resilience: { retry: { max_retries: 3 }, circuit_breaker: { failure_threshold: 2, timeout: "1h" } },
    });
    await send(gateway, "status-503");
    expect(gateway.called("p")).toHaveLength(4);
    expect(await isOpen(gateway)).toBe(false);
  });

  test("a row of retries that ends well is a success and begins the count anew", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["m"] } },
      resilience: { retry: { max_retries: 1 }, circuit_breaker: { failure_threshold: 2, timeout: "1h" } },
    });
    await send(gateway, "status-500");
    expect(await send(gateway, "status-503@1")).toEqual([200]);
    await send(gateway, "status-500");
    expect(await isOpen(gateway)).toBe(false);
  });

  test("a success in between begins the count anew", async () => {
    await using gateway = await withBreaker({ failure_threshold: 3 });
    await send(gateway, "status-500", 2);
    await send(gateway, "ok");
    await send(gateway, "status-500", 2);
    expect(await isOpen(gateway)).toBe(false);
  });

  test.each(["status-400", "status-401", "status-404", "status-422"])(
    "%s is an answer and begins the count anew",
    async (fault) => {
      await using gateway = await withBreaker({ failure_threshold: 3 });
      await send(gateway, "status-500", 2);
      await send(gateway, fault);
      await send(gateway, "status-500", 2);
      expect(await isOpen(gateway)).toBe(false);
    },
  );

  test("a client that leaves is ignored", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1 });
    gateway.simulator("p").setFault("m", "slow-first-20000");
    const leaving = new AbortController();
    const request = gateway.chat("p/m", {}, { signal: leaving.signal }).catch((error: unknown) => error);
    await eventually("the provider has been called", () => gateway.called("p").length === 1);
    leaving.abort();
    await request;
    const call = gateway.simulator("p").calls.findIndex(({ method }) => method === "POST");
    await gateway.simulator("p").waitForClosed(call, 2000);
    expect(await isOpen(gateway)).toBe(false);
  });

  test("failure_on_statuses: [5xx] leaves 429 out, and 503 in", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1, failure_on_statuses: ["5xx"] });
    await send(gateway, "status-429", 3);
    expect(await isOpen(gateway)).toBe(false);
    await send(gateway, "status-503");
    expect(await isOpen(gateway)).toBe(true);
  });

  test("failure_on_statuses: [] leaves transport errors", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1, failure_on_statuses: [] });
    await send(gateway, "status-503", 3);
    expect(await isOpen(gateway)).toBe(false);
    await send(gateway, "reset-in-headers");
    expect(await isOpen(gateway)).toBe(true);
  });
});

describe("an open circuit", () => {
  test("answers 503 with the provider's configured name and the seconds that are left", async () => {
    await using gateway = await simulatedGateway({
      providers: { "openai-eu": { listed: ["m"] } },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { failure_threshold: 1, timeout: "30s" } },
    });
    gateway.simulator("openai-eu").setFault("m", "status-500");
    await (await gateway.chat("openai-eu/m")).text();
    const response = await gateway.chat("openai-eu/m");
    const left = Number(response.headers.get("retry-after"));
    expect(left).toBeGreaterThan(20);
    expect(left).toBeLessThanOrEqual(30);
    expect(await seenError(response)).toEqual({
      status: 503,
      message: "circuit breaker is open - provider openai-eu temporarily unavailable",
      type: "provider_error",
      code: "circuit_open",
    });
  });

  test.each([
    ["enabled: false", { enabled: false, failure_threshold: 1 }],
    ["failure_threshold: 0", { failure_threshold: 0 }],
  ])("never comes about with %s, and neither status nor metric has a state", async (_name, breaker) => {
    await using gateway = await withBreaker(breaker);
    expect(await send(gateway, "status-500", 8)).toEqual(Array.from({ length: 8 }, () => 500));
    expect((await gateway.status()).providers[0]?.circuit_breaker).toBeUndefined();
    expect(await gateway.metric('gomodel_circuit_breaker_state{provider="p"}')).toBeUndefined();
  });

  test("comes about at the one provider that switches its breaker on again", async () => {
    await using gateway = await simulatedGateway({
      providers: {
        p: { listed: ["m"], resilience: { circuit_breaker: { enabled: true } } },
        off: { listed: ["status-500"] },
      },
      resilience: {
        retry: { max_retries: 0 },
        circuit_breaker: { enabled: false, failure_threshold: 2, timeout: "1h" },
      },
    });
    await send(gateway, "status-500", 2);
    expect(await isOpen(gateway)).toBe(true);
    for (let sent = 0; sent < 3; sent++) expect((await gateway.chat("off/status-500")).status).toBe(500);
  });
});

describe("after its timeout", () => {
  async function opened(breaker: Breaker = {}): Promise<SimulatedGateway> {
    const gateway = await withBreaker({ failure_threshold: 1, timeout: "60ms", ...breaker });
    await send(gateway, "status-500");
    await becomesHalfOpen(gateway);
    return gateway;
  }

  test("one probe goes out while requests beside it fail at once", async () => {
    await using gateway = await opened({ timeout: "400ms" });
    gateway.simulator("p").setFault("m", "slow-first-100");
    const before = gateway.called("p").length;
    const probe = gateway.chat("p/m");
    await eventually("the probe is on its way", () => gateway.called("p").length === before + 1);
    const beside = await Promise.all(Array.from({ length: 5 }, async () => (await gateway.chat("p/m")).status));
    expect(beside).toEqual([503, 503, 503, 503, 503]);
    expect((await probe).status).toBe(200);
    expect(gateway.called("p")).toHaveLength(before + 1);
  });

  test("two good probes close it: metric and pill go from 2 Circuit Open over 1 Recovering to 0 Healthy", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1, timeout: "60ms" });
    const state = async (): Promise<unknown> => [
      await gateway.metric('gomodel_circuit_breaker_state{provider="p"}'),
      (await gateway.status()).providers[0]?.status_label,
    ];
    expect(await state()).toEqual([0, "Healthy"]);
    await send(gateway, "status-500");
    expect(await state()).toEqual([2, "Circuit Open"]);
    await becomesHalfOpen(gateway);
    expect(await send(gateway, "ok")).toEqual([200]);
    expect(await state()).toEqual([1, "Recovering"]);
    expect(await send(gateway, "ok")).toEqual([200]);
    expect(await state()).toEqual([0, "Healthy"]);
  });

  test("a failed probe opens it again", async () => {
    await using gateway = await opened();
    expect(await send(gateway, "status-503")).toEqual([503]);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("open");
  });

  test("a probe is one attempt, without retries", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["m"] } },
      resilience: { retry: { max_retries: 3 }, circuit_breaker: { failure_threshold: 1, timeout: "60ms" } },
    });
    await send(gateway, "status-503");
    await becomesHalfOpen(gateway);
    gateway.simulator("p").reset();
    await send(gateway, "status-503");
    expect(gateway.called("p")).toHaveLength(1);
  });

  test("with failure_on_statuses: [5xx] a probe answered 429 is a good one", async () => {
    await using gateway = await opened({ failure_on_statuses: ["5xx"], success_threshold: 1 });
    expect(await send(gateway, "status-429")).toEqual([429]);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("closed");
  });

  test.each(["status-401", "status-403"])("a probe answered %s decides nothing", async (fault) => {
    await using gateway = await opened({ success_threshold: 1 });
    await send(gateway, fault);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("half-open");
    expect(await send(gateway, "ok")).toEqual([200]);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("closed");
  });
});

describe("slow calls", () => {
  const slow = { slow_call_threshold: "200ms", failure_threshold: 2 };

  test("are answered all the same, and two in a row open the circuit", async () => {
    await using gateway = await withBreaker(slow);
    expect(await send(gateway, "slow-first-250", 2)).toEqual([200, 200]);
    expect(await isOpen(gateway)).toBe(true);
  });

  test("with a fast one in between never do", async () => {
    await using gateway = await withBreaker(slow);
    await send(gateway, "slow-first-250");
    await send(gateway, "ok");
    await send(gateway, "slow-first-250");
    expect(await isOpen(gateway)).toBe(false);
  });

  test("are measured with their retries and waits", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["m"] } },
      resilience: {
        retry: { max_retries: 1, initial_backoff: "100ms" },
        circuit_breaker: { slow_call_threshold: "90ms", failure_threshold: 1, timeout: "1h" },
      },
    });
    expect(await send(gateway, "status-503@1")).toEqual([200]);
    expect(await isOpen(gateway)).toBe(true);
  });

  test("as probes open it again", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1, timeout: "60ms", slow_call_threshold: "200ms" });
    await send(gateway, "status-500");
    await becomesHalfOpen(gateway);
    expect(await send(gateway, "slow-first-250")).toEqual([200]);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("open");
  });

  test("as streaming probes open it again, though the stream goes on to its end", async () => {
    await using gateway = await withBreaker({
      failure_threshold: 1,
      success_threshold: 1,
      timeout: "60ms",
      slow_call_threshold: "200ms",
    });
    await send(gateway, "status-500");
    await becomesHalfOpen(gateway);
    gateway.simulator("p").setFault("m", "slow-first-250");
    const answer = await (await gateway.chat("p/m", { stream: true })).text();
    expect(answer.endsWith("data: [DONE]\n\n")).toBe(true);
    expect((await gateway.status()).providers[0]?.circuit_breaker?.state).toBe("open");
  });

  test("of a stream are measured to the first event, not to its end", async () => {
    await using gateway = await withBreaker({ ...slow, failure_threshold: 1 });
    expect(await send(gateway, "paced-10-25", 1, "m", { stream: true })).toEqual([200]);
    expect(await isOpen(gateway)).toBe(false);
    expect(await send(gateway, "slow-first-250", 1, "m", { stream: true })).toEqual([200]);
    expect(await isOpen(gateway)).toBe(true);
  });
});

describe("scope", () => {
  test("provider: all models share one circuit", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1 });
    await send(gateway, "status-500");
    expect(await isOpen(gateway, "other")).toBe(true);
  });

  test("model: each model has its own, and the provider shows that of the request completed last", async () => {
    await using gateway = await withBreaker({ failure_threshold: 1, scope: "model" });
    await send(gateway, "status-500");
    const shown = async (): Promise<unknown> => [
      await gateway.metric('gomodel_circuit_breaker_state{provider="p"}'),
      (await gateway.status()).providers[0]?.circuit_breaker?.state,
    ];
    expect(await shown()).toEqual([2, "open"]);
    expect(await isOpen(gateway, "other")).toBe(false);
    expect(await shown()).toEqual([0, "closed"]);
    expect(await isOpen(gateway)).toBe(true);
    expect((await gateway.status()).providers[0]?.circuit_breaker).toMatchObject({
      scope: "model",
      models: expect.arrayContaining([
        { model: "m", state: "open" },
        { model: "other", state: "closed" },
      ]),
    });
  });

  test("model: while 1,024 open circuits hold all slots, one more model gets a 503 that fails over", async () => {
    const many = Array.from({ length: 1025 }, (_, index) => `x${index}.status-500`);
    await using gateway = await simulatedGateway({
      providers: { p: { listed: [...many] }, q: { listed: ["ok"] } },
      resilience: {
        retry: { max_retries: 0 },
        circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
      },
      virtual_models: [{ source: "safe", strategy: "failover", targets: ["p/x1024.status-500", "q/ok"] }],
    });
    const waiting = many.slice(0, 1024);
    const sendAll = async (): Promise<void> => {
      for (let model = waiting.pop(); model !== undefined; model = waiting.pop()) {
        await (await gateway.chat(`p/${model}`)).text();
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendAll));
    const calls = gateway.called("p").length;
    expect(calls).toBe(1024);
    expect(await seenError(await gateway.chat("p/x1024.status-500"))).toMatchObject({
      status: 503,
      code: "no_breaker_slot",
    });
    expect((await gateway.chat("safe")).headers.get("x-gomodel-provider")).toBe("q");
    expect(gateway.called("p")).toHaveLength(calls);
  });

  test("each provider has its own circuit, and one does not open with another's", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["m"] }, q: { listed: ["ok"] } },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { failure_threshold: 1, timeout: "1h" } },
    });
    await send(gateway, "status-500");
    expect(await isOpen(gateway)).toBe(true);
    expect((await gateway.chat("q/ok")).status).toBe(200);
  });

  test("a listing that fails never opens the circuit that guards requests", async () => {
    await using gateway = await withBreaker(
      { failure_threshold: 1 },
      { cache: { model: { recheck_interval: "20ms", refresh_interval: "20ms" } } },
    );
    const simulator = gateway.simulator("p");
    const listings = (): number => simulator.calls.filter(({ method }) => method === "GET").length;
    simulator.setListingFault("status-500");
    const before = listings();
    await eventually("five listings have failed", () => listings() >= before + 5);
    expect(await isOpen(gateway)).toBe(false);
  });
});
