// A provider whose every attempt is written down beforehand, for tests of the gateway without sockets.

import type { Cancellation } from "../../src/core/cancellation.ts";
import type { Clock } from "../../src/core/clock.ts";
import { cancelledRequest, errorTypeOf, Failure } from "../../src/core/failure.ts";
import { statusList } from "../../src/core/http-status.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import type {
  BreakerPolicy,
  FailoverPolicy,
  ResiliencePolicy,
  RetryPolicy,
  UpstreamLimits,
} from "../../src/core/policy.ts";
import type { AnswerReader, PreparedCall, Provider, ReadStep, UpstreamAnswer } from "../../src/core/provider.ts";
import { noLimits } from "./upstream-call.ts";

/**
 * One piece of a scripted answer: a word is a data event, `FIN` the finish, `DONE` the terminal, `ERR` the provider's own error event,
 * `BAD` an event that is none, `CUT` a connection that breaks; a number is a silence in milliseconds, `EOF` the end of the body.
 */
export type Piece = string | number;

/** What one attempt meets: a failure, or an answer after `headersMs`. `reducible`: the call has something to send instead after it. */
export type Script =
  | { readonly fail: Failure; readonly afterMs?: number; readonly reducible?: true }
  | { readonly pieces: readonly Piece[]; readonly headersMs?: number; readonly buffered?: boolean };

export const defaultRetry: RetryPolicy = {
  maxRetries: 3,
  initialBackoffMs: 1000,
  maxBackoffMs: 30_000,
  backoffFactor: 2,
  jitterFactor: 0,
  retryOnStatuses: statusList([429, 502, 503, 504, 522, 524]),
  maxRetryAfterMs: 10_000,
  streaming: "never",
};

export const defaultBreaker: BreakerPolicy = {
  enabled: true,
  failureThreshold: 5,
  successThreshold: 2,
  timeoutMs: 30_000,
  scope: "provider",
  failureOnStatuses: statusList([429, "5xx"]),
  slowCallThresholdMs: 0,
};

export const defaultFailover: FailoverPolicy = {
  enabled: true,
  maxAttempts: 0,
  statuses: statusList([429, "5xx"]),
  phrases: [["model", "not", "found"]],
  retriesBeforeFailover: -1,
};

export function statusFailure(status: number, details: { retryAfterMs?: number; message?: string } = {}): Failure {
  return new Failure({
    origin: "status",
    status,
    type: errorTypeOf(status),
    message: details.message ?? `upstream said ${status}`,
    ...(details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs }),
  });
}

export function transportFailure(): Failure {
  return new Failure({
    origin: "transport",
    status: 502,
    type: "provider_error",
    message: "failed to send request: refused",
  });
}

export function timeoutFailure(): Failure {
  return new Failure({ origin: "timeout", status: 504, type: "provider_error", message: "request timed out" });
}

export class FakeProvider implements Provider {
  readonly name: string;
  readonly type = "openai";
  readonly unmarkedIssuer = (): string => "openai";
  readonly resilience: ResiliencePolicy;
  readonly limits: UpstreamLimits;
  /** Each attempt: when it was sent and with which key and model, when it was to give way, and whether malformed events were to be left out. */
  readonly sent: {
    readonly at: number;
    readonly model: string;
    readonly idempotencyKey: string | undefined;
    readonly giveWayAfterMs: number;
    readonly skipMalformed: boolean;
  }[] = [];
  /** Bodies that were closed before their end. */
  cancelled = 0;
  /** Answers whose first event was announced. */
  started = 0;
  readonly #reducible = new Set<Failure>();
  readonly #scripts: Script[];
  readonly #clock: Clock;

  /** The last script repeats. */
  constructor(
    name: string,
    clock: Clock,
    scripts: readonly Script[],
    policy: {
      retry?: Partial<RetryPolicy>;
      breaker?: Partial<BreakerPolicy>;
      maxAttemptsPerRequest?: number;
      limits?: Partial<UpstreamLimits>;
    } = {},
  ) {
    this.name = name;
    this.#clock = clock;
    this.#scripts = [...scripts];
    this.resilience = {
      retry: { ...defaultRetry, ...policy.retry },
      breaker: { ...defaultBreaker, ...policy.breaker },
      maxAttemptsPerRequest: policy.maxAttemptsPerRequest ?? 0,
    };
    this.limits = { ...noLimits, ...policy.limits };
  }

  prefillRule(): undefined {}

  prepare(request: ModelRequest, model: string): PreparedCall {
    return {
      insteadAfter: (failure) => (this.#reducible.has(failure) ? this.prepare(request, model) : undefined),
      send: async ({ idempotencyKey, giveWayAfterMs = 0, skipMalformed = false }) => {
        const sentAt = this.#clock.now();
        this.sent.push({ at: sentAt, model, idempotencyKey, giveWayAfterMs, skipMalformed });
        const giveWayAt = giveWayAfterMs > 0 ? sentAt + giveWayAfterMs : Infinity;
        const { cancellation } = request;
        const script = this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0];
        if (script === undefined) throw new Error(`nothing is scripted for ${this.name}`);
        if ("fail" in script) {
          if (script.reducible === true) this.#reducible.add(script.fail);
          await this.#pause(script.afterMs ?? 0, cancellation, giveWayAt);
          throw script.fail;
        }
        await this.#pause(script.headersMs ?? 0, cancellation, giveWayAt);
        const buffered = script.buffered === true;
        return this.#answer(script.pieces, buffered, cancellation, buffered ? Infinity : giveWayAt);
      },
    };
  }

  #answer(
    pieces: readonly Piece[],
    buffered: boolean,
    cancellation: Cancellation,
    /** Ends with the first event. */
    giveWayAt: number,
  ): UpstreamAnswer {
    const left = [...pieces];
    let limit = giveWayAt;
    let closed = false;
    let wake: (() => void) | undefined;
    return {
      status: 200,
      headers: [],
      reader: createReader(buffered),
      body: {
        read: async () => {
          for (;;) {
            if (cancellation.reason !== undefined) throw cancelledRequest(cancellation.reason);
            if (closed) return undefined;
            const piece = left.shift();
            if (piece === undefined || piece === "EOF") return undefined;
            if (piece === "CUT") throw transportFailure();
            if (typeof piece === "string") return new TextEncoder().encode(piece);
            const late = this.#clock.now() + piece > limit;
            const pauseMs = late ? limit - this.#clock.now() : piece;
            await new Promise<void>((resolve) => {
              const stop = this.#clock.schedule(pauseMs, resolve);
              wake = () => {
                stop();
                resolve();
              };
              cancellation.add({ cancelled: wake });
            });
            if (late && !closed && cancellation.reason === undefined) throw timeoutFailure();
          }
        },
        started: () => {
          limit = Infinity;
          this.started++;
        },
        cancel: () => {
          if (closed || left.length === 0) return;
          closed = true;
          this.cancelled++;
          wake?.();
        },
      },
    };
  }

  async #pause(ms: number, cancellation: Cancellation, giveWayAt: number): Promise<void> {
    const late = this.#clock.now() + ms > giveWayAt;
    const pauseMs = late ? giveWayAt - this.#clock.now() : ms;
    if (pauseMs > 0) {
      await new Promise<void>((resolve) => {
        const stop = this.#clock.schedule(pauseMs, resolve);
        cancellation.add({
          cancelled() {
            stop();
            resolve();
          },
        });
      });
    }
    if (cancellation.reason !== undefined) throw cancelledRequest(cancellation.reason);
    if (late) throw timeoutFailure();
  }
}

const nothing: ReadStep = {
  relay: undefined,
  events: 0,
  finished: false,
  complete: false,
  failure: undefined,
  inBand: false,
};

function createReader(buffered: boolean): AnswerReader {
  let seen = "";
  let finished = false;
  return {
    contentType: buffered ? "application/json" : "text/event-stream",
    push(bytes) {
      const text = new TextDecoder().decode(bytes);
      if (buffered) {
        seen += text;
        return nothing;
      }
      if (text.startsWith(":")) return { ...nothing, relay: seen === "" ? undefined : bytes };
      const first = seen === "";
      seen += text;
      switch (text) {
        case "DONE":
          return { ...nothing, relay: bytes, events: 1, finished: true, complete: true };
        case "FIN":
          finished = true;
          return { ...nothing, relay: bytes, events: 1, finished };
        case "ERR":
          return { ...nothing, relay: first ? undefined : bytes, failure: statusFailure(429), inBand: true };
        case "BAD":
          return { ...nothing, relay: first ? undefined : bytes, events: 1, failure: brokenFailure("malformed event") };
        default:
          return { ...nothing, relay: bytes, events: 1, finished };
      }
    },
    end() {
      const encoder = new TextEncoder();
      if (buffered) return { ...nothing, relay: encoder.encode(seen), events: 1, finished: true, complete: true };
      if (finished) return { ...nothing, relay: encoder.encode("[DONE]"), complete: true, finished };
      return { ...nothing, failure: brokenFailure(seen === "" ? "provider returned an empty stream" : "ended early") };
    },
    facts: () => ({ usage: undefined, emptyReason: undefined }),
  };
}

function brokenFailure(message: string): Failure {
  return new Failure({ origin: "answer", status: 502, type: "provider_error", message });
}
