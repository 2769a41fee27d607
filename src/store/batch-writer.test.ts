// Rows wait in bounded memory, go out in order, and are counted exactly when they cannot.

import { describe, expect, test } from "bun:test";
import { FakeClock, settle } from "../../test/support/fake-clock.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { StorageFailure } from "./storage-failure.ts";
import type { Outcome } from "./worker-protocol.ts";
import type { WriteResult } from "./write-batch.ts";

const stored: Outcome<WriteResult> = { ok: true, value: { refused: 0, refusal: undefined } };
const broken = { reason: "broken", code: "SQLITE_IOERR", message: "disk I/O error" } as const;
const busy = { reason: "busy", code: "SQLITE_BUSY", message: "database is locked" } as const;

interface Sent {
  readonly entries: readonly number[];
  readonly firstSequence: number;
  readonly settle: (outcome: Outcome<WriteResult>) => void;
}

/** A writer whose batches are answered by `answer`, or by hand when that gives undefined. */
function bench(
  limits: Partial<{ bufferRows: number; bufferBytes: number; flushRows: number }> = {},
  answer: () => Outcome<WriteResult> | undefined = () => stored,
) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const fields: unknown[] = [];
  const sent: Sent[] = [];
  const writer = new BatchWriter<number>({
    limits: { bufferRows: 10, bufferBytes: 1_000_000, flushIntervalMs: 250, flushRows: 4, ...limits },
    clock,
    log: (level, message, more) => {
      lines.push(`${level} ${message}`);
      fields.push(more);
    },
    path: "/data/x.db",
    send(entries, firstSequence) {
      const now = answer();
      return new Promise((resolve) => {
        sent.push({ entries, firstSequence, settle: resolve });
        if (now !== undefined) resolve(now);
      });
    },
  });
  const rowsSent = () => sent.map((batch) => [...batch.entries]);
  return { clock, lines, fields, sent, rowsSent, writer };
}

describe("sending", () => {
  test("a row goes out after the interval, together with those that came meanwhile", async () => {
    const { clock, rowsSent, writer } = bench();
    writer.add(1, 10);
    await clock.advance(249);
    writer.add(2, 10);
    expect(rowsSent()).toEqual([]);
    await clock.advance(1);
    expect(rowsSent()).toEqual([[1, 2]]);
    expect(writer.queuedRows).toBe(0);
  });

  test("a full batch goes out at once, but not inside the call that filled it", async () => {
    const { clock, rowsSent, writer } = bench();
    for (const row of [1, 2, 3, 4]) writer.add(row, 10);
    expect(rowsSent()).toEqual([]);
    await clock.advance(0);
    expect(rowsSent()).toEqual([[1, 2, 3, 4]]);
  });

  test("one batch is on its way at a time, and sequences go on from batch to batch", async () => {
    const { clock, sent, rowsSent, writer } = bench({}, () => undefined);
    for (let row = 1; row <= 6; row++) writer.add(row, 10);
    await clock.advance(1_000);
    expect(rowsSent()).toEqual([[1, 2, 3, 4]]);
    expect(writer.queuedRows).toBe(6);
    sent[0]?.settle(stored);
    await clock.advance(250);
    expect(rowsSent()).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(sent.map((batch) => batch.firstSequence)).toEqual([0, 4]);
  });

  test("big rows make small batches", async () => {
    const { clock, rowsSent, writer } = bench({ bufferBytes: 100_000_000 });
    for (const row of [1, 2, 3]) writer.add(row, 5_000_000);
    await clock.advance(250);
    await clock.advance(250);
    await clock.advance(250);
    expect(rowsSent()).toEqual([[1], [2], [3]]);
  });
});

describe("limits", () => {
  test("of 25 rows for a buffer of 10, the first 10 are kept and 15 are dropped, counted and told once", async () => {
    const { clock, lines, fields, sent, rowsSent, writer } = bench({}, () => undefined);
    for (let row = 1; row <= 25; row++) writer.add(row, 10);
    expect(writer.droppedRows).toBe(15);
    expect(writer.queuedRows).toBe(10);
    for (let batch = 0; batch < 3; batch++) {
      await clock.advance(250);
      sent[batch]?.settle(stored);
      await settle();
    }
    expect(rowsSent().flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(lines).toEqual([
      "warn the request log is full of rows that wait to be written; further rows are dropped and counted",
      "info the request log is written again",
    ]);
    expect(fields[1]).toMatchObject({ dropped_rows: 15 });
  });

  test("rows on their way still count", async () => {
    const { clock, sent, writer } = bench({ bufferRows: 4 }, () => undefined);
    for (const row of [1, 2, 3, 4]) writer.add(row, 10);
    await clock.advance(0);
    writer.add(5, 10);
    expect(writer.droppedRows).toBe(1);
    sent[0]?.settle(stored);
    await settle();
    writer.add(6, 10);
    expect(writer.droppedRows).toBe(1);
  });

  test("bytes are limited as rows are, and are free again after the acknowledgement", async () => {
    const { clock, writer } = bench({ bufferBytes: 100 });
    writer.add(1, 60);
    writer.add(2, 60);
    expect(writer.droppedRows).toBe(1);
    await clock.advance(250);
    writer.add(3, 100);
    expect(writer.droppedRows).toBe(1);
  });
});

describe("trouble", () => {
  /** Fails until `mend` is called. */
  function failing(failure: StorageFailure) {
    let outcome: Outcome<WriteResult> = { ok: false, failure };
    const made = bench({}, () => outcome);
    return { ...made, mend: () => (outcome = stored) };
  }

  test("a batch that fails is sent again as it was until it is stored, with one line before and one after", async () => {
    const { clock, lines, fields, sent, writer, mend } = failing(broken);
    writer.add(1, 10);
    await clock.advance(250);
    writer.add(2, 10);
    expect(writer.well).toBe(false);
    await clock.advance(60_000);
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.length).toBeLessThan(50);
    mend();
    await clock.advance(2_250);
    expect(sent.slice(0, -1).every((batch) => batch.firstSequence === 0 && batch.entries[0] === 1)).toBe(true);
    expect(sent.at(-1)).toMatchObject({ entries: [2], firstSequence: 1 });
    expect(writer.well).toBe(true);
    expect(writer.droppedRows).toBe(0);
    expect(lines).toEqual([
      "error the request log cannot be written (the database cannot be opened or used); requests are served, rows wait in memory",
      "info the request log is written again",
    ]);
    expect(fields[0]).toEqual({ path: "/data/x.db", code: "SQLITE_IOERR", error: "disk I/O error" });
  });

  test("rows that find no room during an episode are counted, and told of at its end only", async () => {
    const { clock, lines, fields, writer, mend } = failing(broken);
    for (let row = 1; row <= 4; row++) writer.add(row, 10);
    await clock.advance(10);
    for (let row = 5; row <= 13; row++) writer.add(row, 10);
    expect(writer.droppedRows).toBe(3);
    mend();
    await clock.advance(5_000);
    expect(lines.length).toBe(2);
    expect(fields[1]).toMatchObject({ dropped_rows: 3 });
    expect(writer.queuedRows).toBe(0);
  });

  test("a lock that is held for less than a second is not worth a line", async () => {
    const { clock, lines, writer, mend } = failing(busy);
    writer.add(1, 10);
    await clock.advance(250 + 700);
    mend();
    await clock.advance(1_000);
    expect(writer.queuedRows).toBe(0);
    expect(lines).toEqual([]);
  });

  test("a lock that is held for longer is", async () => {
    const { clock, lines, writer } = failing(busy);
    writer.add(1, 10);
    await clock.advance(5_000);
    expect(lines).toEqual([
      "error the request log cannot be written (another process holds the lock on the database); requests are served, rows wait in memory",
    ]);
    expect(writer.well).toBe(false);
  });

  test("a buffer that fills up behind a lock is told of at once, with the lock as its only reason", async () => {
    const { clock, lines, fields, writer, mend } = failing(busy);
    writer.add(1, 10);
    await clock.advance(250);
    expect(lines).toEqual([]);
    for (let row = 2; row <= 13; row++) writer.add(row, 10);
    expect(writer.droppedRows).toBe(3);
    await clock.advance(5_000);
    mend();
    await clock.advance(5_000);
    expect(lines).toEqual([
      "error the request log cannot be written (another process holds the lock on the database); requests are served, rows wait in memory",
      "info the request log is written again",
    ]);
    expect(fields[1]).toMatchObject({ dropped_rows: 3 });
  });

  test("rows dropped or failing again while the backlog is written belong to the same episode", async () => {
    let outcome: Outcome<WriteResult> | undefined = { ok: false, failure: broken };
    const { clock, lines, fields, sent, writer } = bench({}, () => outcome);
    for (let row = 1; row <= 10; row++) writer.add(row, 10);
    await clock.advance(1_000);
    expect(writer.well).toBe(false);
    outcome = undefined;
    await clock.advance(2_000);
    sent.at(-1)?.settle(stored);
    await settle();
    expect(writer.well).toBe(true);
    for (let row = 11; row <= 17; row++) writer.add(row, 10);
    expect(writer.droppedRows).toBe(3);
    sent.at(-1)?.settle({ ok: false, failure: broken });
    outcome = stored;
    await clock.advance(10_000);
    expect(writer.queuedRows).toBe(0);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["error", "info"]);
    expect(fields[1]).toMatchObject({ dropped_rows: 3 });
  });

  test("an episode ends when less than a batch waits, also while rows keep coming", async () => {
    const { clock, lines, sent, writer } = bench({}, () => undefined);
    for (let row = 1; row <= 12; row++) writer.add(row, 10);
    await clock.advance(0);
    for (let batch = 0; batch < 2; batch++) {
      sent[batch]?.settle(stored);
      await settle();
      writer.add(batch, 10);
    }
    expect(writer.queuedRows).toBe(4);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["warn", "info"]);
  });

  test("a database that cannot be opened at the start is tried again without any row", async () => {
    const { clock, lines, sent, writer, mend } = failing(broken);
    writer.start();
    await clock.advance(1_000);
    expect(sent.length).toBeGreaterThan(2);
    mend();
    await clock.advance(2_000);
    expect(lines.length).toBe(2);
    expect(writer.well).toBe(true);
  });

  test("rows that the database refuses are counted and do not hold up the rest", async () => {
    const { clock, lines, writer } = bench({}, () => ({ ok: true, value: { refused: 1, refusal: "NOT NULL" } }));
    for (const row of [1, 2, 3]) writer.add(row, 10);
    await clock.advance(250);
    expect(writer.droppedRows).toBe(1);
    expect(writer.queuedRows).toBe(0);
    expect(lines).toEqual(["warn rows of the request log were refused by the database and are dropped"]);
  });
});

describe("flush and close", () => {
  test("flush sends at once and resolves when the rows before it are stored, later ones or not", async () => {
    const { clock, sent, writer } = bench({}, () => undefined);
    writer.add(1, 10);
    let flushed = false;
    const flush = writer.flush().then(() => (flushed = true));
    expect(sent.length).toBe(1);
    writer.add(2, 10);
    await settle();
    expect(flushed).toBe(false);
    sent[0]?.settle(stored);
    await flush;
    expect(writer.queuedRows).toBe(1);
    expect(clock.pending).toBe(1);
  });

  test("flush of nothing resolves at once", async () => {
    await bench().writer.flush();
  });

  test("close writes all batches that wait and takes no row afterwards", async () => {
    const { clock, rowsSent, writer } = bench();
    for (let row = 1; row <= 10; row++) writer.add(row, 10);
    await writer.close(5_000);
    expect(rowsSent()).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ]);
    writer.add(11, 10);
    expect(writer.droppedRows).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test("close gives up after its patience and counts what is lost", async () => {
    const { clock, lines, writer } = bench({}, () => ({ ok: false, failure: broken }));
    for (let row = 1; row <= 6; row++) writer.add(row, 10);
    let closed = false;
    const close = writer.close(5_000).then(() => (closed = true));
    await clock.advance(4_999);
    expect(closed).toBe(false);
    await clock.advance(1);
    await close;
    expect(writer.droppedRows).toBe(6);
    expect(lines.at(-1)).toBe("error the request log could not be written before the end; its last rows are lost");
    expect(clock.pending).toBe(0);
  });
});
