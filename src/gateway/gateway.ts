// One request, start to finish: whose turn is it, until one succeeds or none is left.

import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import type { ClientDialect, ModelRequest } from "../core/model-request.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Provider } from "../core/provider.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Router } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import { nextTurn } from "./next-turn.ts";
import { runTurn, type StartedTurn, type TurnDependencies } from "./run-turn.ts";
import { StreamGuard } from "./stream-guard.ts";

export interface GatewayDependencies extends TurnDependencies {
  readonly router: Router;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly failover: FailoverPolicy;
}

/** A committed answer: the status is 200 from here on. */
export interface Answer {
  readonly target: Target;
  readonly contentType: string;
  /** `retry-after*` and `x-ratelimit-*` of the provider. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly first: Uint8Array;
  /** `first` is all there is. */
  readonly whole: boolean;
  /** Pieces after `first`; undefined after the last. Never rejects; a break is an error event in the caller's dialect. */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

export interface Gateway {
  /** Fills `record` as things happen; its turns are complete when the answer has ended. Never rejects. */
  handle(request: ModelRequest, dialect: ClientDialect, record: RequestRecord): Promise<Answer | Failure>;
}

export function createGateway(dependencies: GatewayDependencies): Gateway {
  return {
    async handle(request, dialect, record) {
      const stopDeadline = startDeadline(request, dependencies);
      let outcome: Answer | Failure;
      try {
        outcome = await sweep(request, dialect, record, dependencies, stopDeadline);
      } catch (error) {
        outcome = error instanceof Failure ? error : unexpectedError(error);
      }
      if (outcome instanceof Failure) {
        stopDeadline();
        record.failure = outcome;
      }
      return outcome;
    },
  };
}

/** Cancels the request when its time is over; gives back how to stop that. */
function startDeadline(request: ModelRequest, { clock }: GatewayDependencies): () => void {
  if (request.deadline === undefined) return () => {};
  return clock.schedule(request.deadline - clock.now(), () => request.cancellation.cancel("deadline"));
}

async function sweep(
  request: ModelRequest,
  dialect: ClientDialect,
  record: RequestRecord,
  dependencies: GatewayDependencies,
  onEnd: () => void,
): Promise<Answer | Failure> {
  const begun = dependencies.clock.now();
  const resolved = dependencies.router.resolve(request.model, request.providerHint);
  const found = resolved instanceof Promise ? await resolved : resolved;
  if (found instanceof Failure) return found;
  record.virtualModel = found.virtualModel;
  // Vectors of another model are no substitute: embeddings stay with the chosen target.
  const route = request.operation === "embeddings" ? { ...found, failover: false } : found;
  let lastFailure: Failure | undefined;
  for (;;) {
    const { reason } = request.cancellation;
    if (reason !== undefined) return cancelledRequest(reason);
    const next = nextTurn(route, record.turns, lastFailure, dependencies.failover);
    if (next.kind === "give-up") return next.failure;
    const provider = dependencies.providers.get(next.target.providerName);
    if (provider === undefined) throw new Error(`the route names an unknown provider: ${next.target.providerName}`);
    const turn = await runTurn(request, next.target, provider, record.turns, dependencies);
    if (turn.started)
      return commit({ request, dialect, record, target: next.target, turn, begun, onEnd }, dependencies);
    lastFailure = turn.failure;
  }
}

/** From here on the caller has its status; what is left is to bring the answer to an end. */
function commit(
  committed: {
    readonly request: ModelRequest;
    readonly dialect: ClientDialect;
    readonly record: RequestRecord;
    readonly target: Target;
    readonly turn: StartedTurn;
    /** When the request came, monotonic. */
    readonly begun: number;
    readonly onEnd: () => void;
  },
  { clock }: GatewayDependencies,
): Answer {
  const { request, record, target, turn } = committed;
  const { answer, first, relay, attempt } = turn.result;
  const now = clock.now();
  const sentAt = now - attempt.durationMs;
  record.answeredBy = target;
  if (request.stream) record.firstEventMs = now - committed.begun;
  const guard = new StreamGuard({
    answer,
    first,
    relay,
    request,
    clientDialect: committed.dialect,
    clock,
    onEnd(end) {
      attempt.durationMs = clock.now() - sentAt;
      const failure = end.outcome === "succeeded" ? undefined : end.failure;
      if (end.outcome === "truncated") record.streamError = end.failure.message;
      record.failure = failure;
      turn.end(end.outcome, failure);
      committed.onEnd();
      // Last: should reading them fail, the permit is settled all the same.
      record.facts = answer.reader.facts();
    },
  });
  return {
    target,
    contentType: answer.reader.contentType,
    headers: answer.headers,
    first: guard.first,
    whole: guard.ended,
    next: () => guard.next(),
  };
}
