// What was recorded is what can be read again, from a real database file.

import { afterEach, describe, expect, test } from "bun:test";
import { LogBench, allRows, requestIdsIn } from "../../test/support/request-log.ts";
import {
  attempt,
  keptHeaders,
  recordStart,
  requestRecord,
  statusFailure,
  turn,
} from "../../test/support/request-record.ts";
import { Failure } from "../core/failure.ts";
import { maxBodyBytes } from "./captured-bodies.ts";

const bench = new LogBench();
afterEach(() => bench.dispose());

const encoder = new TextEncoder();

describe("a row", () => {
  test("has every value that was recorded", async () => {
    const { log } = bench.open(bench.path());
    log.record(
      requestRecord({
        requestId: "req-ä\u0000\ud800",
        stream: true,
        firstEventMs: 3.25,
        turns: [
          turn({
            outcome: "skipped",
            attempts: [],
            failure: new Failure({
              origin: "circuit-open",
              status: 503,
              type: "provider_error",
              message: "open",
              code: "circuit_open",
            }),
          }),
          turn({
            target: { providerName: "groq", model: "llama/3" },
            outcome: "failed",
            attempts: [
              attempt({
                kind: "failover",
                outcome: "failed",
                statusCode: 503,
                failure: statusFailure(503, "busy", "b"),
              }),
              attempt({ kind: "retry", outcome: "failed", statusCode: 500, failure: statusFailure(500, "broke") }),
            ],
          }),
          turn({
            target: { providerName: "groq", model: "llama-4" },
            attempts: [attempt({ kind: "failover", durationMs: 7.1234567, firstEventMs: 2.5 })],
          }),
        ],
        answeredBy: { providerName: "groq", model: "llama-4" },
      }),
    );
    await log.flush();
    const { rows, total } = await allRows(log);
    expect(total).toBe(1);
    expect(rows[0]).toEqual({
      id: 1,
      started_at: recordStart,
      duration_ns: 15_250_000,
      status_code: 200,
      stream: 1,
      request_id: "req-ä\u0000\ufffd",
      method: "POST",
      path: "/v1/chat/completions",
      client_ip: "10.0.0.12",
      auth_method: "master_key",
      requested_model: "smart",
      virtual_model: "smart",
      provider_name: "groq",
      provider_type: "groq",
      resolved_model: "llama-4",
      error_type: null,
      error_message: null,
      input_tokens: 120,
      output_tokens: 45,
      total_tokens: 165,
      cached_input_tokens: 64,
      cache_write_tokens: 0,
      reasoning_tokens: 7,
      input_cost: 0.000018,
      output_cost: 0.000027,
      total_cost: 0.000045,
      cost_source: "model_pricing",
      first_event_ms: 3.25,
      data: {
        user_agent: "OpenAI/JS 6.49.0",
        api_key_hash: "0123456789abcdef",
        failover_target: "groq/llama-4",
        attempts: [
          [
            "openai-eu",
            "gpt-4o-mini",
            1,
            "first",
            "skipped",
            recordStart,
            0,
            503,
            null,
            "provider_error",
            "circuit_open",
            "open",
          ],
          ["groq", "llama/3", 2, "failover", "failed", recordStart, 12.5, 503, null, "provider_error", "b", "busy"],
          ["groq", "llama/3", 2, "retry", "failed", recordStart, 12.5, 500, null, "provider_error", null, "broke"],
          ["groq", "llama-4", 3, "failover", "succeeded", recordStart, 7.123, 200, 2.5],
        ],
      },
    });
  });

  test("of a failed request names the target that was called last, and has neither usage nor cost", async () => {
    const { log } = bench.open(bench.path());
    const failure = statusFailure(502, "no answer", "bad_answer");
    log.record(
      requestRecord({
        turns: [
          turn({ attempts: [attempt({ outcome: "failed", statusCode: 502, failure })], outcome: "failed" }),
          turn({ target: { providerName: "groq", model: "x" }, attempts: [], outcome: "skipped" }),
        ],
        answeredBy: undefined,
        statusCode: 502,
        failure,
        streamError: "cut",
        facts: undefined,
        cost: undefined,
      }),
    );
    await log.flush();
    const row = (await allRows(log)).rows[0];
    expect(row).toMatchObject({
      provider_name: "openai-eu",
      provider_type: "openai",
      resolved_model: "gpt-4o-mini",
      status_code: 502,
      error_type: "provider_error",
      error_message: "no answer",
      input_tokens: null,
      total_cost: null,
    });
    expect(row?.data).toMatchObject({ error_code: "bad_answer", stream_error: "cut" });
    expect(row?.data.failover_target).toBeUndefined();
  });

  test("keeps unknown cost and free apart", async () => {
    const { log } = bench.open(bench.path());
    for (const usd of [null, 0]) {
      const caveat = "unmapped token field: x";
      log.record(requestRecord({ cost: { inputUsd: usd, outputUsd: usd, totalUsd: usd, source: null, caveat } }));
    }
    await log.flush();
    const { rows } = await allRows(log);
    expect(rows.map((row) => row.total_cost)).toEqual([0, null]);
    expect(rows[0]?.data.cost_caveat).toBe("unmapped token field: x");
  });

  test("never has the query of its path", async () => {
    const { log } = bench.open(bench.path());
    log.record(requestRecord({ path: "/v1/chat/completions?api_key=c4n4ry" }));
    await log.flush();
    expect((await allRows(log)).rows[0]?.path).toBe("/v1/chat/completions");
  });
});

describe("which requests leave a row", () => {
  test("only model routes, unless all are wanted", async () => {
    const some = bench.open(bench.path()).log;
    const all = bench.open(bench.path(), { onlyModelInteractions: false }).log;
    for (const log of [some, all]) {
      log.record(requestRecord({ requestId: "listing", modelRoute: false }));
      log.record(requestRecord({ requestId: "chat" }));
      await log.flush();
    }
    expect((await allRows(some)).rows.map((row) => row.request_id)).toEqual(["chat"]);
    expect((await allRows(all)).rows.map((row) => row.request_id)).toEqual(["chat", "listing"]);
  });

  test("none with the log disabled, and a question says how to enable it", async () => {
    const path = bench.path();
    const { log } = bench.open(path, { enabled: false });
    log.record(requestRecord());
    await log.flush();
    expect(await Bun.file(path).exists()).toBe(false);
    expect([log.queuedRows, log.droppedRows, log.ready()]).toEqual([0, 0, "ok"]);
    expect(await log.find({ from: 0, until: 1, limit: 1, offset: 0 }).catch(thrown)).toMatchObject({
      status: 503,
      code: "feature_unavailable",
      message: "the request log is disabled: set LOGGING_ENABLED=true",
    });
  });
});

describe("bodies and headers", () => {
  test("are stored as they were, credentials excepted, and parameters are read from the request", async () => {
    const path = bench.path();
    const { log } = bench.open(path);
    const request = { model: "smart", temperature: 0.2, max_tokens: 50, api_key: "c4n4ry-1", messages: ["grüße"] };
    log.record(
      requestRecord({
        requestBody: encoder.encode(JSON.stringify(request)),
        responseBody: [encoder.encode("data: eins\n\n"), encoder.encode("data: [DONE]\n\n")],
        requestHeaders: keptHeaders({ authorization: "Bearer c4n4ry-2", "content-type": "application/json" }),
        responseHeaders: { "set-cookie": "c4n4ry-3", "x-ratelimit-remaining-tokens": "9" },
        failure: statusFailure(401, "key sk-c4n4ry-444444 refused"),
        streamError: "sk-c4n4ry-555555",
        turns: [turn({ attempts: [attempt({ failure: statusFailure(401, "key sk-c4n4ry-666666 refused") })] })],
      }),
    );
    await log.flush();
    const detail = await log.detail(1);
    expect(JSON.parse(detail?.requestBody ?? "")).toEqual({ ...request, api_key: "[REDACTED]" });
    expect(detail?.responseBody).toBe("data: eins\n\ndata: [DONE]\n\n");
    expect(detail?.data).toMatchObject({
      temperature: 0.2,
      max_tokens: 50,
      request_headers: { authorization: "[REDACTED]", "content-type": "application/json" },
      response_headers: { "set-cookie": "[REDACTED]", "x-ratelimit-remaining-tokens": "9" },
    });
    await log.close();
    const files = [path, `${path}-wal`].map((name) => Bun.file(name));
    for (const file of files) {
      if (await file.exists()) expect(Buffer.from(await file.bytes()).includes("c4n4ry")).toBe(false);
    }
  });

  test("are not stored when they are not to be logged", async () => {
    const { log } = bench.open(bench.path(), { logBodies: false, logHeaders: false });
    log.record(requestRecord({ requestBody: encoder.encode("{}"), requestHeaders: keptHeaders({ a: "b" }) }));
    await log.flush();
    const detail = await log.detail(1);
    expect(detail?.requestBody).toBeUndefined();
    expect(detail?.data.request_headers).toBeUndefined();
    expect(detail?.data.bodies_dropped).toBeUndefined();
  });

  test("beyond one megabyte only the beginning is stored and the row says so", async () => {
    const { log } = bench.open(bench.path());
    log.record(
      requestRecord({
        requestBody: encoder.encode("x".repeat(maxBodyBytes - 1) + "ä"),
        responseBody: [encoder.encode("short")],
      }),
    );
    await log.flush();
    const detail = await log.detail(1);
    expect(detail?.requestBody).toBe("x".repeat(maxBodyBytes - 1));
    expect(detail?.data.request_body_cut).toBe(true);
    expect(detail?.responseBody).toBe("short");
    expect(detail?.data.response_body_cut).toBeUndefined();
  });

  test("give way before rows do when memory is short", async () => {
    const { log } = bench.open(bench.path(), { bufferBytes: 200_000 });
    for (let index = 0; index < 3; index++) log.record(requestRecord({ requestBody: new Uint8Array(90_000).fill(65) }));
    expect(log.droppedRows).toBe(0);
    await log.flush();
    const dropped = (await allRows(log)).rows.map((row) => row.data.bodies_dropped);
    expect(dropped).toEqual([true, undefined, undefined]);
    expect((await log.detail(3))?.requestBody).toBeUndefined();
    expect((await log.detail(2))?.requestBody?.length).toBe(90_000);
  });

  test("in all stay below their limit, and the oldest are the ones that go", async () => {
    const { log } = bench.open(bench.path(), { maxBodyStorageBytes: 2_000_000 });
    for (let index = 0; index < 40; index++) {
      log.record(requestRecord({ requestBody: crypto.getRandomValues(new Uint8Array(100_000)) }));
    }
    await log.flush();
    const kept: number[] = [];
    for (let id = 1; id <= 40; id++) if ((await log.detail(id))?.requestBody !== undefined) kept.push(id);
    // Six of them are a block, which stays or goes as a whole.
    expect(kept).toEqual(Array.from({ length: 16 }, (_, index) => 25 + index));
    expect((await allRows(log)).total).toBe(40);
  });
});

describe("many rows", () => {
  test("of any number up to a few batches all arrive, once and in order", async () => {
    const path = bench.path();
    const { log } = bench.open(path);
    const expected: string[] = [];
    for (const count of [1, 9, 10, 11, 100, 237]) {
      for (let row = 0; row < count; row++) {
        const requestId = `req-${expected.length}`;
        expected.push(requestId);
        log.record(requestRecord({ requestId }));
      }
      await log.flush();
    }
    expect(requestIdsIn(path)).toEqual(expected);
    expect([log.queuedRows, log.droppedRows]).toEqual([0, 0]);
  });

  test("a row that the database refuses costs none of its batch", async () => {
    const { log, lines } = bench.open(bench.path());
    for (let row = 0; row < 100; row++) {
      const requestId = `req-${row}`;
      log.record(requestRecord({ requestId, startedAt: row === 41 ? Number.NaN : recordStart }));
    }
    await log.flush();
    const { rows, total } = await allRows(log);
    expect(total).toBe(99);
    expect(rows.some((row) => row.request_id === "req-41")).toBe(false);
    expect(log.droppedRows).toBe(1);
    expect(lines.map((line) => line.message)).toEqual([
      "rows of the request log were refused by the database and are dropped",
    ]);
  });

  test("a row that cannot even be read costs none of its batch", async () => {
    const { log } = bench.open(bench.path());
    const broken = requestRecord({
      facts: {
        emptyReason: undefined,
        get usage(): never {
          throw new Error("parsed too late");
        },
      },
    });
    for (const record of [requestRecord({ requestId: "a" }), broken, requestRecord({ requestId: "b" })])
      log.record(record);
    await log.flush();
    expect((await allRows(log)).rows.map((row) => row.request_id)).toEqual(["b", "a"]);
    expect(log.droppedRows).toBe(1);
  });

  test("close writes what still waits", async () => {
    const path = bench.path();
    const { log } = bench.open(path, { flushIntervalMs: 60_000 });
    for (let row = 0; row < 250; row++) log.record(requestRecord({ requestId: `req-${row}` }));
    await log.close();
    // A connection that was really closed has taken its write-ahead log into the file.
    expect(await Bun.file(`${path}-wal`).exists()).toBe(false);
    expect(requestIdsIn(path).length).toBe(250);
    expect(log.droppedRows).toBe(0);
  });

  test("ids go on after everything was deleted and the file was opened again", async () => {
    const path = bench.path();
    const first = bench.open(path).log;
    first.record(requestRecord());
    await first.close();
    const { Database } = await import("bun:sqlite");
    const outside = new Database(path);
    outside.exec("DELETE FROM requests");
    outside.close();
    const second = bench.open(path).log;
    second.record(requestRecord());
    await second.flush();
    expect((await allRows(second)).rows.map((row) => row.id)).toEqual([2]);
  });
});

/** What a promise was rejected with, to be looked at. */
function thrown(error: unknown): unknown {
  return error;
}
