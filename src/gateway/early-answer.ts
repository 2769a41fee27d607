// The answer to a stream's caller who waits long: 200 and comments, while it is still open who answers and whether anybody does (behaviour 2.12).

import type { CancelTimer, Clock } from "../core/clock.ts";
import { Failure } from "../core/failure.ts";
import type { ClientDialect } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Answer } from "./answer.ts";

/** Shorter than the idle limit of any balancer. */
const heartbeatMs = 15_000;

/** What an early answer needs besides the outcome it waits for. */
export interface EarlyAnswerTools {
  readonly dialect: ClientDialect;
  readonly record: RequestRecord;
  readonly clock: Clock;
}

/**
 * `outcome` itself when it is there within `afterMs`, else an early answer that goes on with it. `outcome` must not reject. It may be an early answer
 * in its turn.
 */
export function answerEarly(
  outcome: Promise<Answer | Failure>,
  afterMs: number,
  tools: EarlyAnswerTools,
): Promise<Answer | Failure> {
  return new Promise((resolve) => {
    let early: EarlyAnswer | undefined;
    const cancelTimer = tools.clock.schedule(afterMs, () => {
      early = new EarlyAnswer(outcome, tools);
      resolve(early);
    });
    void outcome.then((found) => {
      cancelTimer();
      if (early === undefined) resolve(found);
      else early.settle(found);
    });
  });
}

/** A comment at once and after every 15 s of waiting, then the answer, or the failure as an event and the end. */
export class EarlyAnswer implements Answer {
  readonly target = undefined;
  readonly contentType: string;
  readonly headers: Answer["headers"] = [];
  readonly first: Uint8Array;
  readonly whole = false;
  readonly #tools: EarlyAnswerTools;
  readonly #settled: Promise<void>;
  #outcome: Answer | Failure | undefined;
  #begun = false;
  #takePiece: ((piece: ReturnType<Answer["next"]>) => void) | undefined;
  #cancelHeartbeat: CancelTimer | undefined;

  constructor(outcome: Promise<Answer | Failure>, tools: EarlyAnswerTools) {
    this.#tools = tools;
    this.contentType = tools.dialect.streamContentType;
    this.first = tools.dialect.heartbeat;
    this.#settled = outcome.then((found) => (found instanceof Failure ? undefined : found.settled));
  }

  /** Resolves when it is settled who answers: a caller who leaves before has turns that end a moment after. Never rejects. */
  get settled(): Promise<void> | undefined {
    const outcome = this.#outcome;
    // An answer may settle again: when it breaks, and another target is asked.
    return outcome === undefined || outcome instanceof Failure ? this.#settled : outcome.settled;
  }

  next(): ReturnType<Answer["next"]> {
    const outcome = this.#outcome;
    if (outcome !== undefined) return this.#pieceOf(outcome);
    const { clock, dialect } = this.#tools;
    return new Promise((resolve) => {
      this.#takePiece = resolve;
      this.#cancelHeartbeat = clock.schedule(heartbeatMs, () => {
        this.#takePiece = undefined;
        resolve(dialect.heartbeat);
      });
    });
  }

  /** Who answers is known, or that nobody does. Called once. */
  settle(outcome: Answer | Failure): void {
    this.#outcome = outcome;
    if (outcome instanceof Failure && outcome.origin !== "cancelled") this.#tools.record.streamError = outcome.message;
    const take = this.#takePiece;
    if (take === undefined) return;
    this.#takePiece = undefined;
    this.#cancelHeartbeat?.();
    take(this.#pieceOf(outcome));
  }

  #pieceOf(outcome: Answer | Failure): ReturnType<Answer["next"]> {
    const isFirst = !this.#begun;
    this.#begun = true;
    if (!(outcome instanceof Failure)) return isFirst ? outcome.first : outcome.next();
    // Nobody reads what a caller who left would be told.
    return isFirst && outcome.origin !== "cancelled" ? this.#tools.dialect.failureEvent(outcome) : undefined;
  }
}
