// Old rows go a thousand at a time, when it is time, and take their bodies with them.

import type { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { FakeClock, settle } from "../../test/support/fake-clock.ts";
import { LogBench } from "../../test/support/request-log.ts";
import { requestRecord } from "../../test/support/request-record.ts";
import { addBodyBytes, storedBodyBytes } from "./body-store.ts";
import { openDatabase } from "./database.ts";
import { createInsertRows } from "./insert-rows.ts";
import { logRow } from "./log-row.ts";
import { deleteExpired } from "./retention.ts";
import { RetentionSweep } from "./retention-sweep.ts";
import { writeBatch } from "./write-batch.ts";

const bench = new LogBench();
afterEach(() => bench.dispose());

const dayMs = 86_400_000;

/** Rows that started at these times, in this order, each with this body. */
function databaseWith(times: readonly number[], body = new Uint8Array([123, 125])): Database {
  const sqlite = openDatabase(bench.path());
  const rows = times.map((startedAt) =>
    logRow(
      requestRecord({ startedAt }),
      { requestCut: false, responseCut: false, dropped: false },
      { logHeaders: false, providerTypeOf: () => undefined },
    ),
  );
  const bodies = rows.map((_, index) => ({ index, request: body, response: undefined }));
  const values = rows.map((row) => JSON.parse(row.values));
  const data = rows.map((row) => Buffer.from(row.data));
  writeBatch(sqlite, createInsertRows(sqlite), { writer: "w", firstSequence: 0, values, data, bodies }, 0);
  return sqlite;
}

/** Bytes of all bodies. */
function sizes(sqlite: Database): number {
  const bytes = "SELECT (SELECT sum(size) FROM request_bodies) + (SELECT sum(size) FROM body_blocks) AS n";
  return sqlite.query<{ n: number }, []>(bytes).get()?.n ?? -1;
}

function countOf(sqlite: Database, table: "requests" | "log_writers"): number {
  return sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;
}

describe("a step", () => {
  test("deletes a thousand expired rows, and says whether there are more", () => {
    const sqlite = databaseWith([...Array.from({ length: 2_300 }, (_, index) => index), ...Array(200).fill(dayMs)]);
    const left: [number, boolean][] = [];
    for (let step = 0; step < 4; step++) {
      const more = deleteExpired(sqlite, dayMs, 0);
      left.push([countOf(sqlite, "requests"), more]);
    }
    expect(left).toEqual([
      [1_500, true],
      [500, true],
      [200, false],
      [200, false],
    ]);
    sqlite.close();
  });

  test("deletes bodies with the last row of their block, those of earlier versions with their row", () => {
    const big = crypto.getRandomValues(new Uint8Array(300_000));
    const sqlite = databaseWith([1, 2, 3, dayMs, dayMs, 4], big);
    sqlite.exec("INSERT INTO request_bodies VALUES (1, 1000, x'00', NULL), (4, 100, x'00', NULL)");
    addBodyBytes(sqlite, 1_100);
    const blocksOf = () => sqlite.query<unknown, []>("SELECT first_id, last_id FROM body_blocks").all();
    expect(blocksOf()).toEqual([
      { first_id: 1, last_id: 2 },
      { first_id: 3, last_id: 4 },
      { first_id: 5, last_id: 6 },
    ]);
    deleteExpired(sqlite, dayMs, 0);
    expect(blocksOf()).toEqual([
      { first_id: 3, last_id: 4 },
      { first_id: 5, last_id: 6 },
    ]);
    expect(sqlite.query<unknown, []>("SELECT id FROM request_bodies").all()).toEqual([{ id: 4 }]);
    expect(storedBodyBytes(sqlite)).toBe(sizes(sqlite));

    deleteExpired(sqlite, dayMs + 1, 0);
    expect(blocksOf()).toEqual([]);
    expect(storedBodyBytes(sqlite)).toBe(0);
    sqlite.close();
  });

  test("finds expired rows behind rows from a clock that went wrong", () => {
    const sqlite = databaseWith([9 * dayMs, 1, 2, 9 * dayMs, 3]);
    expect(deleteExpired(sqlite, dayMs, 0)).toBe(false);
    expect(countOf(sqlite, "requests")).toBe(2);
    sqlite.close();
  });

  test("forgets processes that have not written for a day", () => {
    const sqlite = databaseWith([1]);
    deleteExpired(sqlite, 0, dayMs);
    expect(countOf(sqlite, "log_writers")).toBe(1);
    deleteExpired(sqlite, 0, dayMs + 1);
    expect(countOf(sqlite, "log_writers")).toBe(0);
    sqlite.close();
  });
});

describe("the sweep", () => {
  function sweepOf(retentionDays: number, steps: number) {
    const clock = new FakeClock(100 * dayMs);
    const asked: { at: number; before: number | undefined }[] = [];
    const sweep = new RetentionSweep({
      clock,
      retentionDays,
      step: async (before) => {
        asked.push({ at: clock.now(), before });
        return { ok: true, value: { more: asked.length < steps } };
      },
    });
    sweep.start();
    return { clock, asked, sweep };
  }

  test("begins a minute after the start, goes on in steps with pauses, and comes again every hour", async () => {
    const { clock, asked } = sweepOf(30, 3);
    await clock.advance(59_999);
    expect(asked.length).toBe(0);
    await clock.advance(3_700_000);
    expect(asked.map((step) => step.at)).toEqual([60_000, 60_050, 60_100, 3_660_100]);
    expect(asked[0]?.before).toBe(70 * dayMs + 60_000);
  });

  test("with a retention of 0 deletes no rows", async () => {
    const { clock, asked } = sweepOf(0, 1);
    await clock.advance(60_000);
    expect(asked).toEqual([{ at: 60_000, before: undefined }]);
  });

  test("leaves no timer behind when it is stopped", async () => {
    const { clock, sweep } = sweepOf(30, 9);
    await clock.advance(60_000);
    sweep.stop();
    await settle();
    expect(clock.pending).toBe(0);
  });
});
