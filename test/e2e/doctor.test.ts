// `gomodel doctor --faults` as its users run it: right rows, nothing sent to a real provider, nothing left behind.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGomodel } from "../support/gateway-process.ts";

interface Row {
  readonly model: string;
  readonly situation: string;
  readonly fault: string;
  readonly mode: string;
  readonly verdict: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly ms: number;
  readonly [detail: string]: unknown;
}

interface Report {
  readonly rows: readonly Row[];
  readonly summary: Readonly<Record<string, number>>;
  readonly circuit_breakers: readonly { readonly events: readonly string[] }[];
}

let folder = "";
let trapped = 0;
const trap = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open: () => void trapped++,
    data: () => {},
  },
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gomodel doctor "));
  const trapUrl = `http://127.0.0.1:${trap.port}`;
  writeFileSync(
    join(folder, "config.yaml"),
    `
server: { master_key: hidden-master }
providers:
  openai: { type: openai, api_key: hidden-key, base_url: "${trapUrl}/v1" }
  azure: { type: azure, api_key: hidden-key, base_url: "${trapUrl}", proxy_url: "${trapUrl}" }
  claude: { type: anthropic, api_key: hidden-key, models: [claude-sonnet-4-5] }
  google: { type: gemini, api_key: hidden-key, models: [gemini-2.5-pro] }
virtual_models:
  - { source: smart, strategy: failover, targets: [openai/gpt-4o, azure/gpt-4o] }
  - { source: alone, targets: [openai/gpt-4o] }
  - { source: foreign, strategy: failover, targets: [claude/claude-sonnet-4-5, google/gemini-2.5-pro] }
`,
  );
});
afterAll(() => {
  trap.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

async function doctor(...args: readonly string[]) {
  const begun = performance.now();
  const env = { HTTP_PROXY: `http://127.0.0.1:${trap.port}`, SQLITE_PATH: join(folder, "gomodel.db") };
  const ran = await runGomodel(["doctor", "--faults", ...args], folder, env);
  return { ...ran, ms: performance.now() - begun };
}

async function report(...args: readonly string[]): Promise<Report> {
  const { stdout, stderr, exitCode } = await doctor("--json", ...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const parsed: Report = JSON.parse(stdout);
  return parsed;
}

describe("two targets, the limits of the defaults", () => {
  test("every fault in both situations, none wrong, in bounded time", async () => {
    const { stdout, exitCode, stderr, ms } = await doctor("--json", "--model", "smart");
    expect([exitCode, stderr]).toEqual([0, ""]);
    const { rows, summary }: Report = JSON.parse(stdout);
    expect(rows.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
    expect(summary).toMatchObject({ requests: rows.length, wrong: 0 });
    expect(rows.length).toBeGreaterThan(1000);
    expect(summary["rescued"]).toBeGreaterThan(250);
    console.log(`${rows.length} requests in ${(ms / 1000).toFixed(1)} s`);
    // Ten times what it takes on two cores.
    expect(ms).toBeLessThan(115_000);
  }, 120_000);

  test("providers of other dialects are spoken to in these, with the faults that they can have", async () => {
    const words = [
      "ok-3",
      "status-503",
      "cut-after-3-words~end=fin",
      "redacted-reasoning",
      "done-twice",
      "finish-error",
    ];
    const { rows } = await report("--model", "foreign", ...words.flatMap((word) => ["--fault", word]));
    const told = rows.map(({ situation, fault, mode, outcome }) => [situation, fault, mode, outcome].join(" "));
    expect(told.toSorted((left, right) => left.localeCompare(right))).toEqual([
      "all-faulty cut-after-3-words~end=fin stream cut",
      "all-faulty ok-3 buffered whole",
      "all-faulty ok-3 stream whole",
      "all-faulty status-503 buffered error",
      "all-faulty status-503 stream error",
      "first-faulty cut-after-3-words~end=fin stream cut",
      "first-faulty done-twice stream whole",
      "first-faulty ok-3 buffered whole",
      "first-faulty ok-3 stream whole",
      "first-faulty redacted-reasoning buffered whole",
      "first-faulty redacted-reasoning stream whole",
      "first-faulty status-503 buffered whole",
      "first-faulty status-503 stream whole",
    ]);
  });

  test("the rows have what the pages promise, in real time", async () => {
    const words = ["status-503", "hang-before-answer", "slow-first", "cut-after-4~end=clean", "heartbeats-middle"];
    const { rows, circuit_breakers: breakers } = await report(
      "--model",
      "smart",
      ...words.flatMap((word) => ["--fault", word]),
      ...["--fault", "status-429@1~retry-after=2", "--fault", "status-503-hanging"],
    );
    const row = (situation: string, fault: string, mode: string): Row | undefined =>
      rows.find((one) => one.situation === situation && one.fault === fault && one.mode === mode);
    const whole = { outcome: "whole", verdict: "rescued" };

    // Three retries after 1, 2 and 4 s, then the other target.
    const overloaded = row("first-faulty", "status-503", "buffered");
    expect(overloaded).toMatchObject({ ...whole, from: "azure/gpt-4o", attempts: 5 });
    expect(overloaded?.ms).toBeGreaterThan(6000);
    expect(overloaded?.ms).toBeLessThan(9000);
    expect(row("first-faulty", "status-503", "stream")).toMatchObject({ ...whole, from: "azure/gpt-4o", attempts: 2 });
    expect(row("all-faulty", "status-503", "buffered")).toMatchObject({
      outcome: "error",
      verdict: "honest",
      status: 503,
      type: "provider_error",
      message: "simulated status 503",
      attempts: 8,
    });

    // HTTP_TIMEOUT is 600 s.
    const silent = row("first-faulty", "hang-before-answer", "buffered");
    expect(silent).toMatchObject({ ...whole, from: "azure/gpt-4o", attempts: 2 });
    expect(silent?.ms).toBeGreaterThanOrEqual(600_000);
    expect(silent?.ms).toBeLessThan(605_000);
    expect(row("all-faulty", "hang-before-answer", "stream")).toMatchObject({ outcome: "error", status: 504 });

    const slow = row("first-faulty", "slow-first-30000", "stream");
    expect(slow).toMatchObject({ outcome: "whole", verdict: "harmless", from: "openai/gpt-4o", attempts: 1 });
    expect(slow?.ms).toBeGreaterThanOrEqual(30_000);

    expect(row("first-faulty", "cut-after-4~end=clean", "stream")).toMatchObject({
      outcome: "cut",
      verdict: "honest",
      code: "stream_incomplete",
      attempts: 1,
    });
    expect(row("first-faulty", "heartbeats-middle-15000", "stream")).toMatchObject({ outcome: "endless", begun: true });

    const limited = row("first-faulty", "status-429@1~retry-after=2", "buffered");
    expect(limited).toMatchObject({ ...whole, from: "openai/gpt-4o", attempts: 2 });
    expect(limited?.ms).toBeGreaterThanOrEqual(2000);

    // An error body gets 2 s, which no setting names: the status is told, not a timeout.
    expect(row("all-faulty", "status-503-hanging", "stream")).toMatchObject({ outcome: "error", status: 503 });

    expect(breakers).toHaveLength(1);
    expect(breakers[0]?.events).toEqual([
      "after 5 times status-503 in a row it opens for all of openai; the next request does not call openai/gpt-4o: whole answer from azure/gpt-4o (1 attempt, at once)",
      "30 s later, openai/gpt-4o healthy again: whole answer from openai/gpt-4o (1 attempt, at once)",
    ]);
  }, 60_000);

  test("the table names the models, the durations and the sum", async () => {
    const { stdout, exitCode } = await doctor("--fault", "status-503");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ {2}http\.timeout +10 min +1 s$/m);
    expect(stdout).toContain("smart = openai/gpt-4o, azure/gpt-4o (failover)\n");
    expect(stdout).toContain("openai/gpt-4o is faulty, the other is healthy\n");
    expect(stdout).toContain("alone = openai/gpt-4o (round_robin)\n");
    expect(stdout).toContain("10 requests in ");
    expect(stdout).toContain("0 whole at the first attempt, 4 rescued, 6 honest errors, 0 wrong.\n");
    expect(stdout).not.toContain("hidden");
  });
});

test("under strong broken streams go on at targets that take the text up, that repeat it and that start afresh, none wrong", async () => {
  const trapUrl = `http://127.0.0.1:${trap.port}/v1`;
  writeFileSync(
    join(folder, "strong.yaml"),
    `
resilience: { profile: strong }
providers:
  first: { type: openai, api_key: hidden-key, base_url: "${trapUrl}" }
  local: { type: vllm, base_url: "${trapUrl}" }
  echoing: { type: mistral, api_key: hidden-key, base_url: "${trapUrl}" }
virtual_models:
  - { source: taken-up, strategy: failover, targets: [first/gpt, local/qwen] }
  - { source: repeated, strategy: failover, targets: [first/gpt, echoing/small] }
  - { source: afresh, strategy: failover, targets: [local/qwen, first/qwen] }
`,
  );
  const faults = ["cut-after", "error-middle", "finish-error", "reset-in-body", "hang-in-body"];
  const { rows, summary } = await report("--config", "strong.yaml", ...faults.flatMap((fault) => ["--fault", fault]));
  expect(summary["wrong"]).toBe(0);
  const seen = (model: string, situation: string) =>
    rows.find(
      (row) =>
        row.model === model &&
        row.situation === situation &&
        row.fault === "cut-after-4~end=reset" &&
        row.mode === "stream",
    );
  expect(seen("taken-up", "first-faulty")).toMatchObject({
    outcome: "whole",
    from: "local/qwen",
    begunBy: "first/gpt",
  });
  expect(seen("repeated", "first-faulty")).toMatchObject({ outcome: "whole", from: "echoing/small" });
  expect(seen("afresh", "first-faulty")).toMatchObject({ outcome: "whole", from: "first/qwen" });
  expect(seen("taken-up", "all-faulty")).toMatchObject({ outcome: "cut", code: "stream_incomplete" });
}, 60_000);

test("a concrete model may be named, listed or not", async () => {
  const { rows } = await report("--model", "azure/some-deployment", "--fault", "ok-3");
  expect(rows).toMatchObject([
    { model: "azure/some-deployment", mode: "buffered", from: "azure/some-deployment" },
    { model: "azure/some-deployment", mode: "stream", from: "azure/some-deployment" },
  ]);
});

describe("what cannot be examined", () => {
  test.each([
    [["--model", "smrt"], 2, 'did you mean "smart"?; there are: smart, alone'],
    [["--fault", "sttus-503"], 2, 'no fault named "sttus-503"; did you mean "status-503"?'],
    [["--config", "none.yaml"], 1, "there is no file none.yaml"],
  ])("%j exits with %d: %s", async (args, code, message) => {
    const { exitCode, stdout, stderr } = await doctor(...args);
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toContain(message);
  });

  test("a configuration with errors gives the problems of --check", async () => {
    writeFileSync(
      join(folder, "bad.yaml"),
      "virtual_models:\n  - { source: a, targets: [b] }\n  - { source: b, targets: [a] }\n",
    );
    const [check, examined] = await Promise.all([
      runGomodel(["--check", "--config", "bad.yaml"], folder),
      runGomodel(["doctor", "--faults", "--config", "bad.yaml"], folder),
    ]);
    expect(examined).toEqual(check);
    expect(check.exitCode).toBe(1);
  });

  test("without a provider it says so", async () => {
    writeFileSync(join(folder, "empty.yaml"), "server: { port: 9000 }\n");
    const { exitCode, stderr } = await doctor("--config", "empty.yaml");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("no provider is configured")]);
  });
});

test("no real provider and no proxy was ever called, and nothing was stored", () => {
  expect(trapped).toBe(0);
  // The runtime keeps a cache of its own beside them.
  const left = readdirSync(folder).filter((name) => name !== ".bun");
  expect(left.toSorted()).toEqual(["bad.yaml", "config.yaml", "empty.yaml", "strong.yaml"]);
});
