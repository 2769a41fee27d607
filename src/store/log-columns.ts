// The columns of the request log, and the order in which a row's values travel.

/** What is filtered on or summed up; one database column each. */
export interface LogColumns {
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly duration_ns: number;
  readonly status_code: number;
  readonly stream: 0 | 1;
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly client_ip: string;
  readonly auth_method: string | null;
  readonly requested_model: string | null;
  readonly virtual_model: string | null;
  /** The target that answered, else the last one that was called, else the first one that was skipped. */
  readonly provider_name: string | null;
  readonly provider_type: string | null;
  readonly resolved_model: string | null;
  readonly error_type: string | null;
  readonly error_message: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly reasoning_tokens: number | null;
  /** USD; null = unknown, 0 = free. */
  readonly input_cost: number | null;
  readonly output_cost: number | null;
  readonly total_cost: number | null;
  readonly cost_source: string | null;
  readonly first_event_ms: number | null;
}

/** A value of a column. */
export type ColumnValue = LogColumns[keyof LogColumns];

/** Names the columns in order; the values only stand for themselves. */
export const columnOrder: LogColumns = {
  started_at: 0,
  duration_ns: 0,
  status_code: 0,
  stream: 0,
  request_id: "",
  method: "",
  path: "",
  client_ip: "",
  auth_method: null,
  requested_model: null,
  virtual_model: null,
  provider_name: null,
  provider_type: null,
  resolved_model: null,
  error_type: null,
  error_message: null,
  input_tokens: null,
  output_tokens: null,
  total_tokens: null,
  cached_input_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  input_cost: null,
  output_cost: null,
  total_cost: null,
  cost_source: null,
  first_event_ms: null,
};
