// One accepted connection: reads requests, has them answered, one at a time.

import type { Clock } from "../core/clock.ts";
import { HttpRequestReader, type RawRequest } from "./http-request-reader.ts";
import { createFactsReader, type RequestFacts } from "./request-facts.ts";
import { routeOf, type Route } from "./route.ts";
import { RecordedCall } from "./simulator-call.ts";
import { bytesOf, fin, write, type Step } from "./step.ts";
import { StepPlayer, type Wire } from "./step-player.ts";
import type { Ticker } from "./ticker.ts";

/** What connections share. */
export interface ConnectionContext {
  readonly clock: Clock;
  readonly ticker: Ticker;
  /** `route`: undefined for what no dialect knows; `facts`: for a body that is no JSON object. */
  answer(request: RawRequest, route: Route | undefined, facts: RequestFacts | undefined): readonly Step[];
  record(call: RecordedCall): void;
}

const goOn = bytesOf("HTTP/1.1 100 Continue\r\n\r\n");
const badRequest: readonly Step[] = [
  write("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
  fin,
];

export class Connection {
  readonly id: number;
  readonly #wire: Wire;
  readonly #context: ConnectionContext;
  readonly #reader = new HttpRequestReader();
  readonly #factsOf = createFactsReader();
  readonly #player: StepPlayer;
  #call: RecordedCall | undefined;
  #keepAlive = true;
  /** answering: a plan is being played. expired: the next byte of the peer is answered by a reset. over: nothing is read any more. */
  #state: "idle" | "answering" | "expired" | "over" = "idle";
  #expires = false;
  #abortedByUs = false;

  constructor(id: number, wire: Wire, context: ConnectionContext) {
    this.id = id;
    this.#wire = wire;
    this.#context = context;
    const ownWire: Wire = {
      write: (bytes) => wire.write(bytes),
      shutdown: () => wire.shutdown(),
      terminate: () => this.abort(),
    };
    this.#player = new StepPlayer(ownWire, context.clock, context.ticker, {
      wrote: (bytes) => {
        if (this.#call !== undefined) this.#call.bytesWritten += bytes;
      },
      played: (over) => this.#played(over),
      expired: () => {
        this.#expires = true;
      },
    });
  }

  /** Does these steps instead of reading anything. */
  refuse(steps: readonly Step[]): void {
    this.#state = "answering";
    this.#player.play(steps);
  }

  receive(bytes: Buffer): void {
    if (this.#state === "over") return;
    if (this.#state === "expired") return this.abort();
    this.#reader.push(bytes);
    if (this.#state === "idle") this.#answerNext();
  }

  drain(): void {
    this.#player.drain();
  }

  /** The socket is closed. */
  closed(): void {
    this.#player.close();
    this.#state = "over";
    if (this.#call !== undefined && !this.#abortedByUs) this.#call.closedByPeerAt = this.#context.clock.now();
  }

  /** Closes by RST. */
  abort(): void {
    this.#abortedByUs = true;
    this.#wire.terminate();
  }

  #answerNext(): void {
    const request = this.#reader.next();
    if (request === "more") return;
    if (request === "continue") {
      this.#wire.write(goOn);
      return;
    }
    this.#state = "answering";
    if (request === "malformed") return this.#player.play(badRequest);
    const route = routeOf(request);
    const facts = request.body.length === 0 ? undefined : this.#factsOf(request.body, route);
    const { model, stream = false } = facts ?? {};
    this.#call = new RecordedCall(request, model, stream, this.id, this.#context.clock.now());
    this.#context.record(this.#call);
    this.#keepAlive = request.keepAlive;
    this.#player.play(this.#context.answer(request, route, facts));
  }

  #played(over: boolean): void {
    if (this.#call !== undefined) this.#call.answeredAt = this.#context.clock.now();
    if (over) {
      this.#state = "over";
    } else if (this.#expires) {
      this.#state = "expired";
    } else if (!this.#keepAlive) {
      this.#state = "over";
      this.#wire.shutdown();
    } else {
      this.#state = "idle";
      this.#answerNext();
    }
  }
}
