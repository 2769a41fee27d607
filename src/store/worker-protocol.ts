// What the main thread and the database thread say to each other.

import type { EncodedBatch } from "./encode-batch.ts";
import type { RequestPage, RequestQuery } from "./find-requests.ts";
import type { RequestDetail } from "./request-detail.ts";
import type { SentChunks } from "./shared-room.ts";
import type { StorageFailure } from "./storage-failure.ts";
import type { WriteResult } from "./write-batch.ts";

/** Told to a thread once, before anything else. */
export interface WorkerSettings {
  readonly path: string;
  readonly maxBodyStorageBytes: number;
}

/** What the thread can be asked for. */
export interface Questions {
  /** No rows only open the database. */
  readonly write: {
    readonly writer: string;
    readonly firstSequence: number;
    readonly batch: EncodedBatch;
    /** Of the room in which the batch lies. */
    readonly chunks: SentChunks;
    /** Milliseconds since the epoch. */
    readonly now: number;
  };
  /** One step of the retention. Without `before` only bodies over the limit are removed. */
  readonly sweep: { readonly before: number | undefined; readonly now: number };
  readonly find: RequestQuery;
  readonly detail: { readonly id: number };
  readonly close: Record<string, never>;
}

/** What it answers. */
export interface Answers {
  readonly write: WriteResult;
  /** Whether another step has something to do. */
  readonly sweep: { readonly more: boolean };
  readonly find: RequestPage;
  readonly detail: RequestDetail | undefined;
  readonly close: true;
}

export type Kind = keyof Questions;

/** A call as it is posted. */
export type Call = {
  readonly [K in Kind]: { readonly call: number; readonly kind: K; readonly question: Questions[K] };
}[Kind];

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StorageFailure };

export interface Reply {
  readonly call: number;
  readonly outcome: Outcome<Answers[Kind]>;
}
