// The request log as the operator's API gives it, from a real database.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { LogBench } from "../../test/support/request-log.ts";
import {
  attempt,
  keptHeaders,
  recordStart,
  requestRecord,
  statusFailure,
  turn,
} from "../../test/support/request-record.ts";
import type { RequestLog } from "../store/request-log.ts";
import { createAdminRoutes } from "./admin-routes.ts";

const bench = new LogBench();
let log: RequestLog;
beforeEach(() => {
  ({ log } = bench.open(bench.path()));
});
afterEach(() => bench.dispose());

const dayMs = 86_400_000;
const today = Date.UTC(2026, 0, 15);

async function get(path: string): Promise<unknown> {
  const url = new URL(path, "http://admin.invalid");
  const routes = createAdminRoutes({
    requestLog: log,
    wallNow: () => recordStart,
    providers: () => [],
    resetBreaker: () => false,
  });
  const route = routes.find((candidate) => candidate.path === url.pathname);
  if (route === undefined) throw new Error(`no route ${url.pathname}`);
  const { status, body } = await route.handle(url, "");
  expect(status).toBe(200);
  return JSON.parse(JSON.stringify(body));
}

async function ids(query: string): Promise<unknown> {
  const page = await get(`/admin/audit/log?${query}`);
  if (typeof page !== "object" || page === null || !("entries" in page) || !Array.isArray(page.entries)) return page;
  return page.entries.map((entry: { request_id: string }) => entry.request_id);
}

const encoder = new TextEncoder();
const groq = { providerName: "groq", model: "llama-3.1" };

/** Failed at the first target, streamed by the second one. */
const failedOver = () =>
  requestRecord({
    requestId: "over",
    stream: true,
    firstEventMs: 4.5,
    turns: [
      turn({
        outcome: "failed",
        attempts: [attempt({ outcome: "failed", statusCode: 500, failure: statusFailure(500, "broke", "oops") })],
      }),
      turn({ target: groq, attempts: [attempt({ kind: "failover", firstEventMs: 3, startedAt: recordStart + 20 })] }),
    ],
    answeredBy: groq,
    requestHeaders: keptHeaders({ "x-api-key": "c4n4ry", accept: "*/*" }),
    responseHeaders: { "content-type": "text/event-stream" },
    requestBody: encoder.encode('{"model":"smart","temperature":1,"max_tokens":9}'),
    responseBody: [encoder.encode("data: [DONE]\n\n")],
  });

const overEntry = {
  id: "1",
  timestamp: "2026-01-15T12:00:00.000Z",
  duration_ns: 15_250_000,
  requested_model: "smart",
  resolved_model: "llama-3.1",
  provider: "groq",
  provider_name: "groq",
  alias_used: true,
  workflow_version_id: null,
  cache_type: null,
  status_code: 200,
  request_id: "over",
  auth_key_id: null,
  auth_method: "master_key",
  client_ip: "10.0.0.12",
  method: "POST",
  path: "/v1/chat/completions",
  user_path: null,
  session_id: null,
  stream: true,
  error_type: null,
  first_event_ms: 4.5,
  usage: {
    input_tokens: 120,
    output_tokens: 45,
    total_tokens: 165,
    cached_input_tokens: 64,
    cache_write_input_tokens: 0,
    reasoning_tokens: 7,
    input_cost: 0.000018,
    output_cost: 0.000027,
    total_cost: 0.000045,
    cost_source: "model_pricing",
    costs_calculation_caveat: null,
  },
  data: {
    user_agent: "OpenAI/JS 6.49.0",
    api_key_hash: "0123456789abcdef",
    virtual_model: "smart",
    failover: { target_model: "groq/llama-3.1" },
    temperature: 1,
    max_tokens: 9,
    attempts: [
      {
        target: "openai-eu/gpt-4o-mini",
        provider_name: "openai-eu",
        model: "gpt-4o-mini",
        turn: 1,
        kind: "first",
        outcome: "failed",
        status_code: 500,
        error_type: "provider_error",
        error_code: "oops",
        error_message: "broke",
        started_at: "2026-01-15T12:00:00.000Z",
        duration_ms: 12.5,
        first_event_ms: null,
      },
      {
        target: "groq/llama-3.1",
        provider_name: "groq",
        model: "llama-3.1",
        turn: 2,
        kind: "failover",
        outcome: "succeeded",
        status_code: 200,
        error_type: null,
        error_code: null,
        error_message: null,
        started_at: "2026-01-15T12:00:00.020Z",
        duration_ms: 12.5,
        first_event_ms: 3,
      },
    ],
  },
};

describe("GET /admin/audit/log", () => {
  test("gives entries with attempts and usage, without headers and bodies", async () => {
    log.record(failedOver());
    await log.flush();
    expect(await get("/admin/audit/log")).toEqual({ entries: [overEntry], total: 1, limit: 25, offset: 0 });
  });

  test("filters by every parameter", async () => {
    log.record(failedOver());
    log.record(
      requestRecord({
        requestId: "bad",
        path: "/v1/embeddings",
        method: "PUT",
        requestedModel: "other",
        virtualModel: undefined,
        statusCode: 429,
        failure: statusFailure(429, "slow down"),
        facts: undefined,
      }),
    );
    await log.flush();
    const expected: Record<string, readonly string[]> = {
      "requested_model=oth": ["bad"],
      "model=oth": ["bad"],
      "provider=groq": ["over"],
      "provider=openai": ["bad"],
      "method=put": ["bad"],
      "path=embed": ["bad"],
      "error_type=provider_error": ["bad"],
      "status_code=429": ["bad"],
      "stream=true": ["over"],
      "stream=false": ["bad"],
      "search=slow+DOWN": ["bad"],
      "search=&limit=&stream=": ["bad", "over"],
      "user_path=/team": [],
      "session_id=s1": [],
      "limit=1": ["bad"],
      "limit=1&offset=1": ["over"],
    };
    for (const [query, names] of Object.entries(expected)) expect([query, await ids(query)]).toEqual([query, names]);
  });

  test("shows the last 30 UTC days, or those asked for", async () => {
    const starts = { today, yesterday: today - 1, "day-30": today - 29 * dayMs, "day-31": today - 29 * dayMs - 1 };
    for (const [requestId, startedAt] of Object.entries(starts)) log.record(requestRecord({ requestId, startedAt }));
    await log.flush();
    expect(await ids("")).toEqual(["day-30", "yesterday", "today"]);
    expect(await ids("days=1")).toEqual(["today"]);
    expect(await ids("days=31")).toEqual(["day-31", "day-30", "yesterday", "today"]);
    expect(await ids("start_date=2026-01-14&days=1")).toEqual(["yesterday", "today"]);
    expect(await ids("start_date=2026-01-14&end_date=2026-01-14")).toEqual(["yesterday"]);
    expect(await ids("end_date=2026-01-14&days=1")).toEqual(["yesterday"]);
    expect(await ids("start_date=2030-01-01")).toEqual([]);
  });

  const wrong: readonly [query: string, param: string, message: string][] = [
    ["limit=0", "limit", "invalid limit, expected positive integer"],
    ["limit=-1", "limit", "invalid limit, expected positive integer"],
    ["limit=ten", "limit", "invalid limit, expected positive integer"],
    ["limit=1e1", "limit", "invalid limit, expected positive integer"],
    ["limit=101", "limit", "invalid limit parameter: limit must be between 1 and 100"],
    ["offset=-1", "offset", "invalid offset, expected non-negative integer"],
    ["offset=99999999999999999999", "offset", "invalid offset, expected non-negative integer"],
    ["start_date=15.01.2026", "start_date", "invalid start_date format, expected YYYY-MM-DD"],
    ["start_date=2026-02-30", "start_date", "invalid start_date format, expected YYYY-MM-DD"],
    ["end_date=2026-13-01", "end_date", "invalid end_date format, expected YYYY-MM-DD"],
    ["start_date=2026-01-02&end_date=2026-01-01", "end_date", "invalid end_date, expected a day not before start_date"],
    ["days=0", "days", "invalid days, expected positive integer"],
    ["status_code=5xx", "status_code", "invalid status_code, expected an HTTP status such as 429"],
    ["stream=1", "stream", "invalid stream, expected true or false"],
    [`search=${"x".repeat(257)}`, "search", "invalid search, expected at most 256 characters"],
  ];
  test.each(wrong)("%s is a 400", async (query, param, message) => {
    expect(await get(`/admin/audit/log?${query}`).catch(thrown)).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param,
      message,
    });
  });

  test("accepts the largest page", async () => {
    expect(await get("/admin/audit/log?limit=100")).toEqual({ entries: [], total: 0, limit: 100, offset: 0 });
  });
});

describe("GET /admin/audit/detail", () => {
  test("gives headers and bodies too, redacted, JSON as JSON and text as text", async () => {
    log.record(failedOver());
    await log.flush();
    expect(await get("/admin/audit/detail?log_id=1")).toEqual({
      ...overEntry,
      data: {
        ...overEntry.data,
        request_headers: { "x-api-key": "[REDACTED]", accept: "*/*" },
        response_headers: { "content-type": "text/event-stream" },
        request_body: { model: "smart", temperature: 1, max_tokens: 9 },
        response_body: "data: [DONE]\n\n",
      },
    });
  });

  test.each(["7", "0", "-1", "1x", "../1", "99999999999999999999"])(
    "of %s, which is not there, is a 404",
    async (id) => {
      expect(await get(`/admin/audit/detail?log_id=${id}`).catch(thrown)).toMatchObject({
        status: 404,
        type: "not_found_error",
        message: `audit log not found: ${id}`,
      });
    },
  );

  test("without an id is a 400 that names the parameter", async () => {
    expect(await get("/admin/audit/detail").catch(thrown)).toMatchObject({
      status: 400,
      message: "log_id is required",
    });
  });
});

test("with the log disabled both endpoints answer 503 feature_unavailable", async () => {
  ({ log } = bench.open(bench.path(), { enabled: false }));
  for (const path of ["/admin/audit/log", "/admin/audit/detail?log_id=1"]) {
    expect(await get(path).catch(thrown)).toMatchObject({ status: 503, code: "feature_unavailable" });
  }
});

/** What a promise was rejected with, to be looked at. */
function thrown(error: unknown): unknown {
  return error;
}
