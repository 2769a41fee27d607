import { describe, expect, test } from "bun:test";
import type { Finding, Findings } from "./findings.ts";
import { groupFindings } from "./group-findings.ts";
import { jsonReport } from "./json-report.ts";
import type { CallOutcome } from "./outcome.ts";
import { reportText } from "./report.ts";

const rescue: CallOutcome = { kind: "whole", from: "b/m", begunBy: undefined, attempts: 5, ms: 7020 };
const atOnce: CallOutcome = { kind: "whole", from: "a/m", begunBy: undefined, attempts: 1, ms: 4 };
const cut: CallOutcome = { kind: "cut", code: "stream_incomplete", message: "x", attempts: 1, ms: 4 };
const refused = (status: number): CallOutcome => ({
  kind: "error",
  status,
  type: "invalid_request_error",
  code: null,
  message: `simulated status ${status}`,
  retryAfter: undefined,
  attempts: 1,
  ms: 4,
});
const wrong: CallOutcome = { kind: "wrong", why: "BROKEN SILENTLY: no end", attempts: 1, ms: 4 };

function finding(family: string, fault: string, mode: Finding["mode"], outcome: CallOutcome): Finding {
  return { model: "smart", situation: "first-faulty", family, fault, mode, outcome };
}

const some: readonly Finding[] = [
  finding("Connections", "fin-in-body", "buffered", rescue),
  finding("Connections", "fin-in-body", "stream", cut),
  finding("Statuses", "status-400", "buffered", refused(400)),
  finding("Statuses", "status-400", "stream", refused(400)),
  finding("Statuses", "status-402", "buffered", refused(402)),
  finding("Statuses", "status-402", "stream", refused(402)),
  finding("Healthy", "ok", "buffered", atOnce),
  finding("Healthy", "ok", "stream", atOnce),
  finding("Connections", "reset-in-body", "buffered", { ...rescue, ms: 7900 }),
  finding("Connections", "reset-in-body", "stream", cut),
];

const all = (findings: readonly Finding[]): Findings => ({
  configFile: "config.yaml",
  durations: [
    { path: "http.timeout", ms: 600_000 },
    { path: "server.request_deadline", ms: 0 },
  ],
  speed: 600,
  notes: ["gpt is taken to be served by a"],
  models: [{ name: "smart", strategy: "failover", failover: true, targets: ["a/m", "b/m"] }],
  findings,
  breakers: [{ model: "smart", target: "a/m", events: ["off: called every time"] }],
  tookMs: 2100,
});

describe("rows", () => {
  test("faults of a family that end alike in both modes share one, whatever their times", () => {
    const rows = groupFindings(some).map(({ family, rows: group }) => [family, group.map(({ faults }) => faults)]);
    expect(rows).toEqual([
      ["Connections", [["fin-in-body", "reset-in-body"]]],
      ["Statuses", [["status-400", "status-402"]]],
      ["Harmless", [["ok"]]],
    ]);
  });

  test("an error that is not the provider's own status is not mixed with another one", () => {
    const found = [502, 504].map((status) =>
      finding("Cuts", `cut-${status === 502 ? "a" : "b"}`, "stream", refused(status)),
    );
    expect(groupFindings(found)[0]?.rows).toHaveLength(2);
  });

  test("what is whole but took 30 s stays in its family", () => {
    const slow = finding("Slow", "slow-first-30000", "stream", { ...atOnce, ms: 30_000 });
    expect(groupFindings([slow]).map(({ family }) => family)).toEqual(["Slow"]);
  });
});

test("the report has the durations, the table, the breaker and the sum", () => {
  const text = reportText(all(some));
  expect(text).toBe(`Configuration file: config.yaml
Every provider is simulated on the loopback address; nothing is sent anywhere else and nothing is stored.
Durations: time passes up to 600 times faster, and is told as it really would be.

  Setting       Real      Here
  http.timeout  10 min    1 s
  off: server.request_deadline
Note: gpt is taken to be served by a.

smart = a/m, b/m (failover)
===========================

a/m is faulty, the other is healthy

Fault                                 Buffered                                  Stream
------------------------------------  ----------------------------------------  ----------------------------------------
Connections
  fin-in-body, reset-in-body          whole answer from b/m (5 attempts, 7-8    stream: cut, said so: stream_incomplete
                                      s)                                        (1 attempt, at once)
Statuses
  status-400, status-402              error 400, 402 invalid_request_error:     error 400, 402 invalid_request_error:
                                      simulated status 400 (1 attempt, at       simulated status 400 (1 attempt, at
                                      once)                                     once)
Harmless
  ok                                  whole answer from a/m (1 attempt, at      whole answer from a/m (1 attempt, at
                                      once)                                     once)

Circuit breaker of a/m

  - off: called every time

10 requests in 2.1 s: 2 whole at the first attempt, 2 rescued, 6 honest errors, 0 wrong.
`);
});

test("a wrong answer is loud", () => {
  const text = reportText(all([finding("Cuts", "cut-after-4", "stream", wrong)]));
  expect(text).toContain("WRONG: BROKEN SILENTLY: no end (1");
  expect(text).toContain("1 wrong.\n\nWRONG ANSWERS WERE PASSED OFF AS RIGHT ONES");
});

test("--json has a row for every request, with real and scaled durations", () => {
  const report: unknown = JSON.parse(jsonReport(all(some)));
  expect(report).toMatchObject({
    config_file: "config.yaml",
    speed: 600,
    durations: [
      { setting: "http.timeout", real_ms: 600_000, scaled_ms: 1000 },
      { setting: "server.request_deadline", real_ms: 0, scaled_ms: 0 },
    ],
    rows: {
      length: 10,
      0: { fault: "fin-in-body", verdict: "rescued", outcome: "whole", attempts: 5, ms: 7020, from: "b/m" },
    },
    summary: { requests: 10, harmless: 2, rescued: 2, honest: 6, endless: 0, wrong: 0 },
  });
});
