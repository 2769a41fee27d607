// One request, start to finish: whose turn is it, until one succeeds or none is left.

import type { CancelTimer } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Route, Router } from "../core/route.ts";
import type { RecoverableDialect } from "../core/stream-recovery.ts";
import type { Target } from "../core/target.ts";
import { thrownAwayParts } from "../core/thrown-away.ts";
import type { Turn } from "../core/turn.ts";
import { type Answer, WholeAnswer } from "./answer.ts";
import { answerEarly } from "./early-answer.ts";
import { nextTurn } from "./next-turn.ts";
import { RecoveringAnswer } from "./recovering-answer.ts";
import { isRepeatUseless } from "./retry-advice.ts";
import { runTurn, type StartedTurn, type TurnDependencies } from "./run-turn.ts";
import { drain, StreamGuard } from "./stream-guard.ts";

export interface GatewayDependencies extends TurnDependencies {
  readonly router: Router;
  /** `server.early_commit_after`, milliseconds; 0 = never. */
  readonly earlyCommitAfterMs: number;
}

export interface Gateway {
  /**
   * Fills `record` as things happen; its turns are complete when the answer has ended. Never rejects. A stream that takes long may have an early
   * answer, whose turns are still going on.
   */
  handle(request: ModelRequest, dialect: RecoverableDialect, record: RequestRecord): Promise<Answer | Failure>;
  /** Whether the caller, too, had better not repeat what ended with `failure` after these turns. */
  isRepeatUseless(failure: Failure, turns: readonly Turn[]): boolean;
}

export function createGateway(dependencies: GatewayDependencies): Gateway {
  const { clock, earlyCommitAfterMs, failover, providers } = dependencies;
  return {
    handle(request, dialect, record) {
      const outcome = sweep(request, dialect, record, dependencies);
      // The sweep has run up to its first wait: the route of a known model is found.
      const afterMs = request.stream ? earlyAfterMs(record.holdsBack, earlyCommitAfterMs) : 0;
      return afterMs === 0 ? outcome : answerEarly(outcome, afterMs, { dialect, record, clock });
    },

    isRepeatUseless(failure, turns) {
      const last = turns.at(-1)?.target.providerName ?? "";
      return isRepeatUseless(failure, turns, failover, providers.get(last)?.resilience.retry.maxRetryAfterMs ?? 0);
    },
  };
}

/** Who is kept waiting for a whole stream gets signs of life before any balancer gives up (behaviour 2.12, `buffer`). */
const holdingBackMs = 15_000;

function earlyAfterMs(holdsBack: boolean, configuredMs: number): number {
  if (!holdsBack) return configuredMs;
  return configuredMs === 0 ? holdingBackMs : Math.min(configuredMs, holdingBackMs);
}

async function sweep(
  request: ModelRequest,
  dialect: RecoverableDialect,
  record: RequestRecord,
  dependencies: GatewayDependencies,
): Promise<Answer | Failure> {
  const begun = dependencies.clock.now();
  const stopDeadline = startDeadline(request, dependencies);
  let failure: Failure;
  try {
    const resolved = dependencies.router.resolve(request.model, request.providerHint);
    const found = resolved instanceof Promise ? await resolved : resolved;
    if (found instanceof Failure) failure = found;
    else {
      record.virtualModel = found.virtualModel;
      record.holdsBack = request.stream && found.streamRecovery === "buffer";
      // Vectors of another model are no substitute: embeddings stay with the chosen target.
      const route = request.operation === "embeddings" ? { ...found, failover: false } : found;
      let lastFailure: Failure | undefined;
      for (;;) {
        const { reason } = request.cancellation;
        if (reason !== undefined) {
          failure = cancelledRequest(reason);
          break;
        }
        const next = nextTurn(route, record.turns, lastFailure, dependencies.failover, dependencies.providers);
        if (next instanceof Failure) {
          failure = next;
          break;
        }
        const turn = await runTurn(request, route, next, record.turns, dependencies);
        if (turn.started) {
          const committed = { request, route, dialect, record, dependencies, onEnd: () => stopDeadline?.() };
          try {
            return commit(committed, next, turn, begun);
          } catch (error) {
            // A mistake of ours: nobody is left who would end the turn.
            turn.result.answer.body.cancel();
            turn.open.end(turn.result, "truncated", unexpectedError(error));
            throw error;
          }
        }
        // That another target cannot be asked this way is not what the caller has to be told: what failed before is.
        if (lastFailure === undefined || turn.failure.origin !== "request") lastFailure = turn.failure;
      }
    }
  } catch (error) {
    failure = error instanceof Failure ? error : unexpectedError(error);
  }
  stopDeadline?.();
  record.failure = failure;
  if (record.holdsBack) record.brokenParts = thrownAwayParts(record.turns, undefined);
  return failure;
}

/** Cancels the request when its time is over; gives back how to stop that, undefined when it has all the time. */
function startDeadline(request: ModelRequest, { clock }: GatewayDependencies): CancelTimer | undefined {
  if (request.deadline === undefined) return undefined;
  return clock.schedule(request.deadline - clock.now(), () => request.cancellation.cancel("deadline"));
}

/** What has been committed to. */
interface Committed {
  readonly request: ModelRequest;
  readonly route: Route;
  readonly dialect: RecoverableDialect;
  readonly record: RequestRecord;
  readonly dependencies: GatewayDependencies;
  readonly onEnd: () => void;
}

/** From here on the caller has its status; what is left is to bring the answer to an end. `begun`: when the request came, monotonic. */
function commit(committed: Committed, target: Target, turn: StartedTurn, begun: number): Answer {
  const { request, route, record, dependencies, onEnd } = committed;
  const { answer, first, relay } = turn.result;
  record.answeredBy = target;
  if (request.stream) record.firstEventMs = dependencies.clock.now() - begun;
  // Most answers are whole by now; what is a stream gets a guard.
  if (first.complete && first.failure === undefined) {
    turn.open.end(turn.result, "succeeded", undefined);
    onEnd();
    record.facts = answer.reader.facts();
    if (record.holdsBack) record.brokenParts = thrownAwayParts(record.turns, record.facts.usage);
    drain(answer.body, dependencies.clock);
    return new WholeAnswer(target, answer, relay);
  }
  const mayGoOn = request.stream && route.streamRecovery === "continue" && route.targets.length > 1;
  return mayGoOn ? new RecoveringAnswer(committed, target, turn) : guarded(committed, target, turn);
}

function guarded(committed: Committed, target: Target, turn: StartedTurn): Answer {
  const { request, dialect, record, dependencies, onEnd } = committed;
  const { clock } = dependencies;
  const { answer, first, relay, attempt } = turn.result;
  const sentAt = clock.now() - attempt.durationMs;
  return new StreamGuard({
    target,
    answer,
    first,
    relay,
    request,
    clientDialect: dialect,
    clock,
    onEnd(end) {
      attempt.durationMs = clock.now() - sentAt;
      const failure = end.outcome === "succeeded" ? undefined : end.failure;
      if (end.outcome === "truncated") record.streamError = end.failure.message;
      record.failure = failure;
      turn.open.end(turn.result, end.outcome, failure);
      onEnd();
      // Last: should reading them fail, the permit is settled all the same.
      record.facts = answer.reader.facts();
    },
  });
}
