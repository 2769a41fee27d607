// The owner's page "Failover", over real sockets: which errors move a request on, and how far.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { defaultFailoverPhrases } from "../support/failover-phrases.ts";
import { eventually } from "../support/eventually.ts";
import { seenError, type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const listed = ["m1", "m2", "m3"];
const targets = ["p/m1", "p/m2", "p/m3"];

function policy(
  failover: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SimulatedGateway> {
  return simulatedGateway(
    {
      providers: { p: { listed } },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
      virtual_models: [{ source: "v", strategy: "failover", targets }],
      failover,
      ...more,
    },
    env,
  );
}

/** Sends one request to `v` whose targets behave as `faults`, one each; gives the models that were called and the status. */
async function walk(
  gateway: SimulatedGateway,
  faults: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<[string, number]> {
  const simulator = gateway.simulator("p");
  simulator.reset();
  for (const [index, model] of listed.entries()) simulator.setFault(model, faults[index] ?? "ok");
  const response = await gateway.chat("v", fields);
  await response.text();
  return [gateway.called("p").join(" "), response.status];
}

/** A fault with an error text. */
const says = (status: number, message: string): string => `status-${status}~message=${encodeURIComponent(message)}`;

describe("by default", () => {
  let gateway: SimulatedGateway;

  beforeAll(async () => {
    gateway = await policy({}, { http: { timeout: "200ms" } });
  });
  afterAll(() => gateway.stop());

  test.each([429, 500, 501, 502, 503, 504, 520, 524, 529, 599])("%i moves on", async (status) => {
    expect(await walk(gateway, [`status-${status}`])).toEqual(["m1 m2", 200]);
  });

  test.each([400, 401, 403, 404, 408, 413, 422])("%i is the answer", async (status) => {
    expect(await walk(gateway, [`status-${status}`])).toEqual(["m1", status]);
  });

  test.each(["reset-in-headers", "fin-in-body", "slow-first-9000", "choices-empty", "json-cut", "html", "hidden-503"])(
    "%s moves on",
    async (fault) => {
      expect(await walk(gateway, [fault])).toEqual(["m1 m2", 200]);
    },
  );

  test.each(["stream-empty", "stream-of-comments", "error-first-429", "error-first-named", "heartbeats"])(
    "the stream %s moves on before a byte reaches the caller",
    async (fault) => {
      expect(await walk(gateway, [fault], { stream: true })).toEqual(["m1 m2", 200]);
    },
  );

  test.each(["cut-after-4", "error-middle-503"])("the stream %s has begun and stays where it is", async (fault) => {
    expect(await walk(gateway, [fault], { stream: true })).toEqual(["m1", 200]);
  });

  test.each(defaultFailoverPhrases)("a %i with the words of %p moves on", async (status, phrase) => {
    const text = `Sorry, ${phrase.split(" ").toReversed().join(" - ").toUpperCase()}!`;
    expect(await walk(gateway, [says(status, text)])).toEqual(["m1 m2", 200]);
  });

  test.each([
    [400, "Upstream request failed"],
    [404, "The model 'gpt-9' was not found"],
    [404, "gpt-9 is deprecated"],
    [403, "This model is not available in your region"],
  ])("%i %p moves on", async (status, message) => {
    expect(await walk(gateway, [says(status, message)])).toEqual(["m1 m2", 200]);
  });

  test.each([
    [400, "gpt-9 is deprecated"],
    [400, "The model is busy"],
    [422, "messages must not be empty"],
  ])("%i %p is the answer", async (status, message) => {
    expect(await walk(gateway, [says(status, message)])).toEqual(["m1", status]);
  });

  test("the words may stand in the error's code", async () => {
    expect(await walk(gateway, ["status-400~code=model_not_found"])).toEqual(["m1 m2", 200]);
  });

  test("all targets that remain are tried, and the last one's error is the answer", async () => {
    expect(await walk(gateway, ["status-500", "status-429", "status-503"])).toEqual(["m1 m2 m3", 503]);
  });

  test("a backup whose error would not move on is passed all the same", async () => {
    expect(await walk(gateway, ["status-500", "status-400"])).toEqual(["m1 m2 m3", 200]);
  });
});

describe("max_attempts: 1", () => {
  let gateway: SimulatedGateway;

  beforeAll(async () => {
    gateway = await simulatedGateway({
      providers: {
        p: { listed },
        shaky: {
          listed: ["x"],
          resilience: { circuit_breaker: { enabled: true, failure_threshold: 1, timeout: "1h" } },
        },
      },
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
      virtual_models: [
        { source: "v", strategy: "failover", targets },
        { source: "w", strategy: "failover", targets: ["p/m1", "shaky/x", "p/m2"] },
      ],
      failover: { max_attempts: 1 },
    });
    gateway.simulator("shaky").setFault("x", "status-500");
    await (await gateway.chat("shaky/x")).text();
  });
  afterAll(() => gateway.stop());

  test("tries one backup and answers the backup's error", async () => {
    expect(await walk(gateway, ["status-500", "status-502"])).toEqual(["m1 m2", 502]);
  });

  test("is not used up by a target whose circuit is open", async () => {
    const simulator = gateway.simulator("p");
    simulator.reset();
    simulator.setFault("m1", "status-500");
    simulator.setFault("m2", "ok");
    expect((await gateway.chat("w")).status).toBe(200);
    expect(gateway.called("p")).toEqual(["m1", "m2"]);
    expect(gateway.called("shaky")).toEqual(["x"]);
  });

  test("its backup's error is not hidden by a target that was skipped", async () => {
    const simulator = gateway.simulator("p");
    for (const model of ["m1", "m2"]) simulator.setFault(model, "status-504");
    expect((await gateway.chat("w")).status).toBe(504);
  });
});

describe.each(["config.yaml", "variables"])("the example of the page, from %s", (source) => {
  let gateway: SimulatedGateway;

  beforeAll(async () => {
    gateway =
      source === "variables"
        ? await policy(
            {},
            {},
            {
              FAILOVER_MAX_ATTEMPTS: "1",
              FAILOVER_RETRY_ON_STATUSES: "408,5xx",
              FAILOVER_RETRY_ON_ERRORS: "model not found,model does not exist,upstream failed,overloaded",
            },
          )
        : await policy({
            max_attempts: 1,
            retry_on_statuses: [408, "5xx"],
            retry_on_errors: ["model not found", "model does not exist", "upstream failed", "overloaded"],
          });
  });
  afterAll(() => gateway.stop());

  test.each([
    ["status-408", "m1 m2", 200],
    ["status-503", "m1 m2", 200],
    ["status-429", "m1", 429],
    [says(400, "We are overloaded, try later"), "m1 m2", 200],
    [says(400, "Upstream request failed"), "m1 m2", 200],
    [says(400, "model is deprecated"), "m1", 400],
  ])("%s: %s called, %i answered", async (fault, called, status) => {
    expect(await walk(gateway, [fault])).toEqual([called, status]);
  });
});

describe("lists", () => {
  test("an empty one keeps its default", async () => {
    await using gateway = await policy({ retry_on_statuses: [], retry_on_errors: [] });
    expect(await walk(gateway, ["status-429"])).toEqual(["m1 m2", 200]);
    expect(await walk(gateway, [says(400, "model not found")])).toEqual(["m1 m2", 200]);
  });

  test("a class such as 4xx among the words of a phrase bounds the status", async () => {
    await using gateway = await policy({ retry_on_errors: ["4xx busy"], retry_on_statuses: [599] });
    expect(await walk(gateway, [says(409, "too busy")])).toEqual(["m1 m2", 200]);
    expect(await walk(gateway, [says(503, "too busy")])).toEqual(["m1", 503]);
    expect(await walk(gateway, [says(409, "too full")])).toEqual(["m1", 409]);
  });

  test("a given one replaces its default", async () => {
    await using gateway = await policy({ retry_on_statuses: [418], retry_on_errors: ["418 teapot"] });
    expect(await walk(gateway, ["status-503"])).toEqual(["m1", 503]);
    expect(await walk(gateway, ["status-418"])).toEqual(["m1 m2", 200]);
    expect(await walk(gateway, [says(404, "model not found")])).toEqual(["m1", 404]);
  });
});

describe("an open circuit", () => {
  test("skips its target at once and is the answer when nothing else is left", async () => {
    await using gateway = await policy(
      {},
      {
        resilience: {
          retry: { max_retries: 0 },
          circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
        },
      },
    );
    await walk(gateway, ["status-500"]);
    expect(await walk(gateway, ["status-500"])).toEqual(["m2", 200]);
    await walk(gateway, ["ok", "status-500", "status-500"]);
    gateway.simulator("p").reset();
    const response = await gateway.chat("v");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(await seenError(response)).toMatchObject({ status: 503, code: "circuit_open" });
    expect(gateway.called("p")).toEqual([]);
  });
});

describe("empty answers", () => {
  let gateway: SimulatedGateway;

  beforeAll(async () => {
    gateway = await policy();
  });
  beforeEach(() => gateway.simulator("p").reset());
  afterAll(() => gateway.stop());

  test("no choices: 502, logged and counted at every attempt, and moved on from", async () => {
    gateway.simulator("p").setFault("m3", "choices-empty");
    expect(await seenError(await gateway.chat("p/m3"))).toMatchObject({
      status: 502,
      message: expect.stringContaining("provider returned no choices"),
    });
    const series = 'gomodel_empty_responses_total{provider="p",model="m3",reason="no_choices"}';
    const counted = (await gateway.metric(series)) ?? 0;
    expect(counted).toBe(1);
    const warned = gateway.logLines.filter(({ level, reason }) => level === "warn" && reason === "no_choices");
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatchObject({ provider: "p", model: "m3" });
  });

  test("a stream without an event: 502 with its own text, before the status is sent", async () => {
    gateway.simulator("p").setFault("m3", "stream-empty");
    const response = await gateway.chat("p/m3", { stream: true });
    expect(await seenError(response)).toMatchObject({
      status: 502,
      message: expect.stringContaining("provider returned an empty stream"),
    });
  });

  test.each([
    ["error-first-429", 429],
    ["error-first-quoted-429", 429],
    ["error-first-503", 503],
    ["error-first-uncoded", 502],
    ["error-first-named", 502],
  ])("a stream whose first event is %s: %i", async (fault, status) => {
    gateway.simulator("p").setFault("m3", fault);
    expect((await seenError(await gateway.chat("p/m3", { stream: true }))).status).toBe(status);
  });

  test("the response headers wait for the first event, not for comments", async () => {
    gateway.simulator("p").setFault("m3", "heartbeats");
    const leaving = new AbortController();
    let answered = false;
    const waiting = gateway.chat("p/m3", { stream: true }, { signal: leaving.signal }).then(
      () => (answered = true),
      () => undefined,
    );
    const written = (): number => gateway.simulator("p").calls.at(-1)?.bytesWritten ?? 0;
    await eventually("several comments were sent", () => written() > 0 && gateway.called("p").length === 1);
    const begun = written();
    await eventually("more comments were sent", () => written() > begun + 20);
    expect(answered).toBe(false);
    leaving.abort();
    await waiting;
    expect(answered).toBe(false);
  });
});
