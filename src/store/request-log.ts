// The request log as the rest of the gateway sees it: takes records without ever holding up a request, answers questions.

import type { Clock } from "../core/clock.ts";
import { Failure } from "../core/failure.ts";
import type { RequestRecord } from "../core/record.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { LogEntry } from "./encode-batch.ts";
import { encodeBatch, logEntry } from "./encode-batch.ts";
import { startDatabaseThread } from "./database-thread.ts";
import type { RequestPage, RequestQuery } from "./find-requests.ts";
import type { RequestDetail } from "./request-detail.ts";
import { RetentionSweep } from "./retention-sweep.ts";
import { RowPages } from "./row-pages.ts";
import { SharedRoom } from "./shared-room.ts";
import type { LogLine } from "./storage-episode.ts";
import type { StartThread } from "./worker-link.ts";
import { WorkerLink } from "./worker-link.ts";
import type { Answers, Kind, Outcome, Questions } from "./worker-protocol.ts";

/** `logging`; behaviour 5.4 and decisions 19 and 20. */
export interface RequestLogSettings {
  /** `LOGGING_ENABLED`. False: nothing is stored, no thread is started. */
  readonly enabled: boolean;
  /** `LOGGING_LOG_BODIES`. */
  readonly logBodies: boolean;
  /** `LOGGING_LOG_HEADERS`. */
  readonly logHeaders: boolean;
  /** `LOGGING_ONLY_MODEL_INTERACTIONS`: other routes leave no row. */
  readonly onlyModelInteractions: boolean;
  /** `LOGGING_BUFFER_SIZE`: rows that may wait to be written. Default 10000. */
  readonly bufferRows: number;
  /** Bytes that they may keep in memory. Default 64 MB. */
  readonly bufferBytes: number;
  /** `LOGGING_FLUSH_INTERVAL`. Default 250 ms. */
  readonly flushIntervalMs: number;
  /** Rows that are written without waiting for the interval. Default 250. */
  readonly flushRows: number;
  /** `LOGGING_RETENTION_DAYS`; 0 = for ever. Default 30. */
  readonly retentionDays: number;
  /** `LOGGING_MAX_BODY_STORAGE`: stored bytes of all bodies; the oldest go first. Default 1 GiB. */
  readonly maxBodyStorageBytes: number;
}

export interface RequestLogOptions {
  /** `SQLITE_PATH`; folder and file are created. */
  readonly path: string;
  readonly settings: RequestLogSettings;
  readonly clock: Clock;
  readonly log: LogLine;
  readonly providerTypeOf: (providerName: string) => string | undefined;
  /** How the database thread is started; tests let it die. */
  readonly startThread?: StartThread;
}

export interface RequestLog {
  readonly enabled: boolean;
  /** Never throws, never waits. The record must not be changed afterwards. */
  record(record: RequestRecord): void;
  /** Rows that were not stored, for whatever reason: `gomodel_log_rows_dropped_total`. */
  readonly droppedRows: number;
  /** Rows recorded and not yet committed: `gomodel_log_queue_rows`. */
  readonly queuedRows: number;
  /** Resolves when every row recorded so far is committed or given up. */
  flush(): Promise<void>;
  /** Writes what is left, for at most five seconds, and ends the thread. */
  close(): Promise<void>;
  /** Readiness of the component `storage`. */
  ready(): "ok" | "degraded";
  /** Throws a `Failure`: 503 `feature_unavailable` or `storage_unavailable`. */
  find(query: RequestQuery): Promise<RequestPage>;
  /** Undefined when there is no such row. Throws as `find` does. */
  detail(id: number): Promise<RequestDetail | undefined>;
}

const closePatienceMs = 5_000;
/** A question that takes longer is given up; the thread goes on with it. */
const questionPatienceMs = 10_000;

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { path, settings, clock, log } = options;
  if (!settings.enabled) return disabledLog;
  const { maxBodyStorageBytes } = settings;
  const link = new WorkerLink(options.startThread ?? startDatabaseThread({ path, maxBodyStorageBytes }));
  const writerName = crypto.randomUUID();
  const { logHeaders, logBodies } = settings;
  const sources = { logHeaders, logBodies, providerTypeOf: options.providerTypeOf };
  const pages = new RowPages();
  const room = new SharedRoom();
  const fits = (bytes: number): boolean => writer.fits(bytes);
  const writer = new BatchWriter<LogEntry>({
    limits: settings,
    clock,
    log,
    path,
    send(entries, firstSequence) {
      const batch = encodeBatch(entries, room);
      const chunks = room.chunks();
      return link.call("write", { writer: writerName, firstSequence, batch, chunks, now: clock.wallNow() });
    },
  });
  const sweep = new RetentionSweep({
    clock,
    retentionDays: settings.retentionDays,
    step: (before) => link.call("sweep", { before, now: clock.wallNow() }),
  });
  const ask = async <K extends Kind>(kind: K, question: Questions[K]): Promise<Answers[K]> => {
    const outcome = await withinPatience(clock, link.call(kind, question));
    if (outcome.ok) return outcome.value;
    throw unavailable("storage_unavailable", `the request log cannot be read: ${outcome.failure.message}`);
  };
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    sweep.stop();
    await writer.close(closePatienceMs);
    await withinPatience(clock, link.call("close", {}), closePatienceMs);
    link.stop();
  };

  writer.start();
  sweep.start();
  return {
    enabled: true,
    record(record) {
      if (settings.onlyModelInteractions && !record.modelRoute) return;
      try {
        const entry = logEntry(record, sources, pages, fits);
        writer.add(entry, entry.bytes);
      } catch {
        // A record that is not what its type says must not harm the request that it tells about.
        writer.discard();
      }
    },
    get droppedRows() {
      return writer.droppedRows;
    },
    get queuedRows() {
      return writer.queuedRows;
    },
    flush: () => writer.flush(),
    close: () => (closing ??= close()),
    ready: () => (writer.well ? "ok" : "degraded"),
    find: (query) => ask("find", query),
    detail: (id) => ask("detail", { id }),
  };
}

const disabledLog: RequestLog = {
  enabled: false,
  record() {},
  droppedRows: 0,
  queuedRows: 0,
  flush: async () => {},
  close: async () => {},
  ready: () => "ok",
  find: async () => Promise.reject(disabled()),
  detail: async () => Promise.reject(disabled()),
};

function disabled(): Failure {
  return unavailable("feature_unavailable", "the request log is disabled: set LOGGING_ENABLED=true");
}

function unavailable(code: string, message: string): Failure {
  return new Failure({ origin: "request", status: 503, type: "provider_error", message, code });
}

function withinPatience<Value>(
  clock: Clock,
  outcome: Promise<Outcome<Value>>,
  patienceMs = questionPatienceMs,
): Promise<Outcome<Value>> {
  return new Promise((resolve) => {
    const message = `no answer from the database within ${patienceMs} ms`;
    const cancel = clock.schedule(patienceMs, () =>
      resolve({ ok: false, failure: { reason: "busy", code: "TIMEOUT", message } }),
    );
    void outcome.then((value) => {
      cancel();
      resolve(value);
    });
  });
}
