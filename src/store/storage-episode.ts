// Tells people once that the log is in trouble and once that it is not any more, whatever happens in between.

import type { StorageFailure } from "./storage-failure.ts";

export type LogLine = (level: "info" | "warn" | "error", message: string, fields?: Record<string, unknown>) => void;

/** A lock that is held for less is everyday life. */
const lockPatienceMs = 1_000;

type State =
  | { readonly kind: "well" }
  | { readonly kind: "waiting"; readonly since: number; readonly failure: StorageFailure }
  | { readonly kind: "failing"; readonly since: number; readonly droppedBefore: number }
  // Rows are stored again, but those that had to wait are not all written yet.
  | { readonly kind: "catching-up"; readonly since: number; readonly droppedBefore: number }
  | { readonly kind: "overloaded"; readonly since: number; readonly droppedBefore: number };

export class StorageEpisode {
  readonly #path: string;
  readonly #log: LogLine;
  #state: State = { kind: "well" };

  constructor(path: string, log: LogLine) {
    this.#path = path;
    this.#log = log;
  }

  /** False while the database cannot be written. */
  get well(): boolean {
    return this.#state.kind !== "failing";
  }

  /** A batch was not stored and will be tried again. `dropped` is the counter at this time. */
  failed(failure: StorageFailure, now: number, dropped: number): void {
    const state = this.#state;
    switch (state.kind) {
      case "failing":
        return;
      case "catching-up":
        this.#state = { ...state, kind: "failing" };
        return;
      case "well":
      case "waiting":
      case "overloaded": {
        const since = state.kind === "well" ? now : state.since;
        if (failure.reason !== "busy" || now - since >= lockPatienceMs) {
          this.#fail(failure, since, state.kind === "overloaded" ? state.droppedBefore : dropped);
        } else if (state.kind === "well") this.#state = { kind: "waiting", since, failure };
      }
    }
  }

  /** A row found no room. `dropped` is the counter before it. */
  dropping(now: number, dropped: number): void {
    const state = this.#state;
    if (state.kind === "waiting") this.#fail(state.failure, state.since, dropped);
    if (state.kind !== "well") return;
    this.#state = { kind: "overloaded", since: now, droppedBefore: dropped };
    this.#log("warn", "the request log is full of rows that wait to be written; further rows are dropped and counted", {
      path: this.#path,
    });
  }

  /** A batch was stored. `backlog`: more than usual still waits, so that the next row may find no room. */
  worked(now: number, dropped: number, backlog: boolean): void {
    const state = this.#state;
    if (state.kind === "well") return;
    if (state.kind === "waiting") {
      this.#state = { kind: "well" };
    } else if (backlog) {
      if (state.kind === "failing") this.#state = { ...state, kind: "catching-up" };
    } else {
      this.#state = { kind: "well" };
      this.#log("info", "the request log is written again", {
        path: this.#path,
        dropped_rows: dropped - state.droppedBefore,
        duration_ms: Math.round(now - state.since),
      });
    }
  }

  #fail(failure: StorageFailure, since: number, droppedBefore: number): void {
    this.#state = { kind: "failing", since, droppedBefore };
    this.#log(
      "error",
      `the request log cannot be written (${explained(failure)}); requests are served, rows wait in memory`,
      {
        path: this.#path,
        code: failure.code,
        error: failure.message,
      },
    );
  }
}

function explained(failure: StorageFailure): string {
  switch (failure.reason) {
    case "busy":
      return "another process holds the lock on the database";
    case "full":
      return "no room is left for the database";
    case "broken":
      return "the database cannot be opened or used";
    case "worker":
      return "the database thread died and is started again";
  }
}
