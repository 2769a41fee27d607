// Request records for tests: a complete, unremarkable one, with what a test says instead.

import { Failure } from "../../src/core/failure.ts";
import type { KeptHeaders, RequestRecord } from "../../src/core/record.ts";
import type { Attempt, Turn } from "../../src/core/turn.ts";
import type { Usage } from "../../src/core/usage.ts";

/** When the requests of `requestRecord` start. */
export const recordStart = Date.UTC(2026, 0, 15, 12);

export const plainUsage: Usage = {
  inputTokens: 120,
  outputTokens: 45,
  totalTokens: 165,
  cachedInputTokens: 64,
  cacheWriteTokens: 0,
  reasoningTokens: 7,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  cacheIsExtra: false,
  reasoningIsExtra: false,
  unmappedFields: [],
  raw: {},
};

/** A try that succeeded after 12.5 ms. */
export function attempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    kind: "first",
    startedAt: recordStart,
    durationMs: 12.5,
    firstEventMs: undefined,
    outcome: "succeeded",
    statusCode: 200,
    failure: undefined,
    ...overrides,
  };
}

/** A turn of `openai-eu/gpt-4o-mini` with one good attempt. */
export function turn(overrides: Partial<Turn> = {}): Turn {
  return {
    target: { providerName: "openai-eu", model: "gpt-4o-mini" },
    startedAt: recordStart,
    attempts: [attempt()],
    outcome: "succeeded",
    failure: undefined,
    committed: true,
    establishedMs: 12.5,
    ...overrides,
  };
}

/** Request headers as a record has them. */
export function keptHeaders(headers: Readonly<Record<string, string>>): KeptHeaders {
  return { rendered: (render) => render(headers) };
}

/** An error answer of a provider. */
export function statusFailure(status: number, message: string, code: string | null = null): Failure {
  return new Failure({ origin: "status", status, type: "provider_error", message, code });
}

/** A chat request to `smart` that `openai-eu/gpt-4o-mini` answered at once. */
export function requestRecord(overrides: Partial<RequestRecord> = {}): RequestRecord {
  return {
    requestId: "req-1",
    startedAt: recordStart,
    durationMs: 15.25,
    method: "POST",
    path: "/v1/chat/completions",
    clientIp: "10.0.0.12",
    userAgent: "OpenAI/JS 6.49.0",
    authMethod: "master_key",
    apiKeyHash: "0123456789abcdef",
    modelRoute: true,
    operation: "chat-completions",
    requestedModel: "smart",
    virtualModel: "smart",
    stream: false,
    holdsBack: false,
    turns: [turn()],
    answeredBy: { providerName: "openai-eu", model: "gpt-4o-mini" },
    statusCode: 200,
    failure: undefined,
    streamError: undefined,
    firstEventMs: undefined,
    facts: { usage: plainUsage, emptyReason: undefined },
    brokenParts: [],
    streamRecovery: undefined,
    cost: { inputUsd: 0.000018, outputUsd: 0.000027, totalUsd: 0.000045, source: "model_pricing", caveat: null },
    requestBody: undefined,
    responseBody: [],
    requestHeaders: undefined,
    requestLength: undefined,
    responseHeaders: undefined,
    ...overrides,
  };
}
