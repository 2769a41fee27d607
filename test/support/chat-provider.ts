// A provider that speaks chat completions from memory: what each of its streams brings is written down beforehand, read as the real ones are.

import type { Cancellation } from "../../src/core/cancellation.ts";
import type { Clock } from "../../src/core/clock.ts";
import { cancelledRequest, type Failure } from "../../src/core/failure.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import type { BreakerPolicy, ResiliencePolicy, RetryPolicy, UpstreamLimits } from "../../src/core/policy.ts";
import type {
  AnswerReader,
  PreparedCall,
  Provider,
  SendOptions,
  UpstreamAnswer,
  UpstreamBody,
} from "../../src/core/provider.ts";
import type { ResumeRule } from "../../src/core/resume-rule.ts";
import { createStreamReader } from "../../src/dialects/chat-completions/stream-reader.ts";
import type { ReaderOptions } from "../../src/dialects/reader-options.ts";
import { defaultBreaker, defaultRetry, timeoutFailure, transportFailure } from "./fake-provider.ts";
import { noLimits } from "./upstream-call.ts";

/** Bytes as they arrive; a silence in milliseconds, 0 for a piece that has to be waited for; `CUT`, a connection that breaks; `IDLE`, our own limit on silence. After the last one the body ends. */
export type ChatPiece = string | Uint8Array | number;

export type ChatScript = Failure | readonly ChatPiece[];

/** One call as it arrived. */
export interface ChatAsked {
  readonly at: number;
  readonly model: string;
  /** The text of a last message from the assistant. */
  readonly prefill: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly giveWayAfterMs: number;
}

export interface ChatProviderPolicy {
  readonly retry?: Partial<RetryPolicy>;
  readonly breaker?: Partial<BreakerPolicy>;
  readonly maxAttemptsPerRequest?: number;
  readonly limits?: Partial<UpstreamLimits>;
  /** Undefined: it is not asked to go on. */
  readonly prefill?: ResumeRule;
  /** Default: it speaks chat completions. */
  readonly reader?: (options: ReaderOptions) => AnswerReader;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ChatProvider implements Provider {
  readonly name: string;
  readonly type = "openai";
  readonly unmarkedIssuer = (): string => "openai";
  readonly resilience: ResiliencePolicy;
  readonly limits: UpstreamLimits;
  readonly asked: ChatAsked[] = [];
  /** Bodies that were closed before their end. */
  cancelled = 0;
  readonly #clock: Clock;
  readonly #script: (asked: ChatAsked, call: number) => ChatScript;
  readonly #prefill: ResumeRule | undefined;
  readonly #reader: ChatProviderPolicy["reader"];

  /** A list is one script for each call, of which the last repeats. */
  constructor(
    name: string,
    clock: Clock,
    script: readonly ChatScript[] | ((asked: ChatAsked, call: number) => ChatScript),
    policy: ChatProviderPolicy = {},
  ) {
    this.name = name;
    this.#clock = clock;
    this.#script = typeof script === "function" ? script : (_, call) => script[call] ?? script.at(-1) ?? [];
    this.#prefill = policy.prefill;
    this.#reader = policy.reader;
    this.resilience = {
      retry: { ...defaultRetry, ...policy.retry },
      breaker: { ...defaultBreaker, ...policy.breaker },
      maxAttemptsPerRequest: policy.maxAttemptsPerRequest ?? 0,
    };
    this.limits = { ...noLimits, ...policy.limits };
  }

  prefillRule(): ResumeRule | undefined {
    return this.#prefill;
  }

  prepare(request: ModelRequest, model: string): PreparedCall {
    return { send: (options) => this.#send(request, model, options) };
  }

  async #send(request: ModelRequest, model: string, options: SendOptions): Promise<UpstreamAnswer> {
    const { idempotencyKey, giveWayAfterMs = 0, skipMalformed = false } = options;
    const { cancellation } = request;
    if (cancellation.reason !== undefined) throw cancelledRequest(cancellation.reason);
    const asked = { at: this.#clock.now(), model, prefill: prefillOf(request), idempotencyKey, giveWayAfterMs };
    this.asked.push(asked);
    const script = this.#script(asked, this.asked.length - 1);
    if (script instanceof Error) throw script;
    const reader =
      this.#reader?.({ providerName: this.name, skipMalformed }) ??
      createStreamReader({
        cutUsageEvent: !request.wantsStreamUsage,
        providerName: this.name,
        severalChoices: false,
        skipMalformed,
      });
    const giveWayAt = giveWayAfterMs > 0 ? asked.at + giveWayAfterMs : Infinity;
    return { status: 200, headers: [], reader, body: this.#body(script, cancellation, giveWayAt) };
  }

  #body(pieces: readonly ChatPiece[], cancellation: Cancellation, giveWayAt: number): UpstreamBody {
    const clock = this.#clock;
    let next = 0;
    let closed = false;
    let limit = giveWayAt;
    let wake: (() => void) | undefined;
    let latest: Uint8Array | undefined;
    let older: Uint8Array | undefined;
    const silence = async (ms: number): Promise<Uint8Array | undefined> => {
      const late = clock.now() + ms > limit;
      if (ms > 0) {
        await new Promise<void>((resolve) => {
          const stop = clock.schedule(late ? limit - clock.now() : ms, resolve);
          wake = () => {
            stop();
            resolve();
          };
          cancellation.add({ cancelled: wake });
        });
      }
      if (late && !closed && cancellation.reason === undefined) throw timeoutFailure();
      return read();
    };
    const read = (): ReturnType<UpstreamBody["read"]> => {
      if (cancellation.reason !== undefined) return Promise.reject(cancelledRequest(cancellation.reason));
      const piece = closed ? undefined : pieces[next++];
      // The runtime may use the memory of a piece again. Of the latest one not before the next: a whole answer's connection is read on at once.
      older?.fill(0x23);
      older = latest;
      latest = undefined;
      if (piece === undefined) return undefined;
      if (typeof piece === "number") return silence(piece);
      if (piece === "CUT") return Promise.reject(transportFailure());
      if (piece === "IDLE") return Promise.reject(timeoutFailure());
      latest = typeof piece === "string" ? encoder.encode(piece) : piece.slice();
      return latest;
    };
    return {
      read,
      started() {
        limit = Infinity;
      },
      cancel: () => {
        if (closed || next > pieces.length) return;
        closed = true;
        this.cancelled++;
        wake?.();
      },
    };
  }
}

function prefillOf({ body, continues }: ModelRequest): string | undefined {
  if (continues !== true) return undefined;
  const { messages }: { messages: { role: string; content: string }[] } = JSON.parse(decoder.decode(body));
  const last = messages.at(-1);
  if (last?.role !== "assistant") throw new Error("the last message is not from the assistant");
  return last.content;
}
