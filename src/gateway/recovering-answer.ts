// A streamed answer that other targets go on with when it breaks (behaviour 2.12, `stream_recovery: continue`).

import type { CancelListener, CancelReason } from "../core/cancellation.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import { isComing } from "../core/later.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { RecoveryOutcome, RequestRecord } from "../core/record.ts";
import type { Route } from "../core/route.ts";
import type { RecoverableDialect } from "../core/stream-recovery.ts";
import type { Target } from "../core/target.ts";
import type { Answer } from "./answer.ts";
import { nextTurn } from "./next-turn.ts";
import { runTurn, type StartedTurn, type TurnDependencies } from "./run-turn.ts";
import { ReaderChain, StreamContinuation } from "./stream-continuation.ts";
import { type Break, type RelayEnd, StreamGuard } from "./stream-guard.ts";

interface Rescue {
  readonly request: ModelRequest;
  readonly route: Route;
  readonly dialect: RecoverableDialect;
  readonly record: RequestRecord;
  readonly dependencies: TurnDependencies;
  /** Once, when there is nothing more to come. */
  readonly onEnd: () => void;
}

/**
 * Pieces go out as they come. After a break every target that is left is asked for the rest in its turn; the caller gets each missing piece once,
 * or one error event and the end. The breaker and the log see a turn that broke and the turns after it.
 */
export class RecoveringAnswer implements Answer, CancelListener {
  readonly target: Target;
  readonly contentType: string;
  readonly headers: Answer["headers"];
  readonly first: Uint8Array;
  readonly #rescue: Rescue;
  readonly #chain: ReaderChain;
  /** Which of the chain's answers the caller got last. */
  #answering = 1;
  #guard: StreamGuard;
  #over = false;
  /** What is left to be handed out of an answer that is over. */
  #last: Uint8Array | undefined;
  /** As long as another target is being asked. */
  #settled: Promise<void> | undefined;

  constructor(rescue: Rescue, target: Target, turn: StartedTurn) {
    const { answer } = turn.result;
    this.#rescue = rescue;
    this.target = target;
    this.contentType = answer.reader.contentType;
    this.headers = answer.headers;
    this.#chain = new ReaderChain(rescue.dialect.followStream(rescue.request), answer.reader, target);
    this.#guard = this.#guardOf(turn, target);
    this.first = this.#guard.first;
    // An answer that is over is never gone on with: nobody needs to know what its caller has.
    if (!this.#over) this.#chain.delivered.took(this.first);
  }

  get settled(): Promise<void> | undefined {
    return this.#settled;
  }

  get whole(): boolean {
    return this.#over;
  }

  /** Between a break and the caller's asking for more, which may never come. */
  cancelled(reason: CancelReason): void {
    this.#last = this.#stop(cancelledRequest(reason));
  }

  next(): ReturnType<Answer["next"]> {
    if (this.#over) return this.#takeLast();
    const piece = this.#guard.next();
    return isComing(piece) ? piece.then(this.#handOut) : this.#handOut(piece);
  }

  readonly #handOut = (piece: Uint8Array | undefined): ReturnType<Answer["next"]> => {
    if (piece !== undefined) {
      if (!this.#over) this.#chain.delivered.took(piece);
      return piece;
    }
    const { broken } = this.#guard;
    // Our own limit may be what broke it.
    if (broken === undefined || this.#over) return this.#takeLast();
    this.#rescue.request.cancellation.remove(this);
    const going = this.#goOn(broken);
    this.#settled = going.then(() => {
      this.#settled = undefined;
    });
    return going;
  };

  #takeLast(): Uint8Array | undefined {
    const last = this.#last;
    this.#last = undefined;
    return last;
  }

  #guardOf(turn: StartedTurn, target: Target): StreamGuard {
    const { request, dialect, record, dependencies } = this.#rescue;
    const { clock } = dependencies;
    const { answer, first, relay, attempt } = turn.result;
    const sentAt = clock.now() - attempt.durationMs;
    record.answeredBy = target;
    this.#answering = this.#chain.length;
    return new StreamGuard({
      target,
      answer,
      first,
      relay,
      request,
      clientDialect: dialect,
      clock,
      handsOverBreaks: true,
      onEnd: (end) => {
        attempt.durationMs = clock.now() - sentAt;
        const failure = end.outcome === "succeeded" ? undefined : end.failure;
        turn.open.end(turn.result, end.outcome, failure);
        if (end.outcome === "truncated") request.cancellation.add(this);
        else this.#finish(end);
      },
    });
  }

  /** The next piece from another target, or the error event that ends the stream. Never rejects. */
  async #goOn(broken: Break): Promise<Uint8Array | undefined> {
    const { request, route, record, dependencies } = this.#rescue;
    let { failure } = broken;
    let asked = false;
    try {
      if (this.#chain.delivered.obstacle() !== undefined)
        return this.#giveUp("impossible", broken.failure, broken.event);
      for (;;) {
        const { reason } = request.cancellation;
        if (reason !== undefined) return this.#stop(cancelledRequest(reason));
        const next = nextTurn(route, record.turns, failure, dependencies.failover, dependencies.providers);
        if (next instanceof Failure) break;
        asked = true;
        const continuation = new StreamContinuation(this.#chain, request, next);
        const turn = await runTurn(request, route, next, record.turns, dependencies, continuation);
        if (turn.started) {
          this.#guard = this.#guardOf(turn, next);
          return this.#handOut(this.#guard.first);
        }
        failure = turn.failure;
      }
    } catch (error) {
      return this.#giveUp("exhausted", unexpectedError(error));
    }
    if (failure.origin === "diverged") return this.#giveUp("diverged", failure);
    return this.#giveUp("exhausted", broken.failure, asked ? undefined : broken.event);
  }

  /** `event`: what ends it in place of an event of ours. */
  #giveUp(outcome: RecoveryOutcome, failure: Failure, event?: Uint8Array): Uint8Array {
    this.#finish({ outcome: "truncated", failure }, outcome);
    return event ?? this.#guard.breakOff(failure);
  }

  /** The request is over: nobody is left who would be told, or our own limit is why. */
  #stop(failure: Failure): Uint8Array | undefined {
    if (failure.origin === "cancelled") {
      this.#finish({ outcome: "cancelled", failure });
      return undefined;
    }
    return this.#giveUp(this.#chain.delivered.obstacle() === undefined ? "exhausted" : "impossible", failure);
  }

  #finish(end: RelayEnd, outcome?: RecoveryOutcome): void {
    const { record, onEnd } = this.#rescue;
    this.#over = true;
    const failure = end.outcome === "succeeded" ? undefined : end.failure;
    record.failure = failure;
    if (end.outcome === "truncated") record.streamError = end.failure.message;
    onEnd();
    // Last: should reading them fail, everything else is settled all the same.
    const parts = this.#chain.parts();
    record.facts = parts[this.#answering - 1]?.facts;
    record.brokenParts = parts.filter((_, index) => index !== this.#answering - 1);
    record.streamRecovery =
      outcome ?? (end.outcome === "succeeded" && record.brokenParts.length > 0 ? "recovered" : undefined);
  }
}
