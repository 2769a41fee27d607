// A caller's request translated for a provider of another dialect, and the reader of its answer, as the gateway puts them together.

import type { Dialect } from "../../src/core/chat-request.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import type { AnswerReader } from "../../src/core/provider.ts";
import type { TranslationTarget } from "../../src/core/translation.ts";
import { plainUsage } from "../../src/dialects/answers/usage.ts";
import { createAnswerReader } from "../../src/providers/answer-reader.ts";
import { clientTranslator, hubRequest, providerTranslator, translateRequest } from "../../src/providers/call-plan.ts";
import { createRedactor } from "../../src/providers/redaction.ts";
import { requestOf } from "./provider-bench.ts";

export type CallerDialect = Exclude<Dialect, "gemini">;

export interface Exchange {
  readonly caller: CallerDialect;
  readonly provider: Dialect;
  readonly target: Omit<TranslationTarget, "dropped">;
  readonly request: ModelRequest;
  /** What the gateway makes up: ids, seconds since the epoch, tokens. */
  readonly madeUp: { readonly newId: () => string; readonly now: number; readonly inputTokens: number };
  /** Streams: whether an event that is no JSON is left out. Default: false. */
  readonly skipMalformed?: boolean;
}

/** A caller's request with these members. */
export function callerRequest(caller: CallerDialect, members: Readonly<Record<string, unknown>>): ModelRequest {
  return requestOf(members, { operation: caller });
}

export interface TranslatedRequest {
  /** JSON text. */
  readonly body: string;
  /** Fields that were left out. */
  readonly dropped: readonly string[];
}

/** Throws the 400 `Failure` of what cannot be translated. */
export function translated({ provider, target, request }: Exchange): TranslatedRequest {
  const dropped: string[] = [];
  const { body } = translateRequest(request, provider, { ...target, dropped: (field) => dropped.push(field) });
  return { body: new TextDecoder().decode(body), dropped };
}

/** Reads one answer of the provider and gives it in the caller's dialect. */
export function answerReader(exchange: Exchange): AnswerReader {
  const { caller, provider, target, request, madeUp } = exchange;
  const { providerName, providerType, issuer } = target;
  const hub = hubRequest(request);
  const redactor = createRedactor({ apiKeys: [], customUpstreamHeaders: [] });
  return createAnswerReader(
    {
      operation: request.operation,
      dialect: provider,
      stream: request.stream,
      collectsStream: false,
      cutUsageEvent: false,
      stopSequences: [],
      usageFamily: plainUsage,
      severalChoices: request.stream && (hub.choices ?? 1) !== 1,
      translation: () => ({
        from: providerTranslator(provider),
        to: clientTranslator(caller),
        stream: request.stream,
        origin: { providerName, providerType, issuer },
        context: {
          request: hub,
          providerType,
          issuer,
          newId: madeUp.newId,
          now: madeUp.now,
          estimateInputTokens: () => madeUp.inputTokens,
        },
        stopSequences: provider === "responses" ? (hub.stop ?? []) : [],
      }),
    },
    { get: () => undefined, says: () => false, entries: () => [] },
    [],
    { providerName, clock: systemClock, redactor },
    exchange.skipMalformed ?? false,
  );
}
