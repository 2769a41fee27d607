// One connection of a caller: request after request, each answered before the next is looked at.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Clock } from "../../core/clock.ts";
import { Failure } from "../../core/failure.ts";
import { BodyPace } from "./body-pace.ts";
import { ConnectionHeads } from "./connection-heads.ts";
import { IncomingRequest, type RequestConnection } from "./incoming-request.ts";
import { type Framing, lengthOf, type Reply, ReplyHead } from "./reply.ts";
import { type OutgoingWire, type ReplyOwner, ReplyWriter } from "./reply-writer.ts";
import type { RequestHead } from "./request-head.ts";

/** Who answers requests. */
export interface RequestHandler {
  /** Called when the head is here. Neither throws nor rejects. */
  answer(request: IncomingRequest): Reply | Promise<Reply>;
  /** The answer to what is no request. */
  refuse(failure: Failure): Reply;
  /** Told about a mistake of ours that ended a connection. */
  onBug(error: unknown): void;
}

/** Who keeps the connections. */
export interface ConnectionKeeper {
  readonly clock: Clock;
  readonly handler: RequestHandler;
  connectionGone(connection: ClientConnection): void;
}

/** A socket of the runtime. */
export interface ClientWire extends OutgoingWire {
  readonly remoteAddress: string;
  pause(): void;
  resume(): void;
  /** Says that nothing more comes from us, and goes on reading. */
  shutdown(): void;
  /** Closes politely. */
  end(): void;
  /** Closes at once. */
  terminate(): void;
}

/** A first head that is not whole by then ends its connection, however it trickles in. */
const firstHeadMs = 10_000;
/**
 * How long a connection may stay silent between two requests, in a later head, in a body, and while an answer waits for its reader. Longer than balancers
 * keep theirs (60 s), so that none sends a request into a connection that is just being closed.
 */
const silenceMs = 120_000;
/** What may come while an answer is under way; more of it waits in the kernel. */
const maxAheadBytes = 64 * 1024;
/**
 * What a client that sends too much may still send after its answer, thrown away as it comes: closing at once would break the
 * connection under it before it reads why.
 */
export const maxThrownAwayBytes = 64 * 1024 * 1024;
const lingerMs = 30_000;

const goAhead = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n");

export class ClientConnection implements RequestConnection, ReplyOwner {
  readonly #keeper: ConnectionKeeper;
  readonly #wire: ClientWire;
  readonly #writer: ReplyWriter;
  readonly #clientIp: string;
  #stage: "head" | "request" | "lingering" | "closed" = "head";
  readonly #heads = new ConnectionHeads();
  #request: IncomingRequest | undefined;
  #head: RequestHead | undefined;
  #closesAfterReply = false;
  /** The reply is out, and what is left of the body is thrown away. */
  #replied = false;
  /** What came behind the present request. */
  #ahead: Uint8Array[] = [];
  #aheadBytes = 0;
  #paused = false;
  #thrownAwayBytes = 0;
  readonly #pace = new BodyPace(silenceMs);
  /** When it ends unless something happens, monotonic. */
  #deadline: number;

  constructor(wire: ClientWire, keeper: ConnectionKeeper) {
    this.#wire = wire;
    this.#keeper = keeper;
    this.#writer = new ReplyWriter(wire, this, keeper.clock);
    this.#clientIp = wire.remoteAddress;
    this.#deadline = keeper.clock.now() + firstHeadMs;
  }

  /** A request is being answered. */
  get busy(): boolean {
    return this.#stage === "request" && !this.#replied;
  }

  wireData(bytes: Uint8Array): void {
    switch (this.#stage) {
      case "closed":
        return;
      case "lingering":
        return this.#throwAway(bytes.length);
      case "head":
        return this.#readHead(bytes);
      case "request":
        return this.#readOn(bytes);
    }
  }

  wireDrained(): void {
    this.#writer.flush();
  }

  /** The caller closed the connection, or sends nothing more and so is not known to read. */
  wireClosed(): void {
    if (this.#stage === "closed") return;
    const request = this.#request;
    this.#stage = "closed";
    this.#request = undefined;
    this.#heads.forget();
    this.#ahead = [];
    this.#keeper.connectionGone(this);
    if (!this.#replied) request?.watcher?.clientLeft();
    request?.cutOff();
    this.#writer.abandon();
  }

  bodyWanted(): void {
    if (this.#head?.expectsContinue === true && this.#request?.receivedBytes === 0) {
      this.#wire.write(goAhead, 0, goAhead.length);
    }
  }

  drop(): void {
    if (this.#stage === "closed") return;
    this.#wire.terminate();
    this.wireClosed();
  }

  /** Nobody is left to answer: the caller sees the connection break, and does not wait for ever. */
  mistake(error: unknown): void {
    this.#keeper.handler.onBug(error);
    this.drop();
  }

  /** To be called every second or so. */
  checkTime(now: number): void {
    if (now >= this.#deadline || now - this.#writer.blockedSince >= silenceMs || this.#isBodyTooSlow(now)) this.drop();
  }

  replyWritten(): void {
    const request = this.#request;
    if (this.#stage !== "request" || request === undefined) return this.#close();
    this.#replied = true;
    if (this.#closesAfterReply || request.failure !== undefined) this.#close();
    else if (request.complete) this.#next();
  }

  #readHead(bytes: Uint8Array): void {
    let head: RequestHead | undefined;
    try {
      head = this.#heads.read(bytes);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return this.#refuse(error);
    }
    if (head === undefined) return;
    const source = this.#heads.bytes;
    this.#heads.forget();
    this.#begin(head, source);
  }

  #begin(head: RequestHead, bytes: Uint8Array): void {
    const request = new IncomingRequest(head, this.#clientIp, this);
    this.#head = head;
    this.#request = request;
    this.#stage = "request";
    this.#replied = false;
    this.#closesAfterReply = head.close || head.oldVersion;
    this.#deadline = Infinity;
    // What came along with the head is there when the handler asks for it: nearly always the whole body.
    const end = request.takeBytes(bytes, head.end);
    const { failure } = request;
    if (failure !== undefined) return this.#refuse(failure);
    if (end < bytes.length) this.#keepAhead(bytes.slice(end));
    if (!request.complete) this.#pace.begin(this.#keeper.clock.now());
    const reply = this.#keeper.handler.answer(request);
    request.ignoreBody();
    if (reply instanceof Promise) {
      void reply.then(
        (settled) => this.#reply(settled, head.method),
        (error: unknown) => this.mistake(error),
      );
    } else this.#reply(reply, head.method);
  }

  /** More of the body, or what comes behind it. */
  #readOn(bytes: Uint8Array): void {
    const request = this.#request;
    if (request === undefined || request.complete || request.failure !== undefined) return this.#keepAhead(bytes);
    this.#pace.heard(this.#keeper.clock.now());
    const end = request.takeBytes(bytes, 0);
    if (end < bytes.length) this.#keepAhead(bytes.slice(end));
    if (!this.#replied) return;
    this.#throwAway(end);
    if (this.#stage !== "request") return;
    if (request.failure !== undefined) this.#close();
    else if (request.complete) this.#next();
  }

  #reply(reply: Reply, method: string): void {
    const { body } = reply;
    const isStream = typeof body === "object" && !(body instanceof Uint8Array);
    if (this.#stage !== "request") {
      // Its reader left at the last moment.
      if (isStream) body.onLeft();
      return;
    }
    if (reply.headers["connection"] === "close") this.#closesAfterReply = true;
    const chunked = isStream && this.#head?.oldVersion !== true;
    if (isStream && !chunked) this.#closesAfterReply = true;
    const bytes = typeof body === "string" ? Buffer.from(body) : isStream ? undefined : body;
    const framing: Framing = isStream ? (chunked ? "chunked" : "until-close") : lengthOf(reply.status, bytes);
    const head = new ReplyHead(reply, framing, this.#closesAfterReply, this.#keeper.clock.wallNow());
    if (isStream) this.#writer.writeStream(head, body, chunked);
    else this.#writer.writeWhole(head, method === "HEAD" ? undefined : bytes);
  }

  /** What came is no request: it is told why, and nothing that follows is read. */
  #refuse(failure: Failure): void {
    const reply = this.#keeper.handler.refuse(failure);
    const bytes = typeof reply.body === "string" ? Buffer.from(reply.body) : undefined;
    this.#stage = "lingering";
    this.#heads.forget();
    this.#deadline = this.#keeper.clock.now() + lingerMs;
    const head = new ReplyHead(reply, lengthOf(reply.status, bytes), true, this.#keeper.clock.wallNow());
    this.#writer.writeWhole(head, bytes);
  }

  #next(): void {
    this.#stage = "head";
    this.#request = undefined;
    this.#head = undefined;
    this.#thrownAwayBytes = 0;
    this.#deadline = this.#keeper.clock.now() + silenceMs;
    if (this.#paused) {
      this.#paused = false;
      this.#wire.resume();
    }
    if (this.#aheadBytes === 0) return;
    const ahead = joinBytes(this.#ahead);
    this.#ahead = [];
    this.#aheadBytes = 0;
    this.#readHead(ahead);
  }

  #keepAhead(bytes: Uint8Array): void {
    // Nobody will look at it.
    if (this.#closesAfterReply || this.#request?.failure !== undefined) return this.#throwAway(bytes.length);
    this.#ahead.push(bytes);
    this.#aheadBytes += bytes.length;
    if (this.#aheadBytes <= maxAheadBytes || this.#paused) return;
    this.#paused = true;
    this.#wire.pause();
  }

  #throwAway(length: number): void {
    this.#thrownAwayBytes += length;
    if (this.#thrownAwayBytes > maxThrownAwayBytes) this.drop();
  }

  /** Politely: the other side may still be sending, and would not read its answer from a connection that breaks. */
  #close(): void {
    if (this.#stage === "closed") return;
    const isIdle = this.#stage === "head" || this.#request?.complete === true;
    if (isIdle && this.#aheadBytes === 0 && this.#thrownAwayBytes === 0) {
      this.#replied = true;
      this.#wire.end();
      return this.wireClosed();
    }
    this.#stage = "lingering";
    this.#request = undefined;
    this.#deadline = this.#keeper.clock.now() + lingerMs;
    this.#wire.shutdown();
  }

  #isBodyTooSlow(now: number): boolean {
    const request = this.#request;
    if (this.#stage !== "request" || request === undefined) return false;
    return !request.complete && request.failure === undefined && this.#pace.isTooSlow(now, request.receivedBytes);
  }
}
