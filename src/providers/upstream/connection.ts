// One connection to an upstream: opened once, used for one exchange after the other, closed once.

import type { OutgoingBytes } from "../../core/edited-bytes.ts";
import type { AnswerHead } from "./answer-head.ts";
import { AnswerParser, type AnswerSink } from "./answer-parser.ts";
import { BadMessage } from "../../http1/bad-message.ts";
import { flushSoon, type Writer } from "../../http1/outbox.ts";
import type { RawHeaders } from "./http-answer.ts";
import type { RenderedHead } from "./request-head.ts";
import { RequestWriter } from "./request-writer.ts";
import { troubleOf, type Wire, type WireOwner, type WireTrouble } from "./wire.ts";

/** Whoever uses a connection now. After `connectionFailed` or `answerEnd` it is told nothing more. */
export interface ConnectionUser extends AnswerSink {
  /** Open: `send` may be called. */
  connectionReady(): void;
  /** Not opened, lost, or its bytes are no answer. The connection is closed. */
  connectionFailed(trouble: WireTrouble): void;
}

/** Whoever keeps connections between exchanges. */
export interface ConnectionKeeper {
  /** Its answer ended and another request may follow. */
  connectionFree(connection: Connection): void;
  /** Gone, also while nobody used it. */
  connectionGone(connection: Connection): void;
}

const keepAliveMarginMs = 1000;

export class Connection implements WireOwner, AnswerSink, Writer {
  readonly #keeper: ConnectionKeeper;
  readonly #parser = new AnswerParser();
  readonly #writer = new RequestWriter();
  #wire: Wire | undefined;
  #user: ConnectionUser | undefined;
  #ready = false;
  #closed = false;
  #writing = false;
  #paused = false;
  #lastUse = false;
  #answered = false;
  #pooled = false;
  /** When it is too old to be used again, on the clock's monotonic scale; the keeper's to set. */
  expiresAt = Infinity;
  /** How long the upstream said that it keeps it idle; undefined when it did not. */
  keepAliveMs: number | undefined;

  constructor(keeper: ConnectionKeeper, user: ConnectionUser) {
    this.#keeper = keeper;
    this.#user = user;
  }

  /** Had an exchange before the present one: the upstream may have closed it in the meantime. */
  get pooled(): boolean {
    return this.#pooled;
  }

  /** A byte has come since the request was sent. */
  get answered(): boolean {
    return this.#answered;
  }

  /** A byte of the request has left. */
  get sent(): boolean {
    return this.#writer.sent;
  }

  /** Takes an idle connection for the next exchange. */
  take(user: ConnectionUser): void {
    this.#user = user;
    this.#pooled = true;
  }

  /** Writes the request, at the end of this round of events; what does not fit follows when there is room. */
  send(head: RenderedHead, body: OutgoingBytes | undefined): void {
    this.#answered = false;
    this.#lastUse = false;
    this.#writing = true;
    this.keepAliveMs = undefined;
    this.#parser.reset();
    this.#writer.take(head, body);
    flushSoon(this);
  }

  flush(): void {
    if (this.#closed || !this.#writing || this.#wire === undefined || this.#writer.finished) return;
    if (!this.#writer.write(this.#wire)) this.#lost("EPIPE");
  }

  /** The sender is blocked until `resume`, apart from what the kernel holds. */
  pause(): void {
    if (this.#paused || this.#closed) return;
    this.#paused = true;
    this.#wire?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#closed) this.#wire?.resume();
  }

  /** Closes at once, in any phase; the user is told nothing. */
  abort(): void {
    this.#user = undefined;
    if (this.#closed) return;
    this.#gone();
    this.#wire?.terminate();
  }

  /** Closes an idle connection politely. */
  close(): void {
    this.#user = undefined;
    if (this.#closed) return;
    this.#gone();
    this.#wire?.end();
  }

  wireConnected(wire: Wire): void {
    this.#wire = wire;
    // Given up while the runtime was connecting, which it cannot be told to stop.
    if (this.#closed) wire.terminate();
  }

  wireReady(wire: Wire): void {
    this.#wire = wire;
    if (this.#closed) wire.terminate();
    else {
      this.#ready = true;
      this.#user?.connectionReady();
    }
  }

  wireData(bytes: Uint8Array): void {
    if (this.#closed) return;
    if (!this.#ready)
      return this.#fail({ message: "data came before the connection was open", code: "malformed_answer" });
    // Nobody asked: an upstream that talks out of turn is out of step.
    if (this.#user === undefined) return this.close();
    this.#answered = true;
    try {
      const used = this.#parser.push(bytes, this);
      if (used < bytes.length && !this.#closed) this.close();
    } catch (error) {
      this.#bad(error);
    }
  }

  wireDrained(): void {
    this.flush();
  }

  wireEnded(): void {
    if (this.#closed) return;
    if (!this.#ready)
      return this.#fail({ message: "connection closed while it was being opened", code: "unexpected_end" });
    if (this.#user === undefined) return this.close();
    this.#lastUse = true;
    try {
      this.#parser.finish(this);
    } catch (error) {
      this.#bad(error);
    }
  }

  wireClosed(code: string | undefined): void {
    if (this.#closed) return;
    if (code === undefined) this.wireEnded();
    else this.#lost(code);
    this.#gone();
  }

  wireRefused(trouble: WireTrouble): void {
    if (this.#closed) return;
    this.#fail(trouble);
  }

  answerHead(head: AnswerHead, headers: RawHeaders): void {
    this.#lastUse = head.close || head.oldVersion;
    // Refused before all of the request was there: going on would only provoke the reset that loses the answer.
    if (head.status >= 400) this.#writing = false;
    if (head.keepAliveSeconds !== undefined) this.keepAliveMs = head.keepAliveSeconds * 1000 - keepAliveMarginMs;
    this.#user?.answerHead(head, headers);
  }

  answerBytes(bytes: Uint8Array): void {
    this.#user?.answerBytes(bytes);
  }

  answerEnd(): void {
    const user = this.#user;
    this.#user = undefined;
    user?.answerEnd();
    if (this.#closed) return;
    this.resume();
    // An answer may come before the request has left; what is still to be written would be taken for the next one.
    if (this.#lastUse || !this.#writer.finished) this.close();
    else this.#keeper.connectionFree(this);
  }

  #lost(code: string): void {
    this.#fail(troubleOf(code, "connection lost"));
  }

  #bad(error: unknown): void {
    if (!(error instanceof BadMessage)) throw error;
    this.#fail(error);
  }

  #fail(trouble: WireTrouble): void {
    const user = this.#user;
    this.abort();
    user?.connectionFailed(trouble);
  }

  #gone(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#keeper.connectionGone(this);
  }
}
