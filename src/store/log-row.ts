// A request record turned into one row of the log: two JSON texts without credentials, which is all that is kept of a record.

import { addUsage } from "../core/add-usage.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Target } from "../core/target.ts";
import { targetName } from "../core/target.ts";
import type { Usage } from "../core/usage.ts";
import type { ColumnValue } from "./log-columns.ts";
import { type LogData, withMember } from "./log-data.ts";
import { attemptTuples, cutText, roundedMs, storedMessage } from "./stored-attempt.ts";
import { mayHoldSecrets, maskedHeaders, redactedValues } from "./stored-headers.ts";

export interface LogRow {
  /** JSON array, one value per column in the order of `columnOrder`: names would double what crosses to the database thread. */
  readonly values: string;
  /** `LogData` as JSON: the database thread stores it as it is. */
  readonly data: string;
}

/** What the rest of the gateway knows about a record. */
export interface RowSources {
  readonly logHeaders: boolean;
  readonly providerTypeOf: (providerName: string) => string | undefined;
}

/** Texts that callers choose are cut to so many characters, so that no single one can fill the database. */
const maxNameLength = 1_024;

/** Reads everything that the log wants of `record`, which may be forgotten then. */
export function logRow(record: RequestRecord, bodies: BodyFacts, sources: RowSources): LogRow {
  return { values: JSON.stringify(columnValues(record, sources)), data: dataText(record, bodies, sources) };
}

function columnValues(record: RequestRecord, sources: RowSources): readonly ColumnValue[] {
  const target = targetOf(record);
  const usage = usageOf(record);
  const { cost, failure } = record;
  return [
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
    failure === undefined ? null : storedMessage(failure.message),
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
  ];
}

function dataText(record: RequestRecord, bodies: BodyFacts, { logHeaders }: RowSources): string {
  const { cost, failure, requestHeaders, responseHeaders } = record;
  const data: LogData = {
    user_agent: cutText(record.userAgent, maxNameLength),
    attempts: attemptTuples(record.turns),
    api_key_hash: record.apiKeyHash,
    failover_target: failoverTarget(record),
    error_code: failure?.code ?? undefined,
    stream_error: record.streamError === undefined ? undefined : storedMessage(record.streamError),
    stream_recovery: record.streamRecovery,
    cost_caveat: cost?.caveat ?? undefined,
    response_headers: logHeaders && responseHeaders !== undefined ? maskedHeaders(responseHeaders) : undefined,
    request_body_cut: bodies.requestCut ? true : undefined,
    response_body_cut: bodies.responseCut ? true : undefined,
    bodies_dropped: bodies.dropped ? true : undefined,
  };
  const text = withoutSecrets(data);
  if (!logHeaders || requestHeaders === undefined) return text;
  const members = joined(requestHeaders.rendered(storedMembers), lengthMember(record.requestLength));
  return withMember(text, "request_headers", `{${members}}`);
}

/** As JSON. What headers hold that looks like a credential is replaced; in an answer's headers there hardly ever is any. */
function withoutSecrets(data: LogData): string {
  const text = JSON.stringify(data);
  const { response_headers } = data;
  if (response_headers === undefined || !mayHoldSecrets(text)) return text;
  return JSON.stringify({ ...data, response_headers: redactedValues(response_headers) });
}

/** The members of the object that is stored of a request's headers. */
function storedMembers(headers: Readonly<Record<string, string>>): string {
  return JSON.stringify(redactedValues(maskedHeaders(headers))).slice(1, -1);
}

function lengthMember(requestLength: number | undefined): string {
  return requestLength === undefined ? "" : `"content-length":"${requestLength}"`;
}

function joined(some: string, more: string): string {
  return some === "" || more === "" ? some + more : `${some},${more}`;
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
