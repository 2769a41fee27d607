// Requests go on whatever happens to the database, and nothing that was acknowledged is lost or doubled.

import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { LogBench, allRows, requestIdsIn, until } from "../../test/support/request-log.ts";
import { requestRecord } from "../../test/support/request-record.ts";
import { openDatabase } from "./database.ts";
import { DatabaseService } from "./database-service.ts";
import { startDatabaseThread } from "./database-thread.ts";
import type { StartThread, Thread } from "./worker-link.ts";

const bench = new LogBench();
afterEach(() => bench.dispose());

function names(count: number, prefix = "req"): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

test("a lock held by another process costs no row and is told of once", async () => {
  const path = bench.path();
  const { log, lines } = bench.open(path);
  await log.flush();
  const other = new Database(path);
  other.exec("BEGIN IMMEDIATE");
  for (const requestId of names(500)) log.record(requestRecord({ requestId }));
  await until("the lock is noticed", () => lines.length > 0);
  expect(log.ready()).toBe("degraded");
  expect(log.queuedRows).toBe(500);
  expect((await allRows(log)).total).toBe(0);
  other.exec("ROLLBACK");
  other.close();
  await log.flush();
  expect(requestIdsIn(path)).toEqual(names(500));
  expect(log.droppedRows).toBe(0);
  expect(log.ready()).toBe("ok");
  expect(lines.map((line) => [line.level, line.message, line.fields?.["code"]])).toEqual([
    [
      "error",
      "the request log cannot be written (another process holds the lock on the database); requests are served, rows wait in memory",
      "SQLITE_BUSY",
    ],
    ["info", "the request log is written again", undefined],
  ]);
});

test("with the database locked and the buffer full, exactly the rows beyond it are dropped", async () => {
  const path = bench.path();
  const { log, lines } = bench.open(path, { bufferRows: 150 });
  await log.flush();
  const other = new Database(path);
  other.exec("BEGIN IMMEDIATE");
  for (const requestId of names(400)) log.record(requestRecord({ requestId }));
  expect(log.droppedRows).toBe(250);
  other.exec("ROLLBACK");
  other.close();
  await log.flush();
  expect(requestIdsIn(path)).toEqual(names(150));
  expect(lines.length).toBe(2);
  expect(lines[1]?.fields).toMatchObject({ dropped_rows: 250 });
});

/** The real database without a thread, so that a test can set what belongs to the connection. */
function reachable(path: string) {
  let current: Database | undefined;
  let readOnly = false;
  const service = new DatabaseService({ path, maxBodyStorageBytes: 1e9 }, (where) => {
    const database = openDatabase(where);
    current = database;
    if (readOnly) database.exec("PRAGMA query_only = 1");
    return database;
  });
  const startThread: StartThread = (events) => ({
    post: (call) => void service.answer(call).then((reply) => events.reply(reply)),
    terminate() {},
  });
  return {
    startThread,
    maxPages: (pages: number) => current?.exec(`PRAGMA max_page_count = ${pages}`),
    forbidWrites() {
      readOnly = true;
      current?.exec("PRAGMA query_only = 1");
    },
    /** For connections to come: the one that is open stays as it is. */
    allowWrites: () => (readOnly = false),
  };
}

test("a full disk: rows wait, those beyond the buffer are dropped and counted, and with room again all others arrive", async () => {
  const path = bench.path();
  const { startThread, maxPages } = reachable(path);
  const { log, lines } = bench.open(path, { bufferRows: 300 }, { startThread });
  for (const requestId of names(100, "early")) log.record(requestRecord({ requestId }));
  await log.flush();
  maxPages(1);
  for (const requestId of names(1_000)) log.record(requestRecord({ requestId }));
  await until("the failure is noticed", () => lines.length > 1);
  expect(log.queuedRows + requestIdsIn(path).length - 100).toBe(300);
  expect(log.droppedRows).toBe(700);
  maxPages(1_000_000);
  await log.flush();
  expect(requestIdsIn(path)).toEqual([...names(100, "early"), ...names(300)]);
  expect(log.droppedRows).toBe(700);
  expect(lines.map((line) => [line.level, line.fields?.["code"]])).toEqual([
    ["warn", undefined],
    ["error", "SQLITE_FULL"],
    ["info", undefined],
  ]);
  expect(lines[2]?.fields).toMatchObject({ dropped_rows: 700 });
});

test("a read-only database: no row is lost, it is told of once and the connection is made anew", async () => {
  const path = bench.path();
  const { startThread, forbidWrites, allowWrites } = reachable(path);
  const { log, lines } = bench.open(path, {}, { startThread });
  await log.flush();
  forbidWrites();
  for (const requestId of names(250)) log.record(requestRecord({ requestId }));
  await until("the failure is noticed", () => lines.length > 0);
  expect((await allRows(log)).total).toBe(0);
  allowWrites();
  await log.flush();
  expect(requestIdsIn(path)).toEqual(names(250));
  expect(lines.map((line) => [line.level, line.fields?.["code"]])).toEqual([
    ["error", "SQLITE_READONLY"],
    ["info", undefined],
  ]);
  expect(log.droppedRows).toBe(0);
});

test("a folder that is a file: the log starts, says so once, and works when the folder is there", async () => {
  const path = bench.path();
  const folder = `${dirname(path)}/data`;
  writeFileSync(folder, "in the way");
  const { log, lines } = bench.open(`${folder}/gomodel.db`);
  for (const requestId of names(3)) log.record(requestRecord({ requestId }));
  await until("the failure is noticed", () => lines.length > 0);
  expect(log.ready()).toBe("degraded");
  expect(await log.find({ from: 0, until: 1, limit: 1, offset: 0 }).catch(thrown)).toMatchObject({
    status: 503,
    code: "storage_unavailable",
  });
  rmSync(folder);
  await log.flush();
  expect(requestIdsIn(`${folder}/gomodel.db`)).toEqual(names(3));
  expect(lines.map((line) => line.level)).toEqual(["error", "info"]);
});

test("a file that is no database is left as it is and said so", async () => {
  const path = bench.path();
  writeFileSync(path, "these are my notes, not a database. ".repeat(100));
  const { log, lines } = bench.open(path);
  await until("the failure is noticed", () => lines.length > 0);
  expect(lines[0]?.fields).toMatchObject({ code: "SQLITE_NOTADB" });
  expect(await Bun.file(path).text()).toStartWith("these are my notes");
  log.record(requestRecord());
  rmSync(path);
  await log.flush();
  expect(requestIdsIn(path)).toEqual(["req-1"]);
});

test("a database that another version has taken further is not touched, and the line says what to do", async () => {
  const path = bench.path();
  const newer = new Database(path);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  const { lines } = bench.open(path);
  await until("the failure is noticed", () => lines.length > 0);
  expect(lines[0]?.fields?.["error"]).toBe(
    "the database has schema version 99, this version of GoModel knows 2: start the newer version, or set SQLITE_PATH to another file",
  );
});

test("a database that vanishes under the log is made anew, and only what it had is gone", async () => {
  const path = bench.path();
  const { log } = bench.open(path);
  log.record(requestRecord({ requestId: "before" }));
  await log.flush();
  rmSync(dirname(path), { recursive: true });
  log.record(requestRecord({ requestId: "after" }));
  await log.flush();
  expect(log.droppedRows).toBe(0);
  expect(requestIdsIn(path)).toEqual(["after"]);
});

describe("a thread that dies", () => {
  /** Threads that can be killed at a chosen write: before it is handed over, or when it is stored and not yet acknowledged. */
  function mortal(path: string, when: "before" | "after") {
    const start = startDatabaseThread({ path, maxBodyStorageBytes: 1e9 });
    let fatal = false;
    let deaths = 0;
    const startThread: StartThread = (events) => {
      const thread = start({
        died: events.died,
        reply: (reply) => (fatal && when === "after" ? die() : events.reply(reply)),
      });
      const die = (): void => {
        fatal = false;
        deaths++;
        thread.terminate();
        events.died("killed by the test");
      };
      return {
        terminate: () => thread.terminate(),
        post: (call) => (fatal && when === "before" ? queueMicrotask(die) : thread.post(call)),
      };
    };
    return { startThread, kill: () => (fatal = true), deaths: () => deaths };
  }

  test.each(["before", "after"] as const)("%s a batch was stored costs no row and doubles none", async (when) => {
    const path = bench.path();
    const { startThread, kill, deaths } = mortal(path, when);
    const { log, lines } = bench.open(path, {}, { startThread });
    for (const requestId of names(50, "first")) log.record(requestRecord({ requestId }));
    await log.flush();
    kill();
    for (const requestId of names(250, "second")) {
      log.record(requestRecord({ requestId, requestBody: new TextEncoder().encode(requestId) }));
    }
    await log.flush();
    expect(deaths()).toBe(1);
    expect(requestIdsIn(path)).toEqual([...names(50, "first"), ...names(250, "second")]);
    expect((await log.detail(300))?.requestBody).toBe("second-249");
    expect((await log.detail(51))?.requestBody).toBe("second-0");
    expect(log.droppedRows).toBe(0);
    expect(lines.map((line) => line.level)).toEqual(["error", "info"]);
  });

  test("at an uncaught error of its own is started again", async () => {
    const path = bench.path();
    const start = startDatabaseThread({ path, maxBodyStorageBytes: 1e9 });
    const threads: Thread[] = [];
    const startThread: StartThread = (events) => {
      const thread = start(events);
      threads.push(thread);
      return thread;
    };
    const { log } = bench.open(path, {}, { startThread });
    await log.flush();
    // The thread looks into the message outside of what it guards.
    threads[0]?.post(7 as never);
    await until("the thread is gone", () => {
      log.record(requestRecord());
      return threads.length > 1;
    });
    await log.flush();
    expect(requestIdsIn(path).length + log.droppedRows).toBeGreaterThan(0);
    expect(log.droppedRows).toBe(0);
  });
});

test("two processes can share a database", async () => {
  const path = bench.path();
  mkdirSync(dirname(path), { recursive: true });
  const logs = [bench.open(path).log, bench.open(path).log];
  for (let round = 0; round < 20; round++) {
    for (const [index, log] of logs.entries()) log.record(requestRecord({ requestId: `${index}-${round}` }));
    await Promise.all(logs.map((log) => log.flush()));
  }
  expect(requestIdsIn(path).toSorted()).toEqual(
    logs.flatMap((_, index) => Array.from({ length: 20 }, (_row, round) => `${index}-${round}`)).toSorted(),
  );
});

/** What a promise was rejected with, to be looked at. */
function thrown(error: unknown): unknown {
  return error;
}
