// Listing models: at start, again and again, on demand, and with providers that hang or refuse.

import { describe, expect, test } from "bun:test";
import type { ProviderStatusReport } from "../../src/admin/contract.ts";
import { eventually } from "../support/eventually.ts";
import { seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";
import { startGateway } from "../support/start-gateway.ts";
import { startSimulator } from "../../src/upstream-simulator/simulator.ts";

const listings = (gateway: SimulatedGateway, provider: string): number =>
  gateway.simulator(provider).calls.filter(({ method }) => method === "GET").length;

describe("the listing at the start", () => {
  test("asks each provider once, with its key, and shows what they have", async () => {
    await using gateway = await simulatedGateway({
      providers: { a: { listed: ["ok", "org/model:free"], api_key: "sk-a" }, b: { listed: ["ok"] } },
    });
    expect(await gateway.listedIds()).toEqual(["a/ok", "a/org/model:free", "b/ok"]);
    expect(
      gateway.simulator("a").calls.map(({ method, path, headers }) => [method, path, headers["authorization"]]),
    ).toEqual([["GET", "/v1/models", "Bearer sk-a"]]);
    expect(listings(gateway, "b")).toBe(1);
  });

  test.each(["status-500", "status-401", "html", "json-cut", "json-number", "reset-in-headers", "json-empty"])(
    "that fails with %s leaves the other provider listed and served",
    async (listing) => {
      await using gateway = await simulatedGateway({
        providers: { bad: { listing }, good: { listed: ["ok"] } },
      });
      expect(await gateway.listedIds()).toEqual(["good/ok"]);
      expect((await gateway.chat("good/ok")).status).toBe(200);
      expect((await gateway.chat("ok")).headers.get("x-gomodel-provider")).toBe("good");
    },
  );

  test("of a provider that has no models leaves it Configured", async () => {
    await using gateway = await simulatedGateway({ providers: { bare: { listed: [] }, good: { listed: ["ok"] } } });
    expect((await gateway.status()).providers.map(({ status_label, status }) => [status_label, status])).toEqual([
      ["Configured", "degraded"],
      ["Healthy", "healthy"],
    ]);
  });

  test("falls back to the configured models where it fails", async () => {
    await using gateway = await simulatedGateway({
      providers: { bad: { listing: "status-500", models: ["ok-3"] }, good: { listed: ["ok"], models: ["ok-4"] } },
    });
    expect(await gateway.listedIds()).toEqual(["bad/ok-3", "good/ok"]);
    expect((await gateway.chat("ok-3")).headers.get("x-gomodel-provider")).toBe("bad");
  });

  test("of a provider that hangs holds up neither the start nor the others", async () => {
    const hanging = startSimulator();
    const good = startSimulator({ models: ["ok"] });
    hanging.setListingFault("hang-before-answer");
    const begun = performance.now();
    const port = await freePort();
    // It resolves only when the listing that hangs has been given up; what is asked until then is asked of the port.
    const starting = startGateway(
      `providers:\n  stuck: {type: openai, base_url: "${hanging.baseUrl}"}\n  good: {type: openai, base_url: "${good.baseUrl}"}\n`,
      { PORT: String(port) },
    );
    const url = `http://127.0.0.1:${port}`;
    const ids = await eventually("the good provider is listed", async () => {
      const response = await fetch(`${url}/v1/models`).catch(() => undefined);
      const body = (await response?.json()) as { data: { id: string }[] } | undefined;
      return body !== undefined && body.data.length > 0 && body.data.map(({ id }) => id);
    });
    expect(ids).toEqual(["good/ok"]);
    const chat = (model: string): Promise<Response> =>
      fetch(`${url}/v1/chat/completions`, { method: "POST", body: JSON.stringify({ model, messages: [] }) });
    expect((await chat("good/ok")).status).toBe(200);
    expect((await chat("ok")).status).toBe(200);
    // A qualified name is sent as it is while its provider's listing is under way.
    expect((await chat("stuck/ok")).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(5000);
    const { providers } = (await (await fetch(`${url}/admin/providers/status`)).json()) as ProviderStatusReport;
    expect(providers.map(({ name, status_label, status_reason }) => [name, status_label, status_reason])).toEqual([
      ["stuck", "Starting", "provider is configured and awaiting live model discovery"],
      ["good", "Healthy", "configured and model discovery succeeded"],
    ]);
    const readiness = await fetch(`${url}/health/ready`);
    expect(readiness.status).toBe(200);
    await hanging.stop();
    await (await starting).stop();
    await good.stop();
  });
});

async function freePort(): Promise<number> {
  const probe = startSimulator();
  await probe.stop();
  return probe.port;
}

describe("later listings", () => {
  test("bring new models at every refresh interval and take away those that are gone", async () => {
    const simulator = startSimulator({ models: ["ok"] });
    const gateway = await startGateway(
      `providers: {p: {type: openai, base_url: "${simulator.baseUrl}"}}\ncache: {model: {refresh_interval: 40ms}}\n`,
    );
    const ids = async (): Promise<string> => {
      const body = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
      return body.data.map(({ id }) => id).join(" ");
    };
    expect(await ids()).toBe("p/ok");
    const { port } = simulator;
    await simulator.stop();
    const renewed = startSimulator({ port, models: ["ok-3", "ok-4"] });
    await eventually("the new models are listed", async () => (await ids()) === "p/ok-3 p/ok-4");
    await gateway.stop();
    await renewed.stop();
  });

  test("are made on demand for a missing model of a provider, which is then served", async () => {
    const simulator = startSimulator({ models: ["ok"] });
    const gateway = await startGateway(`providers: {p: {type: openai, base_url: "${simulator.baseUrl}"}}\n`);
    const { port } = simulator;
    await simulator.stop();
    const renewed = startSimulator({ port, models: ["ok", "ok-3"] });
    const answer = await gateway.chat("p/ok-3");
    expect(answer.status).toBe(200);
    // Once found out, a name that nobody has is refused without another listing.
    expect(await seenError(await gateway.chat("p/ok-4"))).toMatchObject({
      status: 400,
      message: "unsupported model: p/ok-4",
    });
    expect(renewed.calls.filter(({ method }) => method === "GET")).toHaveLength(1);
    await gateway.stop();
    await renewed.stop();
  });

  test("that hang keep the models that are known, listed and served", async () => {
    await using gateway = await simulatedGateway({
      providers: { p: { listed: ["ok"] }, q: { listed: ["ok-3"] } },
      cache: { model: { refresh_interval: "30ms" } },
    });
    gateway.simulator("p").setListingFault("hang-before-answer");
    const before = listings(gateway, "p");
    await eventually("a listing hangs", () => listings(gateway, "p") > before);
    const others = listings(gateway, "q");
    await eventually("the others go on", () => listings(gateway, "q") > others + 2);
    expect(await gateway.listedIds()).toEqual(["p/ok", "q/ok-3"]);
    expect((await gateway.chat("p/ok")).status).toBe(200);
    // One at a time: the next ones wait for the one that hangs.
    expect(listings(gateway, "p")).toBe(before + 1);
  });

  test("of a provider that is down bring it back as soon as it answers", async () => {
    await using gateway = await simulatedGateway({
      providers: { late: { listed: ["ok"], listing: "status-503" }, up: { listed: ["ok-3"] } },
      cache: { model: { recheck_interval: "25ms" } },
    });
    expect(await gateway.listedIds()).toEqual(["up/ok-3"]);
    gateway.simulator("late").setListingFault("ok");
    await eventually("it is listed", async () => (await gateway.listedIds()).includes("late/ok"));
    const asked = listings(gateway, "late");
    expect((await gateway.chat("ok")).headers.get("x-gomodel-provider")).toBe("late");
    const { providers } = await gateway.status();
    expect(providers.map(({ name, status_label }) => [name, status_label])).toEqual([
      ["late", "Healthy"],
      ["up", "Healthy"],
    ]);
    expect(listings(gateway, "late")).toBe(asked);
  });
});
