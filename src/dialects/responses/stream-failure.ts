// Turns what a Responses provider says about an error, in an event or in a response object, into a failure with its true status.

import type { Failure } from "../../core/failure.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";

const encoder = new TextEncoder();

/**
 * What the codes would be as HTTP statuses: https://platform.openai.com/docs/api-reference/responses/object (`error.code`),
 * https://platform.openai.com/docs/guides/error-codes and what Codex tells apart (codex-rs/codex-api, sse/responses.rs).
 */
const statusByCode: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  usage_not_included: 429,
  usage_limit_reached: 429,
  server_error: 500,
  internal_error: 500,
  server_is_overloaded: 503,
  slow_down: 503,
  vector_store_timeout: 504,
  invalid_prompt: 400,
  invalid_request: 400,
  context_length_exceeded: 400,
  content_policy_violation: 400,
  bio_policy: 400,
  cyber_policy: 400,
  model_not_found: 404,
  previous_response_not_found: 400,
  invalid_api_key: 401,
};

const statusByType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_error: 500,
  api_error: 500,
  overloaded_error: 503,
};

/** `error`: the provider's own error object, or undefined when it gave none. */
export function failureOfError(error: unknown, options: ReaderOptions): Failure {
  const { providerName, errorHeaders: headers = [], retryAfterMs } = options;
  const body = encoder.encode(JSON.stringify({ error: error ?? unnamed(providerName) }));
  const status = isJsonObject(error) ? statusOf(error) : undefined;
  // 200: a status inside the error counts, else it is a 502.
  return failureOfErrorBody({ status: status ?? 200, body, providerName, headers, retryAfterMs });
}

function statusOf({ code, type }: JsonObject): number | undefined {
  const byCode = typeof code === "string" ? tableEntry(statusByCode, code) : undefined;
  if (byCode !== undefined) return byCode;
  if (typeof code === "string" && (code.startsWith("invalid_image") || code.startsWith("image_"))) return 400;
  // A number among the members says it better than the kind.
  if (/^[45]\d\d$/.test(String(code))) return undefined;
  return typeof type === "string" ? tableEntry(statusByType, type) : undefined;
}

function tableEntry(table: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function unnamed(providerName: string): JsonObject {
  return { message: `provider ${providerName} ended the response as failed without saying why` };
}
