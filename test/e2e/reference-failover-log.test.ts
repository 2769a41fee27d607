// The owner's page "Failover": the request log and the metrics show every attempt and bill the model that answered.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuditEntry } from "../../src/admin/contract.ts";
import { answerUsage } from "../../src/upstream-simulator/answer-text.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";
import { startGateway } from "../support/start-gateway.ts";

const priced = (id: string, input: number, output: number): object => ({
  id,
  metadata: { pricing: { input_per_mtok: input, output_per_mtok: output } },
});

let gateway: SimulatedGateway;

beforeAll(async () => {
  gateway = await simulatedGateway({
    logging: { enabled: true },
    providers: {
      dear: {
        listed: ["status-503", "ok-4", "cut-after-4", "choices-empty", "error-first-429"],
        models: [priced("status-503", 100, 100), priced("ok-4", 100, 100)],
      },
      open: {
        listed: ["status-500"],
        resilience: { circuit_breaker: { enabled: true, failure_threshold: 1, timeout: "1h" } },
      },
      cheap: { listed: ["ok-6", "ok-9"], models: [priced("ok-6", 2, 30)] },
    },
    resilience: { retry: { max_retries: 1 }, circuit_breaker: { enabled: false } },
    virtual_models: [
      { source: "v", strategy: "failover", targets: ["dear/status-503", "open/status-500", "cheap/ok-6"] },
      { source: "healthy", strategy: "failover", targets: ["dear/ok-4", "cheap/ok-6"] },
      { source: "hopeless", strategy: "failover", targets: ["dear/status-503", "dear/choices-empty"] },
      { source: "early", strategy: "failover", targets: ["dear/error-first-429", "cheap/ok-6"] },
    ],
  });
  await (await gateway.chat("open/status-500")).text();
});
afterAll(() => gateway.stop());

/** The one row of a request, with its answer read to the end. */
async function rowOf(id: string, model: string, fields: Record<string, unknown> = {}): Promise<AuditEntry> {
  const response = await gateway.chat(model, fields, { headers: { "x-request-id": id } });
  await response.text();
  const rows = await loggedRows(gateway.url, id);
  expect(rows).toHaveLength(1);
  const row = rows[0];
  if (row === undefined) throw new Error("unreachable: there is one row");
  return row;
}

const attemptsOf = ({ data }: AuditEntry): unknown =>
  data.attempts.map(({ target, turn, kind, outcome, status_code }) => [target, turn, kind, outcome, status_code]);

describe("the row of a failover", () => {
  test("names what was asked for, who answered, and each attempt in order", async () => {
    const row = await rowOf("walk", "v");
    expect(row).toMatchObject({
      requested_model: "v",
      alias_used: true,
      resolved_model: "ok-6",
      provider: "openai",
      provider_name: "cheap",
      status_code: 200,
      stream: false,
      data: { virtual_model: "v", failover: { target_model: "cheap/ok-6" } },
    });
    expect(attemptsOf(row)).toEqual([
      ["dear/status-503", 1, "first", "failed", 503],
      ["dear/status-503", 1, "retry", "failed", 503],
      ["open/status-500", 2, "failover", "skipped", 503],
      ["cheap/ok-6", 3, "failover", "succeeded", 200],
    ]);
    expect(row.data.attempts[2]).toMatchObject({ error_code: "circuit_open" });
  });

  test("bills the answering model at its price: 11 tokens in at 2, 6 out at 30 USD a million", async () => {
    const { usage } = await rowOf("billed", "v");
    expect(usage).toMatchObject({
      input_tokens: 11,
      output_tokens: 6,
      total_tokens: 17,
      input_cost: 0.000022,
      output_cost: 0.00018,
      cost_source: "model_pricing",
    });
    expect(usage?.total_cost).toBeCloseTo(0.000202, 12);
  });

  test("of a stream is billed in the same way, though its caller asked for no usage", async () => {
    const row = await rowOf("stream", "early", { stream: true });
    expect(attemptsOf(row)).toEqual([
      ["dear/error-first-429", 1, "first", "failed", 429],
      ["cheap/ok-6", 2, "failover", "succeeded", 200],
    ]);
    expect(row.usage?.total_cost).toBeCloseTo(0.000202, 12);
    expect(row.first_event_ms).toBeGreaterThan(0);
  });

  test("that nobody survived has the last error and neither usage nor failover target", async () => {
    const row = await rowOf("hopeless", "hopeless");
    expect(row).toMatchObject({ status_code: 502, error_type: "provider_error", usage: null });
    expect(row.data.error_message).toContain("provider returned no choices");
    expect(attemptsOf(row)).toEqual([
      ["dear/status-503", 1, "first", "failed", 503],
      ["dear/status-503", 1, "retry", "failed", 503],
      ["dear/choices-empty", 2, "failover", "failed", 502],
    ]);
  });
});

describe("the row of other requests", () => {
  test("answered by the first target has no failover", async () => {
    const row = await rowOf("plain", "healthy");
    expect(row.data.failover).toBeUndefined();
    expect(attemptsOf(row)).toEqual([["dear/ok-4", 1, "first", "succeeded", 200]]);
  });

  test("for a concrete model is no alias, and its unknown price gives no cost", async () => {
    const row = await rowOf("concrete", "cheap/ok-9");
    expect(row).toMatchObject({ alias_used: false, usage: { output_tokens: 9, total_cost: null, cost_source: null } });
    expect(row.data.virtual_model).toBeUndefined();
  });

  test("with a truncated stream has status 200 and stream_error", async () => {
    const row = await rowOf("truncated", "dear/cut-after-4", { stream: true });
    expect(row.status_code).toBe(200);
    expect(row.data.stream_error?.length).toBeGreaterThan(0);
    expect(attemptsOf(row)).toEqual([["dear/cut-after-4", 1, "first", "failed", 200]]);
  });
});

describe("metrics of known traffic", () => {
  test("count requests by turn, attempts one by one, failovers, tokens and cost", async () => {
    await using counted = await simulatedGateway({
      providers: {
        dear: { listed: ["status-503"] },
        cheap: { listed: ["ok-6", "cut-after-4", "reset-in-headers"], models: [priced("ok-6", 2, 30)] },
      },
      resilience: { retry: { max_retries: 1 } },
      virtual_models: [{ source: "v", strategy: "failover", targets: ["dear/status-503", "cheap/ok-6"] }],
    });
    for (const fields of [{}, {}, { stream: true }]) await (await counted.chat("v", fields)).text();
    await (await counted.chat("cheap/cut-after-4", { stream: true })).text();
    await (await counted.chat("cheap/reset-in-headers")).text();
    const path = "/v1/chat/completions";
    const request = (provider: string, model: string, code: number | string, type: string, stream: boolean): string =>
      `gomodel_requests_total{provider="${provider}",model="${model}",endpoint="${path}",status_code="${code}",status_type="${type}",stream="${stream}"}`;
    const { prompt_tokens, completion_tokens } = answerUsage(6);
    const expected: readonly (readonly [series: string, value: number])[] = [
      [request("dear", "status-503", 503, "error", false), 2],
      [request("dear", "status-503", 503, "error", true), 1],
      [request("cheap", "ok-6", 200, "success", false), 2],
      [request("cheap", "ok-6", 200, "success", true), 1],
      [request("cheap", "cut-after-4", 200, "error", true), 1],
      [request("cheap", "reset-in-headers", "network_error", "error", false), 1],
      ['gomodel_attempts_total{provider="cheap",model="reset-in-headers",outcome="failed"}', 2],
      ['gomodel_attempts_total{provider="dear",model="status-503",outcome="failed"}', 5],
      ['gomodel_attempts_total{provider="cheap",model="ok-6",outcome="succeeded"}', 3],
      ['gomodel_failovers_total{virtual_model="v",from="dear/status-503",to="cheap/ok-6"}', 3],
      ['gomodel_tokens_total{provider="cheap",model="ok-6",kind="input"}', 3 * prompt_tokens],
      ['gomodel_tokens_total{provider="cheap",model="ok-6",kind="output"}', 3 * completion_tokens],
      ['gomodel_first_event_seconds_count{provider="cheap",model="ok-6"}', 1],
      [`gomodel_request_duration_seconds_count{provider="cheap",model="ok-6",endpoint="${path}",stream="false"}`, 2],
      [`gomodel_requests_in_flight{provider="cheap",endpoint="${path}",stream="true"}`, 0],
      [`gomodel_requests_in_flight{provider="dear",endpoint="${path}",stream="false"}`, 0],
      ['gomodel_circuit_breaker_state{provider="dear"}', 0],
      ["gomodel_log_rows_dropped_total", 0],
    ];
    for (const [series, value] of expected) expect([series, await counted.metric(series)]).toEqual([series, value]);
    const cost = await counted.metric('gomodel_cost_usd_total{provider="cheap",model="ok-6"}');
    expect(cost).toBeCloseTo(3 * 0.000202, 12);
  });

  test("are served only when they are enabled", async () => {
    const plain = await startGateway("logging: {enabled: false}");
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404);
    await plain.stop();
    const elsewhere = await startGateway("logging: {enabled: false}\nmetrics: {enabled: true, endpoint: /internal/m}");
    expect((await fetch(`${elsewhere.url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${elsewhere.url}/internal/m`)).text()).toContain("gomodel_requests_in_flight");
    await elsewhere.stop();
  });

  test("without usage in an answer count it as no_usage", async () => {
    await using counted = await simulatedGateway({ providers: { p: { listed: ["usage-zero"] } } });
    expect((await counted.chat("p/usage-zero")).status).toBe(200);
    expect(
      await counted.metric('gomodel_empty_responses_total{provider="p",model="usage-zero",reason="no_usage"}'),
    ).toBe(1);
  });
});
