// A gateway over scripted providers on a fake clock, with everything it did in sight.

import { Cancellation } from "../../src/core/cancellation.ts";
import { Failure } from "../../src/core/failure.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import type { FailoverPolicy } from "../../src/core/policy.ts";
import type { Provider } from "../../src/core/provider.ts";
import type { RequestRecord } from "../../src/core/record.ts";
import type { Route, Router } from "../../src/core/route.ts";
import type { RecoverableDialect } from "../../src/core/stream-recovery.ts";
import { splitSelector, targetName } from "../../src/core/target.ts";
import type { Turn } from "../../src/core/turn.ts";
import type { Answer } from "../../src/gateway/answer.ts";
import { createGateway } from "../../src/gateway/gateway.ts";
import { createBreakers } from "../../src/resilience/breakers.ts";
import { benchDialect } from "./bench-dialect.ts";
import type { FakeClock } from "./fake-clock.ts";
import { defaultFailover } from "./fake-provider.ts";

export interface Call {
  readonly cancellation: Cancellation;
  readonly record: RequestRecord;
  readonly outcome: Promise<Answer | Failure>;
  /** Everything delivered, pulled to the end. Rejects when the outcome is a failure. */
  text(): Promise<string>;
}

export function createBench(
  clock: FakeClock,
  providers: readonly Provider[],
  options: {
    /** What callers speak; default: words. */
    dialect?: RecoverableDialect;
    failover?: Partial<FailoverPolicy>;
    routeFailover?: boolean;
    streamRecovery?: Route["streamRecovery"];
    resolve?: Router["resolve"];
    earlyCommitAfterMs?: number;
  } = {},
) {
  const breakers = createBreakers({
    providers: providers.map(({ name, resilience }) => ({ name, policy: resilience.breaker })),
    clock,
    onTransition() {},
  });
  const turnsEnded: Turn[] = [];
  let turnsStarted = 0;
  const route = (model: string): Route => ({
    virtualModel: "vm",
    targets: model.split(",").map((name) => splitSelector(name) ?? { providerName: name, model: "m" }),
    failover: options.routeFailover ?? true,
    streamRecovery: options.streamRecovery ?? "off",
  });
  const gateway = createGateway({
    admission: breakers,
    clock,
    random: () => 0.5,
    observer: {
      turnStart: () => void turnsStarted++,
      turnEnd: (turn) => void turnsEnded.push(turn),
    },
    router: { resolve: options.resolve ?? route },
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    failover: { ...defaultFailover, ...options.failover },
    earlyCommitAfterMs: options.earlyCommitAfterMs ?? 0,
  });

  /** `model` is a list of targets, such as `a,b/other`. */
  const call = (
    model: string,
    details: {
      stream?: boolean;
      deadlineMs?: number;
      idempotencyKey?: string;
      operation?: ModelRequest["operation"];
      /** What the caller sent and what it says of itself, for a dialect that reads it. */
      sent?: Pick<ModelRequest, "body" | "members" | "wantsStreamUsage">;
    } = {},
  ): Call => {
    const cancellation = new Cancellation();
    const request: ModelRequest = {
      id: "r",
      operation: details.operation ?? "chat-completions",
      model,
      providerHint: undefined,
      stream: details.stream ?? false,
      body: new Uint8Array(0),
      members: [],
      wantsStreamUsage: false,
      ...details.sent,
      idempotencyKey: details.idempotencyKey,
      cancellation,
      deadline: details.deadlineMs === undefined ? undefined : clock.now() + details.deadlineMs,
    };
    const record = newRecord(clock.wallNow());
    const outcome = gateway.handle(request, options.dialect ?? benchDialect, record);
    return {
      cancellation,
      record,
      outcome,
      async text() {
        const answer = await outcome;
        if (answer instanceof Failure) throw answer;
        const decoder = new TextDecoder();
        let text = decoder.decode(answer.first);
        for (let piece = await answer.next(); piece !== undefined; piece = await answer.next()) {
          text += ` ${decoder.decode(piece)}`;
        }
        return text;
      },
    };
  };

  return {
    call,
    isRepeatUseless: gateway.isRepeatUseless,
    turnsEnded,
    get turnsStarted() {
      return turnsStarted;
    },
    breakerState: (name: string) => breakers.views().find((view) => view.providerName === name)?.state,
    breakerModels: (name: string) => breakers.views().find((view) => view.providerName === name)?.models ?? [],
  };
}

/** `a/m: first 503, retry 503 -> failed` for each turn. */
export function describeTurns(record: RequestRecord): string[] {
  return record.turns.map((turn) => {
    const attempts = turn.attempts
      .map(({ kind, statusCode, outcome }) => `${kind} ${statusCode ?? outcome}`)
      .join(", ");
    return `${targetName(turn.target)}: ${attempts}${attempts === "" ? "" : " "}-> ${turn.outcome}`;
  });
}

function newRecord(startedAt: number): RequestRecord {
  return {
    requestId: "r",
    startedAt,
    durationMs: 0,
    method: "POST",
    path: "/v1/chat/completions",
    clientIp: "127.0.0.1",
    userAgent: "test",
    authMethod: undefined,
    apiKeyHash: undefined,
    modelRoute: true,
    operation: "chat-completions",
    requestedModel: undefined,
    virtualModel: undefined,
    stream: false,
    holdsBack: false,
    turns: [],
    answeredBy: undefined,
    statusCode: 0,
    failure: undefined,
    streamError: undefined,
    firstEventMs: undefined,
    facts: undefined,
    brokenParts: [],
    streamRecovery: undefined,
    cost: undefined,
    requestBody: undefined,
    responseBody: [],
    requestHeaders: undefined,
    requestLength: undefined,
    responseHeaders: undefined,
  };
}
