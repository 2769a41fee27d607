import { describe, expect, test } from "bun:test";
import { Failure, type FailureOrigin } from "../core/failure.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Target } from "../core/target.ts";
import type { Attempt, Turn } from "../core/turn.ts";
import type { Cost, Usage } from "../core/usage.ts";
import { createMetrics, type MetricsOptions } from "./metrics.ts";

const openai: Target = { providerName: "openai", model: "gpt-5" };
const groq: Target = { providerName: "groq", model: "llama" };
const noCost: Cost = { inputUsd: null, outputUsd: null, totalUsd: null, source: null, caveat: null };

function createForTest(options: Partial<MetricsOptions> = {}) {
  const metrics = createMetrics({
    isKnownModel: () => true,
    breakerStates: () => [],
    logQueueRows: () => 0,
    logRowsDropped: () => 0,
    ...options,
  });
  return { ...metrics, lines: async (name: string) => linesOf((await metrics.render()).text, name) };
}

/** The samples of one metric, a histogram's buckets, sum and count included. */
function linesOf(text: string, name: string): string[] {
  return text.split("\n").filter((line) => new RegExp(`^${name}(_bucket|_sum|_count)?[ {]`).test(line));
}

function attempt(outcome: Attempt["outcome"], statusCode: number | undefined): Attempt {
  const firstEventMs = undefined;
  return { kind: "first", startedAt: 1000, durationMs: 300, firstEventMs, outcome, statusCode, failure: undefined };
}

function turn(target: Target, outcome: Turn["outcome"], changes: Partial<Turn> = {}): Turn {
  const base = { startedAt: 1000, failure: undefined, committed: outcome === "succeeded", establishedMs: 300 };
  return { target, outcome, attempts: [attempt("succeeded", 200)], ...base, ...changes };
}

function failure(origin: FailureOrigin, status: number, emptyReason?: "no_choices"): Failure {
  return new Failure({
    origin,
    status,
    type: "provider_error",
    message: "x",
    ...(emptyReason === undefined ? {} : { emptyReason }),
  });
}

function usage(changes: Partial<Usage>): Usage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: {},
    ...changes,
  };
}

function record(changes: Partial<RequestRecord>): RequestRecord {
  return {
    requestId: "r1",
    startedAt: 1000,
    durationMs: 300,
    method: "POST",
    path: "/v1/chat/completions",
    clientIp: "127.0.0.1",
    userAgent: "test",
    authMethod: "master_key",
    apiKeyHash: undefined,
    modelRoute: true,
    operation: "chat-completions",
    requestedModel: "smart",
    virtualModel: undefined,
    stream: false,
    holdsBack: false,
    turns: [],
    answeredBy: undefined,
    statusCode: 200,
    failure: undefined,
    streamError: undefined,
    firstEventMs: undefined,
    facts: undefined,
    brokenParts: [],
    streamRecovery: undefined,
    cost: undefined,
    requestBody: undefined,
    responseBody: [],
    requestHeaders: undefined,
    requestLength: undefined,
    responseHeaders: undefined,
    ...changes,
  };
}

describe("gomodel_requests_total", () => {
  const cases: readonly [string, Turn, string][] = [
    ["an answer", turn(openai, "succeeded"), `status_code="200",status_type="success"`],
    [
      "an error status after three attempts is one request",
      turn(openai, "failed", {
        attempts: [attempt("failed", 503), attempt("failed", 503), attempt("failed", 429)],
        failure: failure("status", 429),
      }),
      `status_code="429",status_type="error"`,
    ],
    [
      "an empty answer",
      turn(openai, "failed", { attempts: [attempt("failed", 502)], failure: failure("answer", 502) }),
      `status_code="502",status_type="error"`,
    ],
    [
      "a reset connection",
      turn(openai, "failed", { attempts: [attempt("failed", 502)], failure: failure("transport", 502) }),
      `status_code="network_error",status_type="error"`,
    ],
    [
      "a time limit that ran out",
      turn(openai, "failed", { attempts: [attempt("failed", 504)], failure: failure("timeout", 504) }),
      `status_code="network_error",status_type="error"`,
    ],
    [
      "a caller who left before the answer",
      turn(openai, "cancelled", { attempts: [attempt("cancelled", undefined)], failure: failure("cancelled", 499) }),
      `status_code="network_error",status_type="error"`,
    ],
    [
      "a caller who left during the answer",
      turn(openai, "cancelled", {
        attempts: [attempt("cancelled", 200)],
        committed: true,
        failure: failure("cancelled", 499),
      }),
      `status_code="200",status_type="success"`,
    ],
    [
      "a stream that broke",
      turn(openai, "truncated", {
        attempts: [attempt("failed", 200)],
        committed: true,
        failure: failure("transport", 502),
      }),
      `status_code="200",status_type="error"`,
    ],
  ];
  test.each(cases)("%s", async (_name, ended, labels) => {
    const metrics = createForTest();
    metrics.turnStart(openai, "chat-completions", true);
    metrics.turnEnd(ended, "chat-completions", true);
    expect(await metrics.lines("gomodel_requests_total")).toEqual([
      `gomodel_requests_total{provider="openai",model="gpt-5",endpoint="/v1/chat/completions",${labels},stream="true"} 1`,
    ]);
  });

  test("one target counts under the path of each operation", async () => {
    const metrics = createForTest();
    for (const operation of ["chat-completions", "messages", "responses", "messages"] as const) {
      metrics.turnStart(openai, operation, true);
      metrics.turnEnd(turn(openai, "succeeded"), operation, true);
    }
    metrics.turnStart(openai, "count-tokens", false);
    metrics.turnEnd(turn(openai, "succeeded"), "count-tokens", false);
    const line = (endpoint: string, stream: boolean, count: number): string =>
      `gomodel_requests_total{provider="openai",model="gpt-5",endpoint="${endpoint}",status_code="200",status_type="success",stream="${stream}"} ${count}`;
    expect((await metrics.lines("gomodel_requests_total")).toSorted()).toEqual(
      [
        line("/v1/chat/completions", true, 1),
        line("/v1/messages", true, 2),
        line("/v1/messages/count_tokens", false, 1),
        line("/v1/responses", true, 1),
      ].toSorted(),
    );
    expect((await metrics.lines("gomodel_requests_in_flight")).every((each) => each.endsWith(" 0"))).toBe(true);
  });

  test("a target skipped by its breaker is no request, but an attempt that was skipped", async () => {
    const metrics = createForTest();
    metrics.turnStart(openai, "embeddings", false);
    metrics.turnEnd(
      turn(openai, "skipped", { attempts: [], establishedMs: undefined, failure: failure("circuit-open", 503) }),
      "embeddings",
      false,
    );
    expect(await metrics.lines("gomodel_requests_total")).toEqual([]);
    expect(await metrics.lines("gomodel_request_duration_seconds")).toEqual([]);
    expect(await metrics.lines("gomodel_attempts_total")).toEqual([
      `gomodel_attempts_total{provider="openai",model="gpt-5",outcome="skipped"} 1`,
    ]);
    expect(await metrics.lines("gomodel_requests_in_flight")).toEqual([
      `gomodel_requests_in_flight{provider="openai",endpoint="/v1/embeddings",stream="false"} 0`,
    ]);
  });
});

test("attempts are counted one by one with their outcomes", async () => {
  const metrics = createForTest();
  const attempts = [attempt("failed", 503), attempt("failed", 503), attempt("succeeded", 200)];
  metrics.turnStart(openai, "chat-completions", false);
  metrics.turnEnd(turn(openai, "succeeded", { attempts }), "chat-completions", false);
  expect(await metrics.lines("gomodel_attempts_total")).toEqual([
    `gomodel_attempts_total{provider="openai",model="gpt-5",outcome="failed"} 2`,
    `gomodel_attempts_total{provider="openai",model="gpt-5",outcome="succeeded"} 1`,
  ]);
});

test("the duration of a stream is the time until it was established: 300 ms is in the 0.5 s bucket", async () => {
  const metrics = createForTest();
  metrics.turnStart(openai, "chat-completions", true);
  metrics.turnEnd(turn(openai, "succeeded", { establishedMs: 300 }), "chat-completions", true);
  const labels = `provider="openai",model="gpt-5",endpoint="/v1/chat/completions",stream="true"`;
  const buckets = ["0.1", "0.25", "0.5", "1", "2", "5", "10", "30", "60", "+Inf"];
  expect(await metrics.lines("gomodel_request_duration_seconds")).toEqual([
    ...buckets.map(
      (le, index) => `gomodel_request_duration_seconds_bucket{le="${le}",${labels}} ${index < 2 ? "0" : "1"}`,
    ),
    `gomodel_request_duration_seconds_sum{${labels}} 0.3`,
    `gomodel_request_duration_seconds_count{${labels}} 1`,
  ]);
});

test("a value on a bound is below it, one above the last bound is in +Inf alone, and one that is no number is nowhere", async () => {
  const metrics = createForTest();
  for (const firstEventMs of [50, 60_000, 60_001, Number.NaN, Infinity]) {
    metrics.requestEnd(record({ answeredBy: openai, firstEventMs }));
  }
  const lines = await metrics.lines("gomodel_first_event_seconds");
  const labels = `provider="openai",model="gpt-5"`;
  expect(lines).toContain(`gomodel_first_event_seconds_bucket{le="0.05",${labels}} 1`);
  expect(lines).toContain(`gomodel_first_event_seconds_bucket{le="30",${labels}} 1`);
  expect(lines).toContain(`gomodel_first_event_seconds_bucket{le="60",${labels}} 2`);
  expect(lines).toContain(`gomodel_first_event_seconds_bucket{le="+Inf",${labels}} 3`);
  expect(lines).toContain(`gomodel_first_event_seconds_count{${labels}} 3`);
});

test("the duration of a turn that never was established reaches to the end of its last attempt", async () => {
  const metrics = createForTest();
  const attempts = [attempt("failed", 503), { ...attempt("failed", 503), startedAt: 4000 }];
  metrics.turnEnd(turn(openai, "failed", { attempts, establishedMs: undefined }), "chat-completions", false);
  expect(await metrics.lines("gomodel_request_duration_seconds")).toContain(
    `gomodel_request_duration_seconds_sum{provider="openai",model="gpt-5",endpoint="/v1/chat/completions",stream="false"} 3.3`,
  );
});

test("requests in flight are counted per provider, endpoint and mode and go back to 0", async () => {
  const metrics = createForTest();
  metrics.turnStart(openai, "chat-completions", true);
  metrics.turnStart(openai, "chat-completions", true);
  metrics.turnStart(groq, "chat-completions", false);
  const line = (provider: string, stream: boolean, value: number) =>
    `gomodel_requests_in_flight{provider="${provider}",endpoint="/v1/chat/completions",stream="${stream}"} ${value}`;
  expect(await metrics.lines("gomodel_requests_in_flight")).toEqual([line("openai", true, 2), line("groq", false, 1)]);
  for (const outcome of ["truncated", "cancelled"] as const) {
    metrics.turnEnd(turn(openai, outcome), "chat-completions", true);
  }
  metrics.turnEnd(turn(groq, "failed", { failure: failure("bug", 500) }), "chat-completions", false);
  expect(await metrics.lines("gomodel_requests_in_flight")).toEqual([line("openai", true, 0), line("groq", false, 0)]);
});

test("breaker states are those at the moment of asking, and a provider whose breaker is off has none", async () => {
  const states: { provider: string; state: 0 | 1 | 2 }[] = [
    { provider: "openai", state: 2 },
    { provider: "groq", state: 0 },
  ];
  const metrics = createForTest({ breakerStates: () => states });
  expect(await metrics.lines("gomodel_circuit_breaker_state")).toEqual([
    `gomodel_circuit_breaker_state{provider="openai"} 2`,
    `gomodel_circuit_breaker_state{provider="groq"} 0`,
  ]);
  states.splice(0, 2, { provider: "openai", state: 1 });
  expect(await metrics.lines("gomodel_circuit_breaker_state")).toEqual([
    `gomodel_circuit_breaker_state{provider="openai"} 1`,
  ]);
});

test("empty answers are counted by reason: no_choices with the turn, no_usage and no_output with the request", async () => {
  const metrics = createForTest();
  const empty = failure("answer", 502, "no_choices");
  metrics.turnEnd(turn(openai, "failed", { failure: empty }), "chat-completions", false);
  metrics.requestEnd(record({ answeredBy: groq, facts: { usage: undefined, emptyReason: "no_usage" } }));
  metrics.requestEnd(record({ answeredBy: groq, facts: { usage: undefined, emptyReason: "no_output" } }));
  expect(await metrics.lines("gomodel_empty_responses_total")).toEqual([
    `gomodel_empty_responses_total{provider="openai",model="gpt-5",reason="no_choices"} 1`,
    `gomodel_empty_responses_total{provider="groq",model="llama",reason="no_usage"} 1`,
    `gomodel_empty_responses_total{provider="groq",model="llama",reason="no_output"} 1`,
  ]);
});

test("every move from one target to the next is a failover, a skipped target included", async () => {
  const metrics = createForTest();
  const third: Target = { providerName: "xai", model: "grok" };
  const turns = [turn(openai, "skipped", { attempts: [] }), turn(groq, "failed"), turn(third, "succeeded")];
  metrics.requestEnd(record({ virtualModel: "smart", turns, answeredBy: third }));
  metrics.requestEnd(record({ virtualModel: "smart", turns: [turn(openai, "succeeded")], answeredBy: openai }));
  expect(await metrics.lines("gomodel_failovers_total")).toEqual([
    `gomodel_failovers_total{virtual_model="smart",from="openai/gpt-5",to="groq/llama"} 1`,
    `gomodel_failovers_total{virtual_model="smart",from="groq/llama",to="xai/grok"} 1`,
  ]);
});

test("tokens, cost and the first event go to the answering target", async () => {
  const metrics = createForTest();
  const facts = {
    usage: usage({ inputTokens: 12, outputTokens: 30, cachedInputTokens: 4, reasoningTokens: 7 }),
    emptyReason: undefined,
  };
  const cost: Cost = { ...noCost, totalUsd: 0.25, source: "model_pricing" };
  const streamed = record({
    stream: true,
    answeredBy: groq,
    turns: [turn(openai, "failed")],
    facts,
    cost,
    firstEventMs: 120,
  });
  metrics.requestEnd(streamed);
  metrics.requestEnd(streamed);
  const line = (kind: string, value: number) =>
    `gomodel_tokens_total{provider="groq",model="llama",kind="${kind}"} ${value}`;
  expect(await metrics.lines("gomodel_tokens_total")).toEqual([
    line("input", 24),
    line("output", 60),
    line("cached_input", 8),
    line("reasoning", 14),
  ]);
  expect(await metrics.lines("gomodel_cost_usd_total")).toEqual([
    `gomodel_cost_usd_total{provider="groq",model="llama"} 0.5`,
  ]);
  const firstEvents = await metrics.lines("gomodel_first_event_seconds");
  expect(firstEvents).toContain(`gomodel_first_event_seconds_bucket{le="0.1",provider="groq",model="llama"} 0`);
  expect(firstEvents).toContain(`gomodel_first_event_seconds_bucket{le="0.25",provider="groq",model="llama"} 2`);
  expect(firstEvents).toContain(`gomodel_first_event_seconds_sum{provider="groq",model="llama"} 0.24`);
});

test("impossible figures of a provider change nothing and fail nothing", async () => {
  const metrics = createForTest();
  const facts = {
    usage: usage({ inputTokens: Number.NaN, outputTokens: -5, reasoningTokens: Infinity }),
    emptyReason: undefined,
  };
  metrics.requestEnd(record({ answeredBy: groq, facts, cost: { ...noCost, totalUsd: Number.NaN } }));
  expect(await metrics.lines("gomodel_tokens_total")).toEqual([]);
  expect(await metrics.lines("gomodel_cost_usd_total")).toEqual([]);
});

test("a request that nobody answered counts no tokens", async () => {
  const metrics = createForTest();
  metrics.requestEnd(record({ facts: { usage: usage({ inputTokens: 3 }), emptyReason: undefined } }));
  expect(await metrics.lines("gomodel_tokens_total")).toEqual([]);
});

test("100,000 models that no provider knows are one series, and so are known ones after the first 1,000", async () => {
  const metrics = createForTest({ isKnownModel: ({ model }) => model.startsWith("known") });
  for (let index = 0; index < 100_000; index++) {
    const target = { providerName: "openai", model: `${index < 2000 ? "known" : "made-up"}-${index}` };
    metrics.turnEnd(turn(target, "succeeded"), "chat-completions", false);
  }
  const lines = await metrics.lines("gomodel_requests_total");
  expect(lines).toHaveLength(1001);
  expect(lines).toContain(
    `gomodel_requests_total{provider="openai",model="other",endpoint="/v1/chat/completions",status_code="200",status_type="success",stream="false"} 99000`,
  );
});

test("the request log's queue and losses are read at the moment of asking", async () => {
  let dropped = 3;
  const metrics = createForTest({ logQueueRows: () => 17, logRowsDropped: () => dropped });
  expect(await metrics.lines("gomodel_log_rows_dropped_total")).toEqual(["gomodel_log_rows_dropped_total 3"]);
  dropped = 5;
  expect(await metrics.lines("gomodel_log_rows_dropped_total")).toEqual(["gomodel_log_rows_dropped_total 5"]);
  expect(await metrics.lines("gomodel_log_queue_rows")).toEqual(["gomodel_log_queue_rows 17"]);
});

test("counters keep their values from one scrape to the next", async () => {
  const metrics = createForTest();
  metrics.turnEnd(turn(openai, "succeeded"), "embeddings", false);
  const first = await metrics.lines("gomodel_requests_total");
  expect(await metrics.lines("gomodel_requests_total")).toEqual(first);
  expect(first[0]).toEndWith(" 1");
});

test("a model name with quotes and line breaks stays one well-formed line", async () => {
  const metrics = createForTest();
  metrics.turnEnd(turn({ providerName: "openai", model: 'a"b\nc\\d' }, "succeeded"), "embeddings", false);
  expect((await metrics.lines("gomodel_requests_total"))[0]).toContain(String.raw`model="a\"b\nc\\d"`);
});

test("the text is Prometheus' own format and has the metrics of the runtime", async () => {
  const { contentType, text } = await createForTest().render();
  expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text).toContain("# TYPE gomodel_requests_in_flight gauge");
  expect(text).toContain("# TYPE gomodel_first_event_seconds histogram");
  expect(Number(linesOf(text, "process_resident_memory_bytes")[0]?.split(" ")[1])).toBeGreaterThan(1_000_000);
});

test("a stream that another target went on with: the first event and each part's tokens are those of who gave them", async () => {
  const metrics = createForTest();
  const part = { target: openai, facts: { usage: usage({ inputTokens: 7, outputTokens: 3 }), emptyReason: undefined } };
  metrics.requestEnd(
    record({
      virtualModel: "smart",
      stream: true,
      answeredBy: groq,
      turns: [turn(openai, "truncated"), turn(groq, "succeeded")],
      firstEventMs: 120,
      facts: { usage: usage({ inputTokens: 10, outputTokens: 4 }), emptyReason: undefined },
      brokenParts: [part],
      streamRecovery: "recovered",
    }),
  );
  expect(await metrics.lines("gomodel_stream_recoveries_total")).toEqual([
    'gomodel_stream_recoveries_total{virtual_model="smart",outcome="recovered"} 1',
  ]);
  expect(await metrics.lines("gomodel_tokens_total")).toEqual([
    'gomodel_tokens_total{provider="openai",model="gpt-5",kind="input"} 7',
    'gomodel_tokens_total{provider="openai",model="gpt-5",kind="output"} 3',
    'gomodel_tokens_total{provider="groq",model="llama",kind="input"} 10',
    'gomodel_tokens_total{provider="groq",model="llama",kind="output"} 4',
  ]);
  const firstEvents = await metrics.lines("gomodel_first_event_seconds");
  expect(firstEvents).toContain('gomodel_first_event_seconds_count{provider="openai",model="gpt-5"} 1');
  expect(firstEvents.join("\n")).not.toContain("groq");
});
