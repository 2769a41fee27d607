// The rows that wait to be written: bounded, sent in order one batch at a time, kept until they are acknowledged.

import type { CancelTimer, Clock } from "../core/clock.ts";
import type { LogLine } from "./storage-episode.ts";
import { StorageEpisode } from "./storage-episode.ts";
import type { Outcome } from "./worker-protocol.ts";
import type { WriteResult } from "./write-batch.ts";

export interface BatchLimits {
  /** Rows that may wait, those on their way included. */
  readonly bufferRows: number;
  /** Their estimated bytes. */
  readonly bufferBytes: number;
  readonly flushIntervalMs: number;
  /** So many rows are sent without waiting for the interval; also the most that one batch has. */
  readonly flushRows: number;
}

interface Waiting<Entry> {
  readonly entry: Entry;
  readonly bytes: number;
}

interface Batch<Entry> {
  readonly firstSequence: number;
  readonly entries: readonly Entry[];
  readonly bytes: number;
}

interface FlushWaiter {
  readonly upTo: number;
  readonly resolve: () => void;
}

/** Bytes after which a batch takes no further row, so that one with big bodies does not hold up either thread. */
const maxBatchBytes = 8_388_608;
const firstRetryMs = 50;
const maxRetryMs = 2_000;

export class BatchWriter<Entry> {
  readonly #limits: BatchLimits;
  readonly #clock: Clock;
  readonly #log: LogLine;
  readonly #send: (entries: readonly Entry[], firstSequence: number) => Promise<Outcome<WriteResult>>;
  readonly #episode: StorageEpisode;
  #waiting: Waiting<Entry>[] = [];
  #inFlight: Batch<Entry> | undefined;
  #bytes = 0;
  #sequence = 0;
  #dropped = 0;
  #failures = 0;
  #closed = false;
  #timer: CancelTimer | undefined;
  /** The timer is the one that sends at once. */
  #hurried = false;
  #flushes: FlushWaiter[] = [];

  constructor(options: {
    readonly limits: BatchLimits;
    readonly clock: Clock;
    readonly log: LogLine;
    readonly path: string;
    /** Never rejects. The same entries with the same sequence are the same rows. */
    readonly send: (entries: readonly Entry[], firstSequence: number) => Promise<Outcome<WriteResult>>;
  }) {
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#send = options.send;
    this.#episode = new StorageEpisode(options.path, options.log);
  }

  get droppedRows(): number {
    return this.#dropped;
  }

  /** Recorded and not yet acknowledged. */
  get queuedRows(): number {
    return this.#waiting.length + (this.#inFlight?.entries.length ?? 0);
  }

  get well(): boolean {
    return this.#episode.well;
  }

  /** An empty batch: has the database opened, and goes on trying when that fails. */
  start(): void {
    this.#dispatch({ firstSequence: this.#sequence, entries: [], bytes: 0 });
  }

  /** Whether so many bytes more would fit. */
  fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.#limits.bufferBytes;
  }

  /** Takes a row, or drops and counts it. `bytes` is what it keeps in memory. */
  add(entry: Entry, bytes: number): void {
    if (this.#closed || this.queuedRows >= this.#limits.bufferRows || !this.fits(bytes)) {
      if (!this.#closed) this.#episode.dropping(this.#clock.now(), this.#dropped);
      this.#dropped++;
      return;
    }
    this.#waiting.push({ entry, bytes });
    this.#sequence++;
    this.#bytes += bytes;
    this.#arm();
  }

  /** Counts a row that could not even be looked at. */
  discard(): void {
    this.#dropped++;
  }

  /** Resolves when every row taken so far is acknowledged or given up. */
  flush(): Promise<void> {
    if (this.queuedRows === 0 && this.#inFlight === undefined) return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#flushes.push({ upTo: this.#sequence, resolve }));
    this.#sendNext();
    return done;
  }

  /** Takes no further row. Resolves when the rest is written, or after `patienceMs`, when what is left is dropped and counted. */
  async close(patienceMs: number): Promise<void> {
    this.#closed = true;
    if (this.queuedRows === 0) return this.#giveUp();
    const flushed = this.flush();
    const patience = this.#clock.schedule(patienceMs, () => this.#giveUp());
    await flushed;
    patience();
    this.#timer?.();
  }

  #giveUp(): void {
    const lost = this.queuedRows;
    this.#dropped += lost;
    this.#waiting = [];
    this.#inFlight = undefined;
    this.#bytes = 0;
    this.#timer?.();
    if (lost > 0) {
      this.#log("error", "the request log could not be written before the end; its last rows are lost", {
        dropped_rows: lost,
      });
    }
    this.#wake();
  }

  #arm(): void {
    if (this.#inFlight !== undefined) return;
    const hurry = this.#waiting.length >= this.#limits.flushRows || this.#flushes.length > 0;
    if (this.#timer !== undefined && (this.#hurried || !hurry)) return;
    this.#timer?.();
    this.#hurried = hurry;
    this.#timer = this.#clock.schedule(hurry ? 0 : this.#limits.flushIntervalMs, () => {
      this.#timer = undefined;
      this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#inFlight !== undefined || this.#waiting.length === 0) return;
    this.#timer?.();
    this.#timer = undefined;
    const firstSequence = this.#sequence - this.#waiting.length;
    let bytes = 0;
    let count = 0;
    for (const { bytes: size } of this.#waiting) {
      if (count === this.#limits.flushRows || (count > 0 && bytes + size > maxBatchBytes)) break;
      bytes += size;
      count++;
    }
    const entries = this.#waiting.splice(0, count).map((waiting) => waiting.entry);
    this.#dispatch({ firstSequence, entries, bytes });
  }

  #dispatch(batch: Batch<Entry>): void {
    this.#inFlight = batch;
    void this.#send(batch.entries, batch.firstSequence).then((outcome) => {
      if (this.#inFlight === batch) this.#settle(batch, outcome);
    });
  }

  #settle(batch: Batch<Entry>, outcome: Outcome<WriteResult>): void {
    if (!outcome.ok) {
      this.#episode.failed(outcome.failure, this.#clock.now(), this.#dropped);
      const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(this.#failures++, 10));
      this.#timer = this.#clock.schedule(delayMs, () => {
        this.#timer = undefined;
        this.#dispatch(batch);
      });
      return;
    }
    this.#failures = 0;
    this.#inFlight = undefined;
    this.#bytes -= batch.bytes;
    const { refused, refusal } = outcome.value;
    this.#dropped += refused;
    if (refused > 0) {
      this.#log("warn", "rows of the request log were refused by the database and are dropped", {
        dropped_rows: refused,
        error: refusal,
      });
    }
    this.#episode.worked(this.#clock.now(), this.#dropped, this.#waiting.length >= this.#limits.flushRows);
    this.#wake();
    if (this.#flushes.length > 0 || this.#waiting.length >= this.#limits.flushRows) this.#sendNext();
    else if (this.#waiting.length > 0) this.#arm();
  }

  #wake(): void {
    const settled = this.#sequence - this.queuedRows;
    const due = this.#flushes.filter((flush) => flush.upTo <= settled);
    this.#flushes = this.#flushes.filter((flush) => flush.upTo > settled);
    for (const flush of due) flush.resolve();
  }
}
