// Calls to the database thread as promises; a thread that dies fails its calls and is replaced at the next one.

import type { Answers, Call, Kind, Outcome, Questions, Reply } from "./worker-protocol.ts";

/** A running thread. */
export interface Thread {
  post(call: Call): void;
  terminate(): void;
}

/** Starts a thread. `died` is called at most once, never after `terminate`. */
export type StartThread = (events: { reply(reply: Reply): void; died(why: string): void }) => Thread;

type Settle = (outcome: Outcome<Answers[Kind]>) => void;

export class WorkerLink {
  readonly #start: StartThread;
  #thread: Thread | undefined;
  #calls = 0;
  readonly #pending = new Map<number, Settle>();

  constructor(start: StartThread) {
    this.#start = start;
  }

  /** Never rejects. */
  call<K extends Kind>(kind: K, question: Questions[K]): Promise<Outcome<Answers[K]>> {
    return new Promise((resolve) => {
      const call = ++this.#calls;
      // The thread answers a call with the answer of its kind.
      this.#pending.set(call, (outcome) => resolve(outcome as Outcome<Answers[K]>));
      try {
        this.#thread ??= this.#startThread();
        this.#thread.post({ call, kind, question } as Call);
      } catch (error) {
        this.#settle(call, died(error instanceof Error ? error.message : String(error)));
      }
    });
  }

  /** Ends the thread without asking it. */
  stop(): void {
    this.#thread?.terminate();
    this.#abandon("the database thread was stopped");
  }

  #startThread(): Thread {
    return this.#start({
      reply: (reply) => this.#settle(reply.call, reply.outcome),
      died: (why) => this.#abandon(why),
    });
  }

  #abandon(why: string): void {
    this.#thread = undefined;
    for (const call of this.#pending.keys()) this.#settle(call, died(why));
  }

  #settle(call: number, outcome: Outcome<Answers[Kind]>): void {
    const settle = this.#pending.get(call);
    this.#pending.delete(call);
    settle?.(outcome);
  }
}

function died(message: string): Outcome<never> {
  return { ok: false, failure: { reason: "worker", code: "WORKER_DIED", message } };
}
