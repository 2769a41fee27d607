// The port between the gateway and whoever talks to an upstream.

import type { Issuer } from "./chat-request.ts";
import type { Failure } from "./failure.ts";
import type { Coming } from "./later.ts";
import type { AnswerFacts, ModelRequest } from "./model-request.ts";
import type { ResiliencePolicy, UpstreamLimits } from "./policy.ts";
import type { ResumeRule } from "./resume-rule.ts";

/** One configured upstream. */
export interface Provider {
  /** The configured instance, `openai-eu`. */
  readonly name: string;
  readonly type: string;
  /**
   * Whose the state is that a request has without a mark when this provider is the first to get it: its own where it is asked in the caller's dialect, the owner
   * of that dialect's where its answers are translated, for these mark what is not the owner's.
   */
  unmarkedIssuer(request: ModelRequest, model: string): Issuer;
  readonly resilience: ResiliencePolicy;
  /** It keeps them itself, but for those that hold only while another target is left: these come with `send`. */
  readonly limits: UpstreamLimits;
  /**
   * The wire form of `request` for one of this provider's models, made from the original bytes.
   * Throws a `Failure` of origin `request` for a field that the provider cannot honour.
   * `firstIssuer`: another target had the request before, whose `unmarkedIssuer` it is; what only that one can read is left out.
   */
  prepare(request: ModelRequest, model: string, firstIssuer?: Issuer): PreparedCall;
  /**
   * How one of its models goes on from a last message of the assistant: `prefill`: the answer begins behind it; `fresh`: it is repeated.
   * Undefined: it is not asked to.
   */
  prefillRule(model: string): ResumeRule | undefined;
}

/** A request ready to be sent, as often as the retry policy says. */
export interface PreparedCall {
  /**
   * Sends it once and waits for the response headers. Rejects with a `Failure`, and with nothing else, for transport errors,
   * limits that ran out, error statuses (the body is read, bounded) and content types that are no answer. When `request.cancellation`
   * fires in any phase, the socket is closed and the pending promise rejects with a failure of that reason's origin.
   */
  send(options: SendOptions): Promise<UpstreamAnswer>;
  /**
   * What to send at once to the same target instead, after this call failed for something that can be left out (field-reports C: a signature that the provider
   * could not verify). Undefined: nothing; absent: never. What it gives has no such thing left.
   */
  insteadAfter?(failure: Failure): PreparedCall | undefined;
}

export interface SendOptions {
  readonly idempotencyKey: string | undefined;
  /**
   * Give way to another target after so many milliseconds without a stream's first event, or without the response headers of a buffered
   * answer; a local timeout. Absent or 0: never.
   */
  readonly giveWayAfterMs?: number;
  /** A malformed event in an otherwise whole stream is left out instead of breaking it. Default: false. */
  readonly skipMalformed?: boolean;
}

/** A 2xx answer whose body has not been read yet. */
export interface UpstreamAnswer {
  readonly status: number;
  /** `retry-after*` and rate limits, handed to the caller. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: UpstreamBody;
  /** Reads the body in the target's dialect and gives it in the caller's. */
  readonly reader: AnswerReader;
  /** Made here without asking the provider, so that it says nothing about its health. Default: false. */
  readonly isLocal?: boolean;
}

/** The bytes of an answer as they arrive. */
export interface UpstreamBody {
  /** What has arrived, at once when something has; undefined at the proper end. Rejects with a `Failure`. One call at a time. */
  read(): Uint8Array | undefined | Coming<Uint8Array | undefined>;
  /** The first event is here: the limit on the whole attempt ends, only the one on silence stays. */
  started(): void;
  /** Closes the socket unless the body is at its end; a pending `read` gives undefined. Harmless when repeated. */
  cancel(): void;
}

/** What a reader made of some bytes. */
export interface ReadStep {
  /** Bytes to hand to the caller now: whole events, or a whole buffered answer. */
  readonly relay: Uint8Array | undefined;
  /** Data events seen in this step; comments are none. A buffered answer is one. */
  readonly events: number;
  /** Every choice has its finish reason: only usage and the terminal may follow. */
  readonly finished: boolean;
  /** The terminal event is in `relay` or went out before: nothing follows, whatever the upstream still sends. */
  readonly complete: boolean;
  /**
   * The answer is broken. Before the commit this is the attempt's failure. After it, `relay` goes out first;
   * `inBand` says that `relay` already ends in the provider's own error event.
   */
  readonly failure: Failure | undefined;
  readonly inBand: boolean;
  /**
   * Bytes at the end of `relay` that belong to the break and not to the answer: the event that is the failure, text that was held back. Whoever
   * lets another target go on leaves them out. Absent: none.
   */
  readonly brokenBytes?: number | undefined;
}

/** Made for one attempt. Both modes look the same from outside: a buffered answer is held until it is whole and is then one step. */
export interface AnswerReader {
  readonly contentType: string;
  /** The bytes are the reader's from now on: it may move them, and what it relays may lie in them. */
  push(bytes: Uint8Array): ReadStep;
  /** The body ended. Complete, or with the failure that it ended too early; a missing terminal after a finish is added to `relay`. */
  end(): ReadStep;
  /**
   * What ends the stream as broken after what was relayed so far, in a dialect where that depends on it (numbered events). Changes nothing. Absent or
   * undefined: the dialect's `streamError`.
   */
  breakOff?(message: string, code: string): Uint8Array | undefined;
  /** After the last step: usage and the like. Parsed only when asked for. */
  facts(): AnswerFacts;
}
