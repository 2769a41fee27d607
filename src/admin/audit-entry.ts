// A stored row in the form in which the operator's API shows it.

import type { StoredRequest } from "../store/find-requests.ts";
import type { RequestDetail } from "../store/request-detail.ts";
import type { AttemptTuple } from "../store/stored-attempt.ts";
import { attemptFromTuple } from "../store/stored-attempt.ts";
import type { AuditAttempt, AuditData, AuditEntry, AuditUsage } from "./contract.ts";

/** For lists: without headers and bodies. */
export function auditEntry(row: StoredRequest): AuditEntry {
  return {
    id: String(row.id),
    timestamp: isoTime(row.started_at),
    duration_ns: row.duration_ns,
    requested_model: row.requested_model,
    resolved_model: row.resolved_model,
    provider: row.provider_type,
    provider_name: row.provider_name,
    alias_used: row.virtual_model !== null,
    workflow_version_id: null,
    cache_type: null,
    status_code: row.status_code,
    request_id: row.request_id,
    auth_key_id: null,
    auth_method: row.auth_method,
    client_ip: row.client_ip,
    method: row.method,
    path: row.path,
    user_path: null,
    session_id: null,
    stream: row.stream === 1,
    error_type: row.error_type,
    first_event_ms: row.first_event_ms,
    usage: usageOf(row),
    data: dataOf(row),
  };
}

/** With everything that is stored. */
export function auditDetail(row: RequestDetail): AuditEntry {
  const entry = auditEntry(row);
  const { request_headers, response_headers } = row.data;
  return {
    ...entry,
    data: {
      ...entry.data,
      request_headers,
      response_headers,
      request_body: bodyOf(row.requestBody),
      response_body: bodyOf(row.responseBody),
    },
  };
}

function usageOf(row: StoredRequest): AuditUsage | null {
  if (row.input_tokens === null && row.output_tokens === null && row.total_tokens === null) return null;
  return {
    input_tokens: row.input_tokens ?? 0,
    output_tokens: row.output_tokens ?? 0,
    total_tokens: row.total_tokens ?? 0,
    cached_input_tokens: row.cached_input_tokens ?? 0,
    cache_write_input_tokens: row.cache_write_tokens ?? 0,
    reasoning_tokens: row.reasoning_tokens ?? 0,
    input_cost: row.input_cost,
    output_cost: row.output_cost,
    total_cost: row.total_cost,
    cost_source: row.cost_source,
    costs_calculation_caveat: row.data.cost_caveat ?? null,
  };
}

function dataOf(row: StoredRequest): AuditData {
  const { data } = row;
  return {
    user_agent: data.user_agent,
    api_key_hash: data.api_key_hash,
    virtual_model: row.virtual_model ?? undefined,
    failover: data.failover_target === undefined ? undefined : { target_model: data.failover_target },
    attempts: data.attempts.map(attemptOf),
    temperature: data.temperature,
    max_tokens: data.max_tokens,
    error_message: row.error_message ?? undefined,
    error_code: data.error_code,
    stream_error: data.stream_error,
    stream_recovery: data.stream_recovery,
    request_body_too_big_to_handle: data.request_body_cut,
    response_body_too_big_to_handle: data.response_body_cut,
    bodies_dropped: data.bodies_dropped,
  };
}

function attemptOf(tuple: AttemptTuple): AuditAttempt {
  const attempt = attemptFromTuple(tuple);
  return {
    target: `${attempt.providerName}/${attempt.model}`,
    provider_name: attempt.providerName,
    model: attempt.model,
    turn: attempt.turn,
    kind: attempt.kind,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error_type: attempt.errorType,
    error_code: attempt.errorCode,
    error_message: attempt.errorMessage,
    started_at: isoTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    first_event_ms: attempt.firstEventMs,
  };
}

function bodyOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // A stream, a body that was cut, or whatever a provider sent that is no JSON.
    return text;
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
