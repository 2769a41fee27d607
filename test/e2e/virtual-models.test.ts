// Names: aliases, chains and switches as callers meet them in requests and in the model list (behaviour 1.6 and 1.8).

import { describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { contentOf, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const slashed = "meta-llama/ok-3";

function names(
  virtualModels: readonly object[],
  more: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SimulatedGateway> {
  return simulatedGateway(
    {
      providers: { a: { listed: ["ok-1", "ok-2", slashed] }, b: { listed: ["ok-2", "ok-4"] } },
      virtual_models: virtualModels,
      ...more,
    },
    env,
  );
}

/** `provider/model` that answered, or the status of the error. */
async function answeredBy(
  gateway: SimulatedGateway,
  model: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { status, headers } = await gateway.chat(model, fields);
  return status === 200
    ? `${headers.get("x-gomodel-provider")}/${decodeURIComponent(headers.get("x-gomodel-model") ?? "")}`
    : `${status}`;
}

describe("a real model", () => {
  test("is found by its bare id, by provider/id, and by an id with slashes in both forms", async () => {
    await using gateway = await names([]);
    for (const [name, expected] of [
      ["ok-1", "a/ok-1"],
      ["a/ok-1", "a/ok-1"],
      ["ok-4", "b/ok-4"],
      [slashed, `a/${slashed}`],
      [`a/${slashed}`, `a/${slashed}`],
    ] as const) {
      expect([name, await answeredBy(gateway, name)]).toEqual([name, expected]);
    }
    expect(gateway.called("a").at(-1)).toBe(slashed);
  });

  test("that two providers have is served by the first one, unless the name or the field provider says otherwise", async () => {
    await using gateway = await names([]);
    expect(await answeredBy(gateway, "ok-2")).toBe("a/ok-2");
    expect(await answeredBy(gateway, "b/ok-2")).toBe("b/ok-2");
    expect(await answeredBy(gateway, "ok-2", { provider: "b" })).toBe("b/ok-2");
    expect(await answeredBy(gateway, "b/ok-2", { provider: "b" })).toBe("b/ok-2");
  });

  test("that nobody has is a 400 with its name, param and code", async () => {
    await using gateway = await names([]);
    const response = await gateway.chat("gpt-99");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        message: "unsupported model: gpt-99",
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      },
    });
  });
});

describe("an alias", () => {
  test("is served by its target in both modes, which answers under its own name", async () => {
    await using gateway = await names([{ source: "smart", target: "b/ok-4" }]);
    const whole = (await (await gateway.chat("smart")).json()) as { model: string };
    expect(whole.model).toBe("ok-4");
    const stream = await (await gateway.chat("smart", { stream: true })).text();
    expect(stream).toContain('"model":"ok-4"');
    expect(gateway.called("b")).toEqual(["ok-4", "ok-4"]);
  });

  test("works for embeddings", async () => {
    await using gateway = await names([{ source: "vectors", target: "b/ok-4" }]);
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: "POST",
      body: JSON.stringify({ model: "vectors", input: "text" }),
    });
    expect(((await response.json()) as { data: { embedding: number[] }[] }).data[0]?.embedding).toHaveLength(4);
  });

  test("may have a name with slashes, spaces and letters beyond ASCII", async () => {
    const source = "team \u00e9/f\u00fcr alle/\u{1f642}";
    await using gateway = await names([{ source, target: "b/ok-4" }]);
    expect(await answeredBy(gateway, source)).toBe("b/ok-4");
    const found = await fetch(`${gateway.url}/v1/models/${encodeURIComponent(source)}`);
    expect(((await found.json()) as { id: string }).id).toBe(source);
  });

  test("whose target has the field provider means that provider's model", async () => {
    await using gateway = await names([
      { source: "ok-2", target: "a/ok-1" },
      { source: "pinned", targets: [{ model: "ok-2", provider: "b" }] },
    ]);
    expect(await answeredBy(gateway, "pinned")).toBe("b/ok-2");
    expect(await answeredBy(gateway, "ok-2")).toBe("a/ok-1");
  });

  test("with a bare target means the first provider that has it", async () => {
    await using gateway = await names([{ source: "v", target: "ok-2" }]);
    expect(await answeredBy(gateway, "v")).toBe("a/ok-2");
  });
});

describe("targets that cannot be served", () => {
  test("because nobody has the model are left out at the first pick and later", async () => {
    await using gateway = await names(
      [{ source: "v", strategy: "failover", targets: ["a/none", "b/ok-4", "b/never", "a/ok-1"] }],
      { resilience: { retry: { max_retries: 0 } } },
    );
    expect(await answeredBy(gateway, "v")).toBe("b/ok-4");
    gateway.simulator("b").setFault("ok-4", "status-500");
    expect(await answeredBy(gateway, "v")).toBe("a/ok-1");
    expect([...gateway.called("a"), ...gateway.called("b")]).toEqual(["ok-1", "ok-4", "ok-4"]);
  });

  test("leave a name without any target unsupported", async () => {
    await using gateway = await names([{ source: "v", targets: ["a/none", "b/never"] }]);
    expect(await answeredBy(gateway, "v")).toBe("400");
  });
});

describe("chains", () => {
  test("apply the strategy of each level", async () => {
    await using gateway = await names([
      { source: "inner", strategy: "round_robin", targets: ["a/ok-1", "b/ok-2"] },
      { source: "outer", strategy: "failover", targets: ["inner", "b/ok-4"] },
    ]);
    const order: string[] = [];
    for (let sent = 0; sent < 4; sent++) order.push(await answeredBy(gateway, "outer"));
    expect(order).toEqual(["a/ok-1", "b/ok-2", "a/ok-1", "b/ok-2"]);
  });

  test("of cost take a level at its cheapest model", async () => {
    const priced = (id: string, price: number): object => ({
      id,
      metadata: { pricing: { input_per_mtok: price, output_per_mtok: price } },
    });
    await using gateway = await names(
      [
        { source: "inner", strategy: "cost", targets: ["a/ok-1", "a/ok-2"] },
        { source: "outer", strategy: "cost", targets: ["b/ok-4", "inner"] },
      ],
      {
        providers: {
          a: { listed: ["ok-1", "ok-2"], models: [priced("ok-1", 9), priced("ok-2", 1)] },
          b: { listed: ["ok-4"], models: [priced("ok-4", 5)] },
        },
      },
    );
    expect(await answeredBy(gateway, "outer")).toBe("a/ok-2");
  });

  test("of cost know list prices without any being configured, and the row has what the answer cost", async () => {
    const listed = ["gpt-4o", "gpt-4o-mini"];
    await using gateway = await simulatedGateway({
      providers: { openai: { listed } },
      virtual_models: [{ source: "thrifty", strategy: "cost", targets: ["openai/gpt-4o", "openai/gpt-4o-mini"] }],
      logging: { enabled: true },
    });
    for (const model of listed) gateway.simulator("openai").setFault(model, "ok-5");
    const response = await gateway.chat("thrifty", {}, { headers: { "x-request-id": "thrifty" } });
    expect(response.headers.get("x-gomodel-model")).toBe("gpt-4o-mini");
    await response.text();
    const [row] = await loggedRows(gateway.url, "thrifty");
    expect(row?.usage?.cost_source).toBe("model_pricing");
    expect(row?.usage?.total_cost).toBeGreaterThan(0);
    expect(row?.usage?.total_cost).toBeLessThan(0.0001);
  });

  test("eight levels deep are served, and logged under the name that was asked for", async () => {
    const levels = Array.from({ length: 8 }, (_, level) => ({
      source: `level-${level}`,
      target: level === 7 ? "b/ok-4" : `level-${level + 1}`,
    }));
    await using gateway = await names(levels, { logging: { enabled: true } });
    await (await gateway.chat("level-0", {}, { headers: { "x-request-id": "deep" } })).text();
    const [row] = await loggedRows(gateway.url, "deep");
    expect(row).toMatchObject({
      requested_model: "level-0",
      resolved_model: "ok-4",
      alias_used: true,
      data: { virtual_model: "level-0" },
    });
  });

  test("call a model that stands in several places once", async () => {
    await using gateway = await names(
      [
        { source: "inner", strategy: "failover", targets: ["a/ok-1", "b/ok-4"] },
        { source: "outer", strategy: "failover", targets: ["a/ok-1", "inner", "ok-1", "b/ok-4"] },
      ],
      { resilience: { retry: { max_retries: 0 } } },
    );
    gateway.simulator("a").setFault("ok-1", "status-500");
    gateway.simulator("b").setFault("ok-4", "status-500");
    expect(await answeredBy(gateway, "outer")).toBe("500");
    expect([gateway.called("a"), gateway.called("b")]).toEqual([["ok-1"], ["ok-4"]]);
  });

  test("pass over an inner name that is disabled or has nothing to serve", async () => {
    await using gateway = await names([
      { source: "off", targets: ["a/ok-1"], enabled: false },
      { source: "empty", targets: ["a/none"] },
      { source: "outer", strategy: "failover", targets: ["off", "empty", "b/ok-4"] },
    ]);
    expect(await answeredBy(gateway, "outer")).toBe("b/ok-4");
  });
});

describe("a switch without targets", () => {
  test.each([
    ["a/ok-2", { "ok-2": "b/ok-2", "a/ok-2": "400", "b/ok-2": "b/ok-2", "a/ok-1": "a/ok-1" }],
    ["ok-2", { "ok-2": "400", "a/ok-2": "400", "b/ok-2": "400", "ok-4": "b/ok-4" }],
    ["a/", { "ok-1": "400", "a/ok-1": "400", "ok-2": "b/ok-2", "b/ok-4": "b/ok-4" }],
    ["/", { "ok-1": "400", "b/ok-4": "400" }],
  ])("for %s", async (source, expected) => {
    await using gateway = await names([{ source, enabled: false }]);
    const seen: Record<string, string> = {};
    for (const name of Object.keys(expected)) seen[name] = await answeredBy(gateway, name);
    expect(seen).toEqual(expected);
    const listed = await gateway.listedIds();
    for (const [name, outcome] of Object.entries(expected)) {
      if (name.includes("/")) expect([name, listed.includes(name)]).toEqual([name, outcome !== "400"]);
    }
  });
});

describe("the model list", () => {
  const virtualModels = [
    { source: "smart", target: "b/ok-4", description: "The best one" },
    { source: "a/ok-1", strategy: "failover", targets: ["a/ok-1", "b/ok-4"] },
    { source: "off", targets: ["a/ok-1"], enabled: false },
  ];
  const ids = (values: readonly string[]): string[] => values.toSorted();

  test("has virtual models, real ones under their provider's name, and each name once", async () => {
    await using gateway = await names(virtualModels);
    expect(ids(await gateway.listedIds())).toEqual(
      ids(["smart", "a/ok-1", "a/ok-2", `a/${slashed}`, "b/ok-2", "b/ok-4"]),
    );
  });

  test("has virtual models only with KEEP_ONLY_ALIASES_AT_MODELS_ENDPOINT", async () => {
    await using gateway = await names(virtualModels, {}, { KEEP_ONLY_ALIASES_AT_MODELS_ENDPOINT: "true" });
    expect(ids(await gateway.listedIds())).toEqual(["a/ok-1", "smart"]);
    expect(await answeredBy(gateway, "b/ok-4")).toBe("b/ok-4");
  });

  test("has bare ids, each once, with UNQUALIFIED_MODEL_IDS_AT_MODELS_ENDPOINT", async () => {
    await using gateway = await names([], {}, { UNQUALIFIED_MODEL_IDS_AT_MODELS_ENDPOINT: "true" });
    expect(ids(await gateway.listedIds())).toEqual(ids(["ok-1", "ok-2", slashed, "ok-4"]));
  });

  test("names what can be asked for: each entry is answered under its id", async () => {
    await using gateway = await names(virtualModels);
    for (const id of await gateway.listedIds()) {
      expect([id, (await fetch(`${gateway.url}/v1/models/${id}`)).status]).toEqual([id, 200]);
      expect([id, (await contentOf(await gateway.chat(id))).length > 0]).toEqual([id, true]);
    }
    expect(await contentOf(await gateway.chat("smart"))).toBe(answerText("ok-4", 4));
  });
});
