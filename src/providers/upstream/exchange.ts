// One attempt: a request goes out, its answer comes in, and every limit and the cancellation can end it.

import type { CancelListener } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import { type Coming, Later } from "../../core/later.ts";
import type { UpstreamBody } from "../../core/provider.ts";
import type { AnswerHead } from "./answer-head.ts";
import { ArrivedBytes } from "./arrived-bytes.ts";
import type { Connection, ConnectionUser } from "./connection.ts";
import { decodedBody } from "./content-decoding.ts";
import type { Deadlines, Limited } from "../../http1/deadlines.ts";
import type { HttpAnswer, RawHeaders } from "./http-answer.ts";
import type { HttpRequest, HttpTrouble } from "./http-request.ts";
import type { Pool } from "./pool.ts";
import { type RenderedHead, type RequestHeads, UnsendableRequest } from "./request-head.ts";
import type { WireTrouble } from "./wire.ts";

export interface ExchangeTools {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly heads: RequestHeads;
}

/** Bytes that wait for `read` before the upstream is told to wait. One read of the socket, at most 512 kB, may come on top. */
const maxArrivedBytes = 256 * 1024;

type Phase = "connect" | "headers" | "body" | "over";

export class Exchange implements ConnectionUser, UpstreamBody, Limited, CancelListener {
  rosterPlace = -1;
  readonly #tools: ExchangeTools;
  readonly #pool: Pool;
  readonly #request: HttpRequest;
  /** Of the request, which is not looked at again for each piece. */
  readonly #isStream: boolean;
  readonly #maxBodyBytes: number;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (failure: Error) => void;
  #head: RenderedHead | undefined;
  #connection: Connection | undefined;
  #phase: Phase = "connect";
  #sent = false;
  #triedAgain = false;

  /** Deadlines on the monotonic scale, Infinity when off. */
  #totalAt = Infinity;
  #phaseAt = Infinity;
  #giveWayAt = Infinity;
  /** When the last byte of a stream's body came; undefined before the first one and while we do not read. */
  #heardAt: number | undefined;

  readonly #arrived = new ArrivedBytes();
  #received = 0;
  #trouble: HttpTrouble | undefined;
  /** A read that waits. */
  #reading: Later<Uint8Array | undefined> | undefined;

  constructor(
    tools: ExchangeTools,
    pool: Pool,
    request: HttpRequest,
    resolve: (answer: HttpAnswer) => void,
    reject: (failure: Error) => void,
  ) {
    this.#tools = tools;
    this.#pool = pool;
    this.#request = request;
    this.#isStream = request.stream;
    this.#maxBodyBytes = request.maxBodyBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Called once. The promise is settled later, or at once when the request cannot be sent. */
  start(): void {
    const { cancellation, limits, giveWayAfterMs = 0 } = this.#request;
    if (cancellation?.reason !== undefined) return this.cancelled();
    try {
      this.#head = this.#tools.heads.of(this.#request);
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      return this.#fail("transport", "connect", error.message, "unsendable_request");
    }
    cancellation?.add(this);
    const now = this.#tools.clock.now();
    this.#totalAt = now + orNever(limits.totalMs);
    this.#giveWayAt = now + orNever(giveWayAfterMs);
    const connection = this.#pool.take(this, now);
    if (connection === undefined) {
      this.#phaseAt = now + orNever(limits.connectMs);
      this.#tools.deadlines.add(this);
      this.#connection = this.#pool.open(this);
    } else {
      this.#connection = connection;
      this.#phase = "headers";
      this.#phaseAt = now + orNever(limits.responseHeaderMs);
      this.#tools.deadlines.add(this);
      this.#send(connection);
    }
  }

  connectionReady(): void {
    const { clock, deadlines } = this.#tools;
    this.#phase = "headers";
    this.#phaseAt = clock.now() + orNever(this.#request.limits.responseHeaderMs);
    deadlines.expect(this.#phaseAt);
    // Told from within `open` only if the runtime connects at once, which it does not.
    if (this.#connection !== undefined) this.#send(this.#connection);
  }

  answerHead(head: AnswerHead, headers: RawHeaders): void {
    if (this.#phase !== "headers") return;
    const { maxBodyBytes, toFailure } = this.#request;
    const body = decodedBody(head.contentEncoding, this, maxBodyBytes, (message, code) =>
      toFailure({ kind: "transport", phase: "body", message, code, unsent: false }),
    );
    if (body === undefined) {
      return this.#fail(
        "transport",
        "headers",
        "the answer has a content-encoding that is not understood",
        "content_encoding",
      );
    }
    this.#phase = "body";
    this.#phaseAt = Infinity;
    if (!this.#request.stream) this.#giveWayAt = Infinity;
    this.#resolve({ status: head.status, headers, body });
  }

  answerBytes(bytes: Uint8Array): void {
    if (this.#phase !== "body") return;
    this.#received += bytes.length;
    if (this.#received > this.#maxBodyBytes) {
      return this.#fail("transport", "body", `the body is larger than ${this.#maxBodyBytes} bytes`, "body_too_large");
    }
    if (this.#isStream) this.#heard();
    const reading = this.#reading;
    if (reading !== undefined) {
      this.#reading = undefined;
      reading.settle(bytes);
      return;
    }
    this.#arrived.add(bytes);
    if (this.#arrived.length > maxArrivedBytes && this.#connection !== undefined) {
      this.#connection.pause();
      // Now the silence is ours.
      this.#heardAt = undefined;
    }
  }

  answerEnd(): void {
    if (this.#phase !== "body") return;
    this.#over();
    this.#endRead();
  }

  connectionFailed(trouble: WireTrouble): void {
    const connection = this.#connection;
    const phase = this.#phase;
    if (phase === "over" || connection === undefined) return;
    this.#sent ||= connection.sent;
    // The upstream closed it while it was idle: whatever was written was not read, or not as a request.
    if (phase === "headers" && connection.pooled && !connection.answered && !this.#triedAgain) {
      this.#triedAgain = true;
      this.#phase = "connect";
      this.#phaseAt = this.#tools.clock.now() + orNever(this.#request.limits.connectMs);
      this.#tools.deadlines.expect(this.#phaseAt);
      this.#connection = this.#pool.open(this);
      return;
    }
    this.#fail("transport", phase, trouble.message, trouble.code);
  }

  read(): Uint8Array | undefined | Coming<Uint8Array | undefined> {
    if (this.#arrived.length > 0) {
      const bytes = this.#arrived.take();
      this.#resume();
      return bytes;
    }
    if (this.#trouble !== undefined) return Promise.reject(this.#request.toFailure(this.#trouble));
    if (this.#phase === "over") return undefined;
    return (this.#reading = new Later());
  }

  started(): void {
    if (!this.#request.stream) return;
    this.#totalAt = Infinity;
    this.#giveWayAt = Infinity;
  }

  cancel(): void {
    this.#arrived.clear();
    this.#trouble = undefined;
    if (this.#phase === "over") return;
    this.#connection?.abort();
    this.#over();
    this.#endRead();
  }

  /** The request that this attempt is for. */
  cancelled(): void {
    if (this.#phase === "over") return;
    this.#arrived.clear();
    this.#fail("cancelled", this.#phase, "the request was cancelled");
  }

  deadline(): number {
    if (this.#phase === "over") return Infinity;
    return Math.min(this.#totalAt, this.#giveWayAt, this.#phaseAt, this.#idleAt());
  }

  expire(now: number): void {
    const { limits, stream, giveWayAfterMs = 0 } = this.#request;
    const { connectMs, responseHeaderMs, streamIdleMs, totalMs } = limits;
    // The nearest one names the failure, should the timer be late for several.
    const nearest = this.deadline();
    if (nearest > now) return;
    if (nearest === this.#totalAt) return this.#fail("timeout", "total", `no complete answer within ${totalMs} ms`);
    if (nearest === this.#giveWayAt) {
      const missed = stream ? "no first event" : "no response headers";
      return this.#fail("timeout", "give-way", `${missed} within ${giveWayAfterMs} ms, and another target is left`);
    }
    if (nearest === this.#idleAt()) return this.#fail("timeout", "idle", `no data for ${streamIdleMs} ms`);
    if (this.#phase === "connect") return this.#fail("timeout", "connect", `not connected within ${connectMs} ms`);
    this.#fail("timeout", "headers", `no response headers within ${responseHeaderMs} ms`);
  }

  #send(connection: Connection): void {
    if (this.#head !== undefined) connection.send(this.#head, this.#request.body);
  }

  #heard(): void {
    const first = this.#heardAt === undefined;
    this.#heardAt = this.#tools.clock.now();
    // Later bytes only move it away.
    if (first) this.#tools.deadlines.expect(this.#idleAt());
  }

  #idleAt(): number {
    return this.#heardAt === undefined ? Infinity : this.#heardAt + orNever(this.#request.limits.streamIdleMs);
  }

  #resume(): void {
    if (this.#phase !== "body" || this.#connection === undefined) return;
    this.#connection.resume();
    if (this.#request.stream && this.#heardAt === undefined) this.#heard();
  }

  /** Closes the socket and settles whatever waits. */
  #fail(kind: HttpTrouble["kind"], phase: HttpTrouble["phase"], message: string, code?: string): void {
    const promised = this.#phase === "connect" || this.#phase === "headers";
    const cancelReason = kind === "cancelled" ? this.#request.cancellation?.reason : undefined;
    this.#sent ||= this.#connection?.sent ?? false;
    const trouble: HttpTrouble = {
      kind,
      phase,
      message,
      ...(code === undefined ? {} : { code }),
      ...(cancelReason === undefined ? {} : { cancelReason }),
      unsent: !this.#sent,
    };
    this.#connection?.abort();
    this.#over();
    if (promised) return this.#reject(this.#request.toFailure(trouble));
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading === undefined) this.#trouble = trouble;
    else {
      const failure = this.#request.toFailure(trouble);
      queueMicrotask(() => reading.fail(failure));
    }
  }

  /** A moment later: whoever ended the body has more to do before its reader goes on. */
  #endRead(): void {
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading !== undefined) queueMicrotask(() => reading.settle(undefined));
  }

  #over(): void {
    this.#phase = "over";
    this.#connection = undefined;
    this.#request.cancellation?.remove(this);
    this.#tools.deadlines.remove(this);
  }
}

/** 0 switches a limit off. */
function orNever(limitMs: number): number {
  return limitMs > 0 ? limitMs : Infinity;
}
