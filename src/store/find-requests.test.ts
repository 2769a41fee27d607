// Each filter finds the rows that it names and no others; pages are newest first.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LogBench } from "../../test/support/request-log.ts";
import { attempt, requestRecord, statusFailure, turn } from "../../test/support/request-record.ts";
import type { RequestQuery } from "./find-requests.ts";
import type { RequestLog } from "./request-log.ts";

const bench = new LogBench();
let log: RequestLog;

const groq = { providerName: "groq", model: "llama-3.1" };

beforeAll(async () => {
  ({ log } = bench.open(bench.path()));
  const records = [
    requestRecord({ requestId: "a", startedAt: 1_000, requestedModel: "smart" }),
    requestRecord({ requestId: "b", startedAt: 2_000, requestedModel: "Smart_er", stream: true, answeredBy: groq }),
    requestRecord({
      requestId: "c",
      // The clock was set back.
      startedAt: 500,
      requestedModel: "smartXer",
      statusCode: 502,
      failure: statusFailure(502, "100% broken\\", "x"),
      answeredBy: undefined,
      turns: [turn({ target: groq, attempts: [attempt({ outcome: "failed" })] })],
    }),
    requestRecord({ requestId: "d", startedAt: 3_000, path: "/v1/embeddings", method: "PUT", clientIp: "192.168.7.7" }),
  ];
  for (const record of records) log.record(record);
  await log.flush();
});
afterAll(() => bench.dispose());

async function found(query: Partial<RequestQuery>): Promise<{ ids: string; total: number }> {
  const page = await log.find({ from: 0, until: 10_000, limit: 10, offset: 0, ...query });
  return { ids: page.rows.map((row) => row.request_id).join(""), total: page.total };
}

const cases: readonly [name: string, query: Partial<RequestQuery>, ids: string][] = [
  ["nothing asked: all, in the order in which they ended", {}, "dcba"],
  ["from is inclusive", { from: 2_000 }, "db"],
  ["until is exclusive", { until: 2_000 }, "ca"],
  ["a time without rows", { from: 5_000 }, ""],
  ["part of a model name in any case", { requestedModel: "SMART" }, "dcba"],
  ["an underscore means itself", { requestedModel: "t_e" }, "b"],
  ["a percent sign means itself", { search: "0% b" }, "c"],
  ["a backslash means itself", { search: "n\\" }, "c"],
  ["the name of a provider", { provider: "openai-eu" }, "da"],
  ["the type of a provider", { provider: "openai" }, "da"],
  ["the provider that was called last without success", { provider: "groq" }, "cb"],
  ["only part of a provider's name", { provider: "open" }, ""],
  ["a method in any case", { method: "put" }, "d"],
  ["part of a path", { path: "embed" }, "d"],
  ["an error type", { errorType: "provider_error" }, "c"],
  ["a status", { statusCode: 502 }, "c"],
  ["streams", { stream: true }, "b"],
  ["no streams", { stream: false }, "dca"],
  ["search in addresses", { search: "192.168" }, "d"],
  ["search in resolved models", { search: "LLAMA" }, "cb"],
  ["search is no SQL", { search: "' OR 1=1 --" }, ""],
  ["two filters at once", { provider: "groq", stream: true }, "b"],
];

test.each(cases)("%s", async (_name, query, ids) => {
  expect(await found(query)).toEqual({ ids, total: ids.length });
});

describe("pages", () => {
  test("limit and offset choose rows, the total stays", async () => {
    expect(await found({ limit: 2 })).toEqual({ ids: "dc", total: 4 });
    expect(await found({ limit: 2, offset: 3 })).toEqual({ ids: "a", total: 4 });
    expect(await found({ limit: 2, offset: 4 })).toEqual({ ids: "", total: 4 });
    expect(await found({ limit: 1, offset: 1, provider: "groq" })).toEqual({ ids: "b", total: 2 });
  });

  test("lists never read bodies", async () => {
    const { rows } = await log.find({ from: 0, until: 10_000, limit: 1, offset: 0 });
    expect(rows[0]).not.toHaveProperty("requestBody");
  });
});
