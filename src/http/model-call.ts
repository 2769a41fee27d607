// The model routes: reads the envelope of a call, hands it to the gateway and delivers what comes back.

import { Failure } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import { readModelRequest } from "../dialects/read-request.ts";
import { EarlyAnswer } from "../gateway/early-answer.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { callerQuery } from "./caller-query.ts";
import { clientDialects } from "./client-dialects.ts";
import { deliver, type DeliverySettings } from "./deliver.ts";
import { errorResponse, refuse } from "./error-response.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./listener/reply.ts";
import { readBody } from "./read-body.ts";

export interface ModelCallSettings extends DeliverySettings {
  readonly gateway: Gateway;
  readonly bodySizeLimitBytes: number;
  /** `REQUEST_DEADLINE`, milliseconds; 0 = off. */
  readonly requestDeadlineMs: number;
  /** Errors that retries and failover could not cure say so. */
  readonly adviseNoRetry: boolean;
}

/** Answers with the model's answer or with the failure that keeps it from having one. Never rejects. */
export async function callModel(
  exchange: Exchange,
  operation: Operation,
  headers: Record<string, string>,
  settings: ModelCallSettings,
): Promise<Reply> {
  const { record, request, cancellation } = exchange;
  const dialect = clientDialects[operation];
  record.operation = operation;
  try {
    const reading = readBody(request, settings.bodySizeLimitBytes, cancellation);
    const body = reading instanceof Promise ? await reading : reading;
    exchange.bytesIn = body.length;
    if (settings.keepBodyBytes > 0) record.requestBody = body;
    const facts = readModelRequest(body, operation);
    if (facts instanceof Failure) throw facts;
    record.requestedModel = facts.model;
    record.stream = facts.stream;
    const query = callerQuery(request.target);
    const modelRequest: ModelRequest = {
      id: record.requestId,
      operation,
      model: facts.model,
      providerHint: facts.providerHint,
      stream: facts.stream,
      ...(query === undefined ? {} : { query }),
      body,
      members: facts.members,
      wantsStreamUsage: facts.wantsStreamUsage,
      idempotencyKey: validIdempotencyKey(request.headers.get("idempotency-key")),
      callerHeaders: request.headers,
      cancellation,
      deadline: settings.requestDeadlineMs > 0 ? exchange.receivedAt + settings.requestDeadlineMs : undefined,
    };
    const outcome = await settings.gateway.handle(modelRequest, dialect, record);
    // Early answers go out before anybody knows who will answer.
    if (!(outcome instanceof EarlyAnswer)) describeTurns(record, headers);
    if (outcome instanceof Failure) {
      if (outcome.origin === "bug") settings.onBug(outcome.cause, record.requestId);
      if (settings.adviseNoRetry && settings.gateway.isRepeatUseless(outcome, record.turns)) {
        headers["x-should-retry"] = "false";
      }
      exchange.end(outcome.status);
      return errorResponse(outcome, headers, dialect);
    }
    return deliver(exchange, outcome, headers, settings);
  } catch (error) {
    return refuse(exchange, headers, error, settings.onBug);
  }
}

/** Who answered and after how many tries, also for an error: the caller sees a failover happening. */
function describeTurns(record: RequestRecord, headers: Record<string, string>): void {
  const last = record.answeredBy ?? record.turns.at(-1)?.target;
  if (last === undefined) return;
  headers["X-GoModel-Provider"] = headerValue(last.providerName);
  headers["X-GoModel-Model"] = headerValue(last.model);
  let attempts = 0;
  for (const turn of record.turns) attempts += turn.attempts.length;
  headers["X-GoModel-Attempts"] = String(attempts);
}

/** Model names are the caller's: what a header cannot hold is encoded. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}

/** 1 to 255 visible ASCII characters, else as if it had not been sent (owner's page "Ausfallsicherheit"). */
function validIdempotencyKey(value: string | null): string | undefined {
  return value !== null && /^[\x21-\x7e]{1,255}$/.test(value) ? value : undefined;
}
