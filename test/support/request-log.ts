// A request log on a database file of its own for tests, and a look into that file from outside.

import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import type { RequestPage } from "../../src/store/find-requests.ts";
import type { RequestLog, RequestLogOptions, RequestLogSettings } from "../../src/store/request-log.ts";
import { createRequestLog } from "../../src/store/request-log.ts";

/** What is shipped, except that rows are written soon. */
export const logSettings: RequestLogSettings = {
  enabled: true,
  logBodies: true,
  logHeaders: true,
  onlyModelInteractions: true,
  bufferRows: 10_000,
  bufferBytes: 64_000_000,
  flushIntervalMs: 5,
  flushRows: 100,
  retentionDays: 30,
  maxBodyStorageBytes: 1_073_741_824,
};

interface LogLineRecord {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export interface TestLog {
  readonly log: RequestLog;
  readonly lines: readonly LogLineRecord[];
}

/** Folders and logs of one test file; `dispose` in `afterEach`. */
export class LogBench {
  readonly #folders: string[] = [];
  readonly #logs: RequestLog[] = [];

  /** A path in a new folder. */
  path(): string {
    const folder = mkdtempSync(join(tmpdir(), "gomodel-log-"));
    this.#folders.push(folder);
    return join(folder, "gomodel.db");
  }

  open(path: string, settings: Partial<RequestLogSettings> = {}, options: Partial<RequestLogOptions> = {}): TestLog {
    const lines: LogLineRecord[] = [];
    const log = createRequestLog({
      path,
      settings: { ...logSettings, ...settings },
      clock: systemClock,
      log: (level, message, fields) => lines.push({ level, message, fields }),
      providerTypeOf: (name) => (name === "openai-eu" ? "openai" : "groq"),
      ...options,
    });
    this.#logs.push(log);
    return { log, lines };
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#logs.splice(0).map((log) => log.close()));
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Every row, newest first. */
export function allRows(log: RequestLog): Promise<RequestPage> {
  return log.find({ from: 0, until: Number.MAX_SAFE_INTEGER, limit: 100_000, offset: 0 });
}

/** Request ids in the file, oldest first, read by another connection. */
export function requestIdsIn(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .query<{ request_id: string }, []>("SELECT request_id FROM requests ORDER BY id")
      .all()
      .map((row) => row.request_id);
  } finally {
    database.close();
  }
}

/** Waits, a few milliseconds at a time and at most five seconds, for something that happens on another thread. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within five seconds: ${what}`);
    await Bun.sleep(2);
  }
}
