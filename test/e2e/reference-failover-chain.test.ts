// The owner's page "Failover", over real sockets: which target is first, which follow, and what stands behind a name.

import { describe, expect, test } from "bun:test";
import { contentOf, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const models = ["m1", "m2", "m3", "m4"];
const all = ["p/m1", "p/m2", "p/m3"];

/** One provider `p` with four models and `q` with one; all are well until a test says otherwise. */
async function chain(
  virtualModels: readonly object[],
  more: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SimulatedGateway> {
  const gateway = await simulatedGateway(
    {
      providers: { p: { listed: models }, q: { listed: ["m1", "m5"] } },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
      virtual_models: virtualModels,
      ...more,
    },
    env,
  );
  for (const model of models) gateway.simulator("p").setFault(model, "ok");
  for (const model of ["m1", "m5"]) gateway.simulator("q").setFault(model, "ok");
  return gateway;
}

function breakAll(gateway: SimulatedGateway, ...broken: string[]): void {
  for (const model of broken) gateway.simulator("p").setFault(model, "status-500");
}

/** What `p` was called for by one request. */
async function walk(gateway: SimulatedGateway, name: string, fields: Record<string, unknown> = {}): Promise<string[]> {
  gateway.simulator("p").reset();
  await (await gateway.chat(name, fields)).text();
  return gateway.called("p").map(String);
}

const repeat = async <Value>(times: number, act: () => Promise<Value>): Promise<Value[]> => {
  const values: Value[] = [];
  for (let done = 0; done < times; done++) values.push(await act());
  return values;
};

describe("the first target", () => {
  test("of failover is the first one at every request", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }]);
    expect(await repeat(4, () => walk(gateway, "v"))).toEqual([["m1"], ["m1"], ["m1"], ["m1"]]);
  });

  test("of round_robin, the default, goes round", async () => {
    await using gateway = await chain([{ source: "v", targets: all }]);
    expect((await repeat(6, () => walk(gateway, "v"))).flat()).toEqual(["m1", "m2", "m3", "m1", "m2", "m3"]);
  });

  test("of round_robin follows the weights, spread evenly", async () => {
    const targets = [{ model: "p/m1", weight: 3 }, { model: "p/m2" }];
    await using gateway = await chain([{ source: "v", strategy: "round_robin", targets }]);
    const order = (await repeat(8, () => walk(gateway, "v"))).flat();
    expect(order.filter((model) => model === "m1")).toHaveLength(6);
    expect(order.join(" ")).not.toContain("m2 m2");
    expect(order.slice(0, 4)).toEqual(order.slice(4));
  });

  test("of cost is the cheapest one that has a price", async () => {
    const priced = (id: string, price: number): object => ({
      id,
      metadata: { pricing: { input_per_mtok: price, output_per_mtok: price } },
    });
    await using gateway = await chain([{ source: "v", strategy: "cost", targets: ["p/m3", ...all] }], {
      providers: { p: { listed: models, models: [priced("m1", 9), priced("m2", 2)] }, q: {} },
    });
    expect(await repeat(2, () => walk(gateway, "v"))).toEqual([["m2"], ["m2"]]);
    breakAll(gateway, "m2");
    expect(await walk(gateway, "v")).toEqual(["m2", "m3"]);
  });

  test("of cost without any price is the first one", async () => {
    await using gateway = await chain([{ source: "v", strategy: "cost", targets: ["p/m2", "p/m1"] }]);
    expect(await repeat(2, () => walk(gateway, "v"))).toEqual([["m2"], ["m2"]]);
  });
});

describe("after it", () => {
  test("the others follow in the order in which they are listed, up to the first success", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }]);
    breakAll(gateway, "m1");
    expect(await walk(gateway, "v")).toEqual(["m1", "m2"]);
    breakAll(gateway, "m2");
    expect(await walk(gateway, "v")).toEqual(["m1", "m2", "m3"]);
  });

  test("of round_robin, the others follow in the order in which they are listed", async () => {
    await using gateway = await chain([{ source: "v", targets: all }]);
    breakAll(gateway, "m1", "m2", "m3");
    expect(await repeat(3, () => walk(gateway, "v"))).toEqual([
      ["m1", "m2", "m3"],
      ["m2", "m1", "m3"],
      ["m3", "m1", "m2"],
    ]);
  });

  test("failover: false only distributes, and the error is the answer", async () => {
    await using gateway = await chain([{ source: "v", failover: false, targets: all }]);
    breakAll(gateway, "m1", "m2", "m3");
    expect(await repeat(3, () => walk(gateway, "v"))).toEqual([["m1"], ["m2"], ["m3"]]);
    expect((await gateway.chat("v")).status).toBe(500);
  });

  test("the strategy failover fails over whatever the flag says", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", failover: false, targets: all }]);
    breakAll(gateway, "m1");
    expect(await walk(gateway, "v")).toEqual(["m1", "m2"]);
  });

  test("FAILOVER_ENABLED=false serves the chosen target alone, with its retries", async () => {
    await using gateway = await chain(
      [{ source: "v", strategy: "failover", targets: all }],
      { resilience: { retry: { max_retries: 2 }, circuit_breaker: { enabled: false } } },
      { FAILOVER_ENABLED: "false" },
    );
    gateway.simulator("p").setFault("m1", "status-503");
    expect(await walk(gateway, "v")).toEqual(["m1", "m1", "m1"]);
    expect((await gateway.chat("v")).status).toBe(503);
  });

  test("retries come before the next target, which has its own", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }], {
      resilience: { retry: { max_retries: 1 }, circuit_breaker: { enabled: false } },
    });
    for (const model of models) gateway.simulator("p").setFault(model, "status-503");
    expect(await walk(gateway, "v")).toEqual(["m1", "m1", "m2", "m2", "m3", "m3"]);
  });

  test("a stream moves on before its first event, each target asked once", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }], {
      resilience: { circuit_breaker: { enabled: false } },
    });
    gateway.simulator("p").setFault("m1", "status-503");
    gateway.simulator("p").setFault("m2", "error-first-429");
    expect(await walk(gateway, "v", { stream: true })).toEqual(["m1", "m2", "m3"]);
  });

  test("embeddings never move on", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }]);
    breakAll(gateway, "m1");
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: "POST",
      body: JSON.stringify({ model: "v", input: "text" }),
    });
    expect(response.status).toBe(500);
    expect(gateway.called("p")).toEqual(["m1"]);
  });

  test("the Idempotency-Key stays with the first target", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }]);
    breakAll(gateway, "m1", "m2");
    await (await gateway.chat("v", {}, { headers: { "idempotency-key": "once" } })).text();
    const sent = gateway.simulator("p").calls.filter(({ method }) => method === "POST");
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual(["once", undefined, undefined]);
  });
});

describe("a target whose circuit is open", () => {
  test("takes the Idempotency-Key with it: the next target is a failover and goes without", async () => {
    await using gateway = await chain([{ source: "v", strategy: "failover", targets: all }], {
      resilience: {
        retry: { max_retries: 0 },
        circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
      },
    });
    breakAll(gateway, "m1");
    await (await gateway.chat("p/m1")).text();
    gateway.simulator("p").reset();
    await (await gateway.chat("v", {}, { headers: { "idempotency-key": "once" } })).text();
    expect(gateway.simulator("p").calls.map(({ model, headers }) => [model, headers["idempotency-key"]])).toEqual([
      ["m2", undefined],
    ]);
  });
});

describe("a name", () => {
  test("may be a real model's: it is tried first, then its fallbacks, with and without its provider before it", async () => {
    await using gateway = await chain([
      { source: "m2", strategy: "failover", targets: [{ model: "m2" }, { model: "p/m3" }] },
    ]);
    expect(await walk(gateway, "m2")).toEqual(["m2"]);
    breakAll(gateway, "m2");
    expect(await walk(gateway, "m2")).toEqual(["m2", "m3"]);
    expect(await walk(gateway, "p/m2")).toEqual(["m2", "m3"]);
  });

  test("without itself among its targets is a plain redirect", async () => {
    await using gateway = await chain([{ source: "m2", strategy: "failover", targets: ["p/m3", "p/m4"] }]);
    expect(await walk(gateway, "m2")).toEqual(["m3"]);
  });

  test("may come from VIRTUAL_MODELS, which replaces the entry of the same source", async () => {
    await using gateway = await chain(
      [{ source: "v", targets: ["p/m1"] }],
      {},
      { VIRTUAL_MODELS: JSON.stringify([{ source: "v", strategy: "failover", targets: [{ model: "p/m4" }] }]) },
    );
    expect(await walk(gateway, "v")).toEqual(["m4"]);
  });

  test("may stand among another's targets: every model behind it is tried", async () => {
    await using gateway = await chain([
      { source: "inner", strategy: "failover", targets: ["p/m1", "p/m2"] },
      { source: "outer", strategy: "failover", targets: ["inner", "p/m3"] },
    ]);
    breakAll(gateway, "m1", "m2");
    expect(await walk(gateway, "outer")).toEqual(["m1", "m2", "m3"]);
  });

  test("two models may protect each other: the other one is tried alone, not its fallbacks", async () => {
    await using gateway = await chain([
      { source: "m1", strategy: "failover", targets: ["p/m1", "m2"] },
      { source: "m2", strategy: "failover", targets: ["p/m2", "m1", "p/m3"] },
    ]);
    breakAll(gateway, "m1", "m2", "m3");
    expect(await walk(gateway, "m2")).toEqual(["m2", "m1", "m3"]);
  });

  test("two models listed by themselves protect each other", async () => {
    await using gateway = await chain([
      { source: "m2", strategy: "failover", targets: ["m2", "m3"] },
      { source: "m3", strategy: "failover", targets: ["m3", "m2", "p/m4"] },
    ]);
    breakAll(gateway, "m2", "m3", "m4");
    expect(await walk(gateway, "m2")).toEqual(["m2", "m3"]);
    expect(await walk(gateway, "m3")).toEqual(["m3", "m2", "m4"]);
  });

  test("any other name that lists a protected model walks through its fallbacks too", async () => {
    await using gateway = await chain([
      { source: "m2", strategy: "failover", targets: ["m2", "p/m3"] },
      { source: "alias", target: "m2" },
    ]);
    breakAll(gateway, "m2");
    expect(await walk(gateway, "alias")).toEqual(["m2", "m3"]);
  });

  test("that is disabled means nothing, and one behind another is left out", async () => {
    await using gateway = await chain([
      { source: "off", strategy: "failover", targets: ["p/m1"], enabled: false },
      { source: "v", strategy: "failover", targets: ["off", "p/m2"] },
    ]);
    expect((await gateway.chat("off")).status).toBe(400);
    expect(await walk(gateway, "v")).toEqual(["m2"]);
  });

  test("of a model that is switched off keeps it out of every chain, without counting as an attempt", async () => {
    await using gateway = await chain(
      [
        { source: "p/m2", enabled: false },
        { source: "v", strategy: "failover", targets: all },
      ],
      { failover: { max_attempts: 1 } },
    );
    breakAll(gateway, "m1");
    expect(await walk(gateway, "v")).toEqual(["m1", "m3"]);
    expect((await gateway.chat("p/m2")).status).toBe(400);
  });
});

describe("the field provider", () => {
  test("leads past virtual models to the real model, and is not sent on", async () => {
    await using gateway = await chain([{ source: "m1", targets: ["p/m4"] }]);
    expect(await walk(gateway, "m1")).toEqual(["m4"]);
    expect(await walk(gateway, "m1", { provider: "p" })).toEqual(["m1"]);
    expect(Buffer.from(gateway.simulator("p").calls[0]?.body ?? []).toString()).not.toContain("provider");
    expect(await contentOf(await gateway.chat("m1", { provider: "q" }))).toContain("[m1]");
    expect(gateway.called("q")).toEqual(["m1"]);
  });

  test("keeps the chain of a virtual model that shadows the model and lists it", async () => {
    await using gateway = await chain([{ source: "m2", strategy: "failover", targets: ["m2", "p/m3"] }]);
    breakAll(gateway, "m2");
    expect(await walk(gateway, "m2", { provider: "p" })).toEqual(["m2", "m3"]);
  });
});
