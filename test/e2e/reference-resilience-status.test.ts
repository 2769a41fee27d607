// The owner's page "Ausfallsicherheit": provider status, and what happens while a provider is down.

import { describe, expect, test } from "bun:test";
import type { ProviderStatus } from "../../src/admin/contract.ts";
import { eventually } from "../support/eventually.ts";
import { contentOf, seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const quickListings = { model: { refresh_interval: "1h", recheck_interval: "25ms" } };

async function statusOf(gateway: SimulatedGateway, name: string): Promise<ProviderStatus | undefined> {
  return (await gateway.status()).providers.find((provider) => provider.name === name);
}

async function becomes(gateway: SimulatedGateway, name: string, label: string): Promise<void> {
  await eventually(`${name} is ${label}`, async () => (await statusOf(gateway, name))?.status_label === label);
}

/** `down` was listed and then fails, `up` is well. `down` is asked again only when a request or a re-check does so. */
async function withProviderDown(more: Readonly<Record<string, unknown>> = {}): Promise<SimulatedGateway> {
  const gateway = await simulatedGateway({
    providers: { down: { listed: ["ok", "ok-3"] }, up: { listed: ["ok-5"] } },
    resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
    cache: { model: { refresh_interval: "25ms", recheck_interval: "25ms" } },
    ...more,
  });
  gateway.simulator("down").setListingFault("status-503");
  await becomes(gateway, "down", "Offline");
  return gateway;
}

describe("request health", () => {
  test("three errors to one model that are half of its requests make a provider Degraded, though its listing works", async () => {
    await using gateway = await simulatedGateway({ providers: { p: { listed: ["ok", "status-400"] } } });
    for (const model of ["status-400", "status-400"]) await (await gateway.chat(`p/${model}`)).text();
    expect((await statusOf(gateway, "p"))?.status_label).toBe("Healthy");
    await (await gateway.chat("p/status-400")).text();
    const status = await statusOf(gateway, "p");
    expect(status).toMatchObject({ status: "degraded", status_label: "Degraded" });
    expect(status?.circuit_breaker?.state).toBe("closed");
    expect(status?.request_health).toMatchObject({ requests: 3, errors: 3 });
  });

  test("three errors among four successes of the same model do not", async () => {
    await using gateway = await simulatedGateway({ providers: { p: { listed: ["m"] } } });
    for (const fault of ["ok", "ok", "ok", "ok", "status-400", "status-400", "status-400"]) {
      gateway.simulator("p").setFault("m", fault);
      await (await gateway.chat("p/m")).text();
    }
    expect((await statusOf(gateway, "p"))?.status_label).toBe("Healthy");
    expect((await statusOf(gateway, "p"))?.request_health).toMatchObject({ requests: 7, errors: 3 });
  });

  test("good requests do not improve a provider whose listing failed", async () => {
    await using gateway = await withProviderDown();
    for (let sent = 0; sent < 5; sent++) await (await gateway.chat("down/ok")).text();
    expect((await statusOf(gateway, "down"))?.status_label).toBe("Offline");
  });
});

describe("a provider whose listing fails after it had worked", () => {
  test("is Offline, says why, and counts as unhealthy", async () => {
    await using gateway = await withProviderDown();
    expect(await statusOf(gateway, "down")).toMatchObject({
      status: "unhealthy",
      status_label: "Offline",
      status_reason: "latest check failed; models are hidden from the model list until the provider recovers",
      last_error: expect.stringContaining("503"),
      runtime: { inventory_stale: true, discovered_model_count: 2 },
    });
    expect((await gateway.status()).summary).toMatchObject({ total: 2, healthy: 1, unhealthy: 1 });
  });

  test("has its models hidden from /v1/models", async () => {
    await using gateway = await withProviderDown();
    expect(await gateway.listedIds()).toEqual(["up/ok-5"]);
  });

  test("still gets direct requests to them, and its answer or honest error goes to the caller", async () => {
    await using gateway = await withProviderDown();
    expect((await contentOf(await gateway.chat("down/ok-3"))).startsWith("[ok-3]")).toBe(true);
    gateway.simulator("down").setFault("ok", "status-503");
    expect(await seenError(await gateway.chat("down/ok"))).toMatchObject({
      status: 503,
      message: "simulated status 503",
    });
  });

  test("is skipped by virtual models, in both strategies, without a call", async () => {
    const targets = ["down/ok", "up/ok-5"];
    await using gateway = await withProviderDown({
      virtual_models: [
        { source: "spread", strategy: "round_robin", targets },
        { source: "ranked", strategy: "failover", targets },
      ],
    });
    for (const source of ["spread", "ranked", "spread", "ranked", "spread"]) {
      expect((await gateway.chat(source)).headers.get("x-gomodel-provider")).toBe("up");
    }
    expect(gateway.called("down")).toEqual([]);
  });

  test("keeps the chain of the virtual model that shadows one of its models", async () => {
    await using gateway = await withProviderDown({
      virtual_models: [{ source: "down/ok", strategy: "failover", targets: ["down/ok", "up/ok-5"] }],
    });
    gateway.simulator("down").setFault("ok", "status-503");
    const response = await gateway.chat("down/ok");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gomodel-provider")).toBe("up");
  });

  test("is called all the same when every target of a virtual model is its own", async () => {
    await using gateway = await withProviderDown({
      virtual_models: [{ source: "alone", strategy: "failover", targets: ["down/ok", "down/ok-3"] }],
    });
    gateway.simulator("down").setFault("ok", "status-503");
    gateway.simulator("down").setFault("ok-3", "status-503");
    expect((await gateway.chat("alone")).status).toBe(503);
    expect(gateway.called("down")[0]).toBe("ok");
  });

  test("is found out by a request for a model that it does not list, and comes back with a re-check", async () => {
    await using gateway = await simulatedGateway({
      providers: { down: { listed: ["ok"] }, up: { listed: ["ok-5"] } },
      cache: quickListings,
      virtual_models: [{ source: "ranked", strategy: "failover", targets: ["down/ok", "up/ok-5"] }],
    });
    gateway.simulator("down").setListingFault("status-503");
    await (await gateway.chat("down/not-listed")).text();
    expect((await statusOf(gateway, "down"))?.status_label).toBe("Offline");
    expect((await gateway.chat("ranked")).headers.get("x-gomodel-provider")).toBe("up");
    gateway.simulator("down").setListingFault("ok");
    await becomes(gateway, "down", "Healthy");
    expect(await gateway.listedIds()).toContain("down/ok");
    expect((await gateway.chat("ranked")).headers.get("x-gomodel-provider")).toBe("down");
    expect((await statusOf(gateway, "down"))?.last_error).toBeNull();
  });
});

describe("when the listings of all providers fail at once", () => {
  test("the inventory stays listed and served, and every pill is Degraded", async () => {
    await using gateway = await simulatedGateway({
      providers: { a: { listed: ["ok"] }, b: { listed: ["ok-5"] } },
      cache: { model: { refresh_interval: "200ms", recheck_interval: "0" } },
      virtual_models: [{ source: "ranked", strategy: "failover", targets: ["a/ok", "b/ok-5"] }],
    });
    // Between two rounds, so that no listing is half-way while one provider fails and the other does not yet.
    await eventually("the second round", () =>
      ["a", "b"].every((name) => gateway.simulator(name).calls[1]?.answeredAt),
    );
    await gateway.status();
    for (const name of ["a", "b"]) gateway.simulator(name).setListingFault("status-503");
    await eventually("both listings have failed", async () => {
      const { providers } = await gateway.status();
      return providers.every(({ last_error }) => last_error !== null);
    });
    expect((await gateway.listedIds()).toSorted()).toEqual(["a/ok", "b/ok-5", "ranked"]);
    const { providers } = await gateway.status();
    expect(providers.map(({ status_label }) => status_label)).toEqual(["Degraded", "Degraded"]);
    expect(providers[0]?.status_reason).toBe("latest model refresh failed; previous inventory is still available");
    expect((await gateway.chat("ranked")).headers.get("x-gomodel-provider")).toBe("a");
  });
});

describe("a provider that is down at the start", () => {
  test("is Unhealthy until its first listing, then Healthy", async () => {
    await using gateway = await simulatedGateway({
      providers: { late: { listed: ["ok"], listing: "status-503" }, up: { listed: ["ok-5"] } },
      cache: quickListings,
    });
    expect(await statusOf(gateway, "late")).toMatchObject({
      status: "unhealthy",
      status_label: "Unhealthy",
      status_reason: "model discovery failed and no provider models are currently available",
    });
    expect(await gateway.listedIds()).toEqual(["up/ok-5"]);
    gateway.simulator("late").setListingFault("ok");
    await becomes(gateway, "late", "Healthy");
    expect(await gateway.listedIds()).toEqual(["late/ok", "up/ok-5"]);
  });
});

describe("the re-check", () => {
  test("asks the failed provider only, and moves its last check on", async () => {
    await using gateway = await simulatedGateway({
      providers: { down: { base_url: "http://127.0.0.1:1/v1" }, up: { listed: ["ok"] } },
      cache: quickListings,
    });
    const checkedAt = async (): Promise<string | null | undefined> =>
      (await statusOf(gateway, "down"))?.runtime.last_model_fetch_at;
    const first = await checkedAt();
    await eventually("a later check", async () => (await checkedAt()) !== first);
    expect(gateway.simulator("up").calls.filter(({ method }) => method === "GET")).toHaveLength(1);
  });
});
