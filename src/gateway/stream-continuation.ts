// One target's try to go on with a broken stream: asked to go on, or started afresh and read past what the caller has.

import type { Issuer } from "../core/chat-request.ts";
import type { Failure } from "../core/failure.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { AnswerReader, PreparedCall, Provider } from "../core/provider.ts";
import type { BrokenPart } from "../core/record.ts";
import type { ResumeRule } from "../core/resume-rule.ts";
import type { DeliveredStream, ResumedReader } from "../core/stream-recovery.ts";
import type { Target } from "../core/target.ts";
import type { Continuation } from "./run-turn.ts";

/** The readers of one request's stream, one after the other, each with whose answer it reads. */
export class ReaderChain {
  readonly delivered: DeliveredStream;
  readonly #brokenTargets: Target[] = [];
  #latest: AnswerReader;
  #latestTarget: Target;
  #hasHoles = false;

  constructor(delivered: DeliveredStream, reader: AnswerReader, target: Target) {
    this.delivered = delivered;
    this.#latest = reader;
    this.#latestTarget = target;
  }

  /** Events were left out of what the caller has: to have a model build on that would pass for the model's own words. */
  get hasHoles(): boolean {
    return this.#hasHoles || (this.#latest.facts().skippedEvents ?? 0) > 0;
  }

  /** The reader to use for the answer of `target`. */
  add(reader: AnswerReader, target: Target, rule: ResumeRule): ResumedReader {
    this.#hasHoles = this.hasHoles;
    const resumed = this.delivered.resume(reader, rule, this.#latest.facts());
    this.#brokenTargets.push(this.#latestTarget);
    this.#latest = resumed;
    this.#latestTarget = target;
    return resumed;
  }

  /** How many answers were read. */
  get length(): number {
    return this.#brokenTargets.length + 1;
  }

  /** What each answer told about itself, in order. */
  parts(): readonly BrokenPart[] {
    const broken = this.delivered.brokenParts();
    const parts = this.#brokenTargets.flatMap((target, index) => {
      const facts = broken[index];
      return facts === undefined ? [] : [{ target, facts }];
    });
    return [...parts, { target: this.#latestTarget, facts: this.#latest.facts() }];
  }
}

/** Statuses that say nothing about the form of a request. */
const otherRefusals = [401, 403, 408, 429];

export class StreamContinuation implements Continuation {
  readonly #chain: ReaderChain;
  readonly #request: ModelRequest;
  readonly #target: Target;
  /** How to start afresh instead, as long as the target is being asked to go on. */
  #startAfresh: (() => PreparedCall) | undefined;
  #reader: ResumedReader | undefined;

  constructor(chain: ReaderChain, request: ModelRequest, target: Target) {
    this.#chain = chain;
    this.#request = request;
    this.#target = target;
  }

  prepare(provider: Provider, model: string, firstIssuer: Issuer | undefined): PreparedCall {
    const afresh = (): PreparedCall => this.#resuming(provider.prepare(this.#request, model, firstIssuer), "fresh");
    const rule = provider.prefillRule(model);
    const asking = rule === undefined || this.#chain.hasHoles ? undefined : this.#chain.delivered.continuation();
    if (rule === undefined || asking === undefined) return afresh();
    this.#startAfresh = afresh;
    return this.#resuming(provider.prepare(asking, model, firstIssuer), rule);
  }

  /** A target that does not want to go on, or that began again with all of it, is asked for a fresh start. */
  insteadAfter(failure: Failure): PreparedCall | undefined {
    const startAfresh = this.#startAfresh;
    if (startAfresh === undefined) return undefined;
    const { origin, status } = failure;
    const refused = origin === "status" && status >= 400 && status <= 499 && !otherRefusals.includes(status);
    if (!refused && this.#reader?.state !== "repeats-prefill") return undefined;
    this.#startAfresh = undefined;
    return startAfresh();
  }

  #resuming(call: PreparedCall, rule: ResumeRule): PreparedCall {
    return {
      send: async (options) => {
        const answer = await call.send(options);
        try {
          this.#reader = this.#chain.add(answer.reader, this.#target, rule);
        } catch (error) {
          answer.body.cancel();
          throw error;
        }
        return { ...answer, reader: this.#reader };
      },
      insteadAfter: (failure) => {
        const instead = call.insteadAfter?.(failure);
        return instead === undefined ? undefined : this.#resuming(instead, rule);
      },
    };
  }
}
