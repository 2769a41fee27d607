// A request made ready for one provider: sent as often as the gateway asks, each answer with a reader of its own.

import type { Cancellation } from "../core/cancellation.ts";
import type { OutgoingBytes } from "../core/edited-bytes.ts";
import type { Failure } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { PreparedCall, SendOptions, UpstreamAnswer } from "../core/provider.ts";
import { isStateRefusal } from "../core/state-refusal.ts";
import type { UsageFamily } from "../dialects/answers/usage.ts";
import { callerHeaderPrefixes, callerHeaders } from "./answer-headers.ts";
import type { Header } from "./answer-headers.ts";
import { createAnswerReader, type Reading } from "./answer-reader.ts";
import type { LinkCall, ProviderLink } from "./provider-link.ts";
import type { AnswerContext } from "./refused-answer.ts";
import type { HttpAnswer } from "./upstream/http-answer.ts";

interface CallDetails extends Omit<Reading, "operation" | "stream"> {
  readonly link: ProviderLink;
  readonly context: AnswerContext;
  readonly request: ModelRequest;
  readonly path: string;
  readonly body: OutgoingBytes;
  /** Those that depend on the call. */
  readonly headers: readonly Header[];
  readonly limits: UpstreamLimits;
  /** The same without reasoning that the provider would have to verify. Undefined: it is that already; gives undefined where there is none to leave out. */
  readonly withoutState: (() => OutgoingCall | undefined) | undefined;
}

export class OutgoingCall implements PreparedCall, LinkCall, Reading {
  readonly kind: LinkCall["kind"];
  readonly path: string;
  readonly body: OutgoingBytes;
  readonly limits: UpstreamLimits;
  readonly cancellation: Cancellation;
  readonly operation: Operation;
  readonly dialect: Reading["dialect"];
  readonly stream: boolean;
  readonly cutUsageEvent: boolean;
  readonly collectsStream: boolean;
  readonly stopSequences: readonly string[];
  readonly usageFamily: UsageFamily;
  readonly severalChoices: boolean;
  readonly translation: Reading["translation"];
  readonly #link: ProviderLink;
  readonly #context: AnswerContext;
  readonly #headers: readonly Header[];
  readonly #withoutState: CallDetails["withoutState"];

  constructor(details: CallDetails) {
    const { request } = details;
    this.kind = request.stream || details.collectsStream ? "stream" : "buffered";
    this.path = details.path;
    this.body = details.body;
    this.limits = details.limits;
    this.cancellation = request.cancellation;
    this.operation = request.operation;
    this.dialect = details.dialect;
    this.stream = request.stream;
    this.cutUsageEvent = details.cutUsageEvent;
    this.collectsStream = details.collectsStream;
    this.stopSequences = details.stopSequences;
    this.usageFamily = details.usageFamily;
    this.severalChoices = details.severalChoices;
    this.translation = details.translation;
    this.#link = details.link;
    this.#context = details.context;
    this.#headers = details.headers;
    this.#withoutState = details.withoutState;
  }

  send({ idempotencyKey, giveWayAfterMs = 0, skipMalformed = false }: SendOptions): Promise<UpstreamAnswer> {
    const headers: readonly Header[] =
      idempotencyKey === undefined ? this.#headers : [...this.#headers, ["Idempotency-Key", idempotencyKey]];
    return this.#link.send(this, headers, (answer) => this.#read(answer, skipMalformed), giveWayAfterMs);
  }

  insteadAfter(failure: Failure): PreparedCall | undefined {
    return isStateRefusal(failure) ? this.#withoutState?.() : undefined;
  }

  #read(answer: HttpAnswer, skipMalformed: boolean): UpstreamAnswer {
    const { redactor } = this.#context;
    const forCaller = callerHeaders(answer.headers.entries(callerHeaderPrefixes), redactor.contains);
    return {
      status: answer.status,
      headers: forCaller,
      body: answer.body,
      reader: createAnswerReader(this, answer.headers, forCaller, this.#context, skipMalformed),
    };
  }
}
