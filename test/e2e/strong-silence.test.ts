// The strong profile over real sockets: a silent target costs seconds as long as another one is left, and patience where none is.

import { describe, expect, test } from "bun:test";
import { strongGateway } from "../support/strong-gateway.ts";

/** What a busy machine may add, on a clock that is forty times faster. */
const slackMs = 28_000;

describe("a stream at a target", () => {
  test.concurrent.each([
    ["that accepts and never answers", "hang-before-answer"],
    ["that never ends its headers", "hang-in-headers"],
    ["that sends headers and nothing more", "hang-after-headers"],
    ["whose first event comes after 20 s", "slow-body-20000"],
    ["that sends comments for ever", "heartbeats-1000"],
  ])("%s is answered by the next one after 12 s", async (_, fault) => {
    await using gateway = await strongGateway({ a: fault, b: "ok" });
    const seen = await gateway.ask(true);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 2" });
    expect(seen.text).toEndWith("data: [DONE]\n\n");
    expect(seen.tookMs).toBeGreaterThanOrEqual(12_000);
    expect(seen.tookMs).toBeLessThan(12_000 + slackMs);
    const call = gateway.simulator("a").calls.findIndex(({ method }) => method === "POST");
    expect(await gateway.simulator("a").waitForClosed(call, 20_000)).toBeLessThan(20_000);
    expect(gateway.calls()).toEqual([1, 1]);
  });

  test.concurrent("whose first event comes after 20 s is waited for when it is the only one", async () => {
    await using gateway = await strongGateway({ a: "slow-body-20000" });
    const seen = await gateway.ask(true);
    expect(seen).toMatchObject({ status: 200, answeredBy: "a 1" });
    expect(seen.text).toEndWith("data: [DONE]\n\n");
    expect(seen.tookMs).toBeGreaterThanOrEqual(20_000);
  });

  test.concurrent("whose first event comes after 20 s is waited for when it is the last one", async () => {
    await using gateway = await strongGateway({ a: "status-501", b: "slow-body-20000" });
    expect(await gateway.ask(true)).toMatchObject({ status: 200, answeredBy: "b 2" });
  });

  test.concurrent("whose first event comes after 20 s is waited for while the other one's circuit is open", async () => {
    await using gateway = await strongGateway(
      { a: "slow-body-20000", b: "status-501" },
      { env: { CIRCUIT_BREAKER_TIMEOUT: "1h" } },
    );
    for (let request = 1; request <= 5; request++) await gateway.ask(false, "b/m");
    expect(await gateway.ask(true)).toMatchObject({ status: 200, answeredBy: "a 1" });
  });

  test.concurrent("whose provider block gives it longer has longer", async () => {
    const providers = { a: { listed: ["m"], http: { first_event_timeout: "60s" } }, b: { listed: ["m"] } };
    await using gateway = await strongGateway({ a: "slow-body-20000", b: "ok" }, { more: { providers } });
    expect(await gateway.ask(true)).toMatchObject({ status: 200, answeredBy: "a 1" });
  });

  test.concurrent("says in the log for how long it was waited", async () => {
    await using gateway = await strongGateway(
      { a: "hang-before-answer", b: "ok" },
      { more: { logging: { enabled: true } } },
    );
    await gateway.ask(true);
    const [row] = await gateway.rows(1);
    expect(row?.data.attempts).toMatchObject([
      {
        target: "a/m",
        outcome: "failed",
        status_code: 504,
        error_code: "request_timeout",
        error_message: "request timed out: provider a: no first event within 12000 ms, and another target is left",
      },
      { target: "b/m", outcome: "succeeded", kind: "failover" },
    ]);
  });

  test.concurrent("that is silent counts for its breaker: the sixth request does not wait for it", async () => {
    await using gateway = await strongGateway({ a: "hang-before-answer", b: "ok" }, { speed: 100 });
    for (let request = 1; request <= 5; request++) expect(await gateway.ask(true)).toMatchObject({ answeredBy: "b 2" });
    const seen = await gateway.ask(true);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 1" });
  });
});

describe("a buffered call at a target", () => {
  test.concurrent("that accepts and never answers is answered by the next one after 120 s", async () => {
    await using gateway = await strongGateway({ a: "hang-before-answer", b: "ok" }, { speed: 100 });
    const seen = await gateway.ask(false);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 2" });
    expect(seen.tookMs).toBeGreaterThanOrEqual(120_000);
    expect(seen.tookMs).toBeLessThan(120_000 + 3 * slackMs);
  });

  test.concurrent("whose answer takes 20 s is waited for", async () => {
    await using gateway = await strongGateway({ a: "slow-first-20000", b: "ok" });
    expect(await gateway.ask(false)).toMatchObject({ status: 200, answeredBy: "a 1" });
  });

  test.concurrent("whose headers come in time may take longer for its body", async () => {
    await using gateway = await strongGateway({ a: "slow-body-150000", b: "ok" }, { speed: 100 });
    expect(await gateway.ask(false)).toMatchObject({ status: 200, answeredBy: "a 1" });
  });
});
