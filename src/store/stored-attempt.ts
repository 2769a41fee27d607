// One upstream attempt as the database keeps it: a short JSON array, because names would be most of its bytes.

import type { AttemptKind, Turn } from "../core/turn.ts";
import { redactedText } from "./redaction.ts";

/** One entry of a request's attempts (decision 21); a skipped turn is one too. */
export interface StoredAttempt {
  readonly providerName: string;
  readonly model: string;
  /** Which turn of the request it belongs to, from 1. */
  readonly turn: number;
  readonly kind: AttemptKind;
  readonly outcome: "succeeded" | "failed" | "skipped" | "cancelled";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly firstEventMs: number | null;
  readonly errorType: string | null;
  readonly errorCode: string | number | null;
  readonly errorMessage: string | null;
}

/** Positions are part of the database format: append only. */
export type AttemptTuple = readonly [
  providerName: string,
  model: string,
  turn: number,
  kind: AttemptKind,
  outcome: StoredAttempt["outcome"],
  startedAt: number,
  durationMs: number,
  statusCode: number | null,
  firstEventMs: number | null,
  errorType?: string | null,
  errorCode?: string | number | null,
  errorMessage?: string | null,
];

/** Characters of an error text that are kept. */
const maxMessageLength = 8_192;

/** An error text as it may be stored. */
export function storedMessage(text: string): string {
  return redactedText(cutText(text, maxMessageLength));
}

/** Every attempt of every turn, in order. */
export function attemptTuples(turns: readonly Turn[]): AttemptTuple[] {
  const tuples: AttemptTuple[] = [];
  for (let index = 0; index < turns.length; index++) {
    const turn = turns[index];
    if (turn === undefined) continue;
    const { providerName, model } = turn.target;
    for (const attempt of turn.attempts) {
      const failure = attempt.failure;
      const status = attempt.statusCode ?? null;
      const firstEventMs = attempt.firstEventMs === undefined ? null : roundedMs(attempt.firstEventMs);
      const durationMs = roundedMs(attempt.durationMs);
      const { kind, outcome, startedAt } = attempt;
      tuples.push(
        failure === undefined
          ? [providerName, model, index + 1, kind, outcome, startedAt, durationMs, status, firstEventMs]
          : [
              providerName,
              model,
              index + 1,
              kind,
              outcome,
              startedAt,
              durationMs,
              status,
              firstEventMs,
              failure.type,
              failure.code,
              storedMessage(failure.message),
            ],
      );
    }
    if (turn.attempts.length === 0) tuples.push(skippedTurn(turn, index));
  }
  return tuples;
}

function skippedTurn(turn: Turn, index: number): AttemptTuple {
  const failure = turn.failure;
  return [
    turn.target.providerName,
    turn.target.model,
    index + 1,
    index === 0 ? "first" : "failover",
    turn.outcome === "cancelled" ? "cancelled" : "skipped",
    turn.startedAt,
    0,
    failure?.status ?? null,
    null,
    failure?.type ?? null,
    failure?.code ?? null,
    failure === undefined ? null : storedMessage(failure.message),
  ];
}

/** The named form of what `attemptTuples` made. */
export function attemptFromTuple(tuple: AttemptTuple): StoredAttempt {
  return {
    providerName: tuple[0],
    model: tuple[1],
    turn: tuple[2],
    kind: tuple[3],
    outcome: tuple[4],
    startedAt: tuple[5],
    durationMs: tuple[6],
    statusCode: tuple[7],
    firstEventMs: tuple[8],
    errorType: tuple[9] ?? null,
    errorCode: tuple[10] ?? null,
    errorMessage: tuple[11] ?? null,
  };
}

/** Whole microseconds; what a monotonic clock adds behind them is noise. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/** At most `maxLength` UTF-16 units, without half of a surrogate pair at the cut. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}
