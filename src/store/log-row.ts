// A request record turned into one row of the log: plain values that cross to the database thread as JSON.

import { addUsage } from "../core/add-usage.ts";
import type { RecoveryOutcome, RequestRecord } from "../core/record.ts";
import type { Target } from "../core/target.ts";
import { targetName } from "../core/target.ts";
import type { Usage } from "../core/usage.ts";
import type { ColumnValue } from "./log-columns.ts";
import type { AttemptTuple } from "./stored-attempt.ts";
import { attemptTuples, cutText, roundedMs } from "./stored-attempt.ts";

/** What is only shown; one JSON column. Absent members are left out. */
export interface LogData {
  readonly user_agent: string;
  readonly attempts: readonly AttemptTuple[];
  readonly api_key_hash?: string | undefined;
  /** `provider/model` that answered after an earlier target did not. */
  readonly failover_target?: string | undefined;
  readonly error_code?: string | number | undefined;
  readonly stream_error?: string | undefined;
  /** What came of going on at another target with a broken stream. */
  readonly stream_recovery?: RecoveryOutcome | undefined;
  readonly cost_caveat?: string | undefined;
  readonly temperature?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly request_headers?: Readonly<Record<string, string>> | undefined;
  readonly response_headers?: Readonly<Record<string, string>> | undefined;
  /** The body was longer than `maxBodyBytes`; its beginning is stored. */
  readonly request_body_cut?: true | undefined;
  readonly response_body_cut?: true | undefined;
  /** The memory for waiting rows was full: the row was kept, its bodies were not. */
  readonly bodies_dropped?: true | undefined;
}

export interface LogRow {
  /** One per column, in the order of `columnOrder`; names would double what crosses. */
  readonly values: readonly ColumnValue[];
  readonly data: LogData;
}

/** What the rest of the gateway knows about a record. */
export interface RowSources {
  readonly logHeaders: boolean;
  readonly providerTypeOf: (providerName: string) => string | undefined;
}

/** Texts that callers choose are cut to so many characters, so that no single one can fill the database. */
const maxNameLength = 1_024;
const maxMessageLength = 8_192;

/** Runs on the main thread when a batch is sent, not while a request is served. */
export function logRow(record: RequestRecord, bodies: BodyFacts, sources: RowSources): LogRow {
  const target = targetOf(record);
  const usage = usageOf(record);
  const { cost, failure } = record;
  const { logHeaders } = sources;
  return {
    values: [
      Math.round(record.startedAt),
      Math.round(record.durationMs * 1e6),
      record.statusCode,
      record.stream ? 1 : 0,
      cutText(record.requestId, maxNameLength),
      cutText(record.method, maxNameLength),
      cutText(withoutQuery(record.path), maxNameLength),
      record.clientIp,
      record.authMethod ?? null,
      cutOrNull(record.requestedModel),
      cutOrNull(record.virtualModel),
      target?.providerName ?? null,
      target === undefined ? null : (sources.providerTypeOf(target.providerName) ?? null),
      cutOrNull(target?.model),
      failure?.type ?? null,
      failure === undefined ? null : cutText(failure.message, maxMessageLength),
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage?.totalTokens ?? null,
      usage?.cachedInputTokens ?? null,
      usage?.cacheWriteTokens ?? null,
      usage?.reasoningTokens ?? null,
      cost?.inputUsd ?? null,
      cost?.outputUsd ?? null,
      cost?.totalUsd ?? null,
      cost?.source ?? null,
      record.firstEventMs === undefined ? null : roundedMs(record.firstEventMs),
    ],
    data: {
      user_agent: cutText(record.userAgent, maxNameLength),
      attempts: attemptTuples(record.turns),
      api_key_hash: record.apiKeyHash,
      failover_target: failoverTarget(record),
      error_code: failure?.code ?? undefined,
      stream_error: record.streamError === undefined ? undefined : cutText(record.streamError, maxMessageLength),
      stream_recovery: record.streamRecovery,
      cost_caveat: cost?.caveat ?? undefined,
      request_headers: logHeaders ? record.requestHeaders : undefined,
      response_headers: logHeaders ? record.responseHeaders : undefined,
      request_body_cut: bodies.requestCut ? true : undefined,
      response_body_cut: bodies.responseCut ? true : undefined,
      bodies_dropped: bodies.dropped ? true : undefined,
    },
  };
}

/** Of everything that was answered, the beginnings of broken streams too. */
function usageOf({ facts, brokenParts }: RequestRecord): Usage | undefined {
  return brokenParts.reduceRight<Usage | undefined>((sum, part) => addUsage(part.facts.usage, sum), facts?.usage);
}

/** What became of a record's bodies. */
export interface BodyFacts {
  readonly requestCut: boolean;
  readonly responseCut: boolean;
  readonly dropped: boolean;
}

function targetOf(record: RequestRecord): Target | undefined {
  if (record.answeredBy !== undefined) return record.answeredBy;
  const turns = record.turns;
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index];
    if (turn !== undefined && turn.attempts.length > 0) return turn.target;
  }
  return turns[0]?.target;
}

function failoverTarget(record: RequestRecord): string | undefined {
  return record.answeredBy !== undefined && record.turns.length > 1 ? targetName(record.answeredBy) : undefined;
}

/** Credentials travel in query strings; none is ever stored. */
function withoutQuery(path: string): string {
  const mark = path.indexOf("?");
  return mark === -1 ? path : path.slice(0, mark);
}

function cutOrNull(text: string | undefined): string | null {
  return text === undefined ? null : cutText(text, maxNameLength);
}
