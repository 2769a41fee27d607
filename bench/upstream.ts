// The benchmark's upstream, a process of its own: raw sockets, answers made in advance, the path says which one.
//
//   bun bench/upstream.ts PORT
//
// The rest of the path says in which dialect; streams that are paced are of chat completions.
//
//   /plain/...     a small JSON answer
//   /broken/...    500
//   /burst/...     50 events, all in one write
//   /paced-N/...   50 events, the first at once, the others N milliseconds apart

import type { Socket } from "bun";
import { Pacer } from "./pacer.ts";
import {
  brokenAnswer,
  dialectBursts,
  modelListing,
  plainAnswers,
  streamEvents,
  streamEventsWithUsage,
  streamHead,
} from "./upstream-answers.ts";

const burst = Buffer.concat([streamHead, ...streamEvents]);
const burstWithUsage = Buffer.concat([streamHead, ...streamEventsWithUsage]);
const firstEvent = Buffer.concat([streamHead, ...streamEvents.slice(0, 1)]);
const firstEventWithUsage = Buffer.concat([streamHead, ...streamEventsWithUsage.slice(0, 1)]);

const pacers = new Map<number, Pacer>();

class Connection {
  readonly #socket: Socket<Connection | undefined>;
  #head = "";
  /** Bytes of the body that have not come yet; undefined: a chunked body is being read. */
  #bodyLeft: number | undefined = 0;
  #asksForUsage = false;
  #unsent: Buffer = Buffer.alloc(0);
  #leavePacer: (() => void) | undefined;

  constructor(socket: Socket<Connection | undefined>) {
    this.#socket = socket;
  }

  receive(bytes: Buffer): void {
    let body = bytes;
    if (this.#head === "") {
      const end = bytes.indexOf("\r\n\r\n");
      // Requests here are sent whole: a head that arrives in two pieces would be a mistake of the benchmark.
      if (end === -1) throw new Error("a request head came in pieces");
      this.#head = bytes.toString("latin1", 0, end + 2);
      body = bytes.subarray(end + 4);
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1];
      if (length !== undefined) this.#bodyLeft = Number(length);
      else this.#bodyLeft = /\r\ntransfer-encoding: *chunked/i.test(this.#head) ? undefined : 0;
      this.#asksForUsage = false;
    }
    if (this.#head.startsWith("/burst", 5) || this.#head.startsWith("/paced", 5)) {
      this.#asksForUsage ||= body.includes('"include_usage":true');
    }
    if (this.#bodyLeft === undefined) {
      if (!body.subarray(-5).equals(lastChunk)) return;
    } else {
      this.#bodyLeft -= body.length;
      if (this.#bodyLeft > 0) return;
    }
    const head = this.#head;
    this.#head = "";
    this.#answer(head);
  }

  #answer(head: string): void {
    if (head.startsWith("/plain/v1/chat", 5)) return this.#write(plainAnswers["chat-completions"]);
    if (head.startsWith("/burst/v1/chat", 5)) return this.#write(this.#asksForUsage ? burstWithUsage : burst);
    if (head.startsWith("/plain/v1/messages", 5)) return this.#write(plainAnswers.messages);
    if (head.startsWith("/burst/v1/messages", 5)) return this.#write(dialectBursts.messages);
    if (head.startsWith("/plain/v1/responses", 5)) return this.#write(plainAnswers.responses);
    if (head.startsWith("/burst/v1/responses", 5)) return this.#write(dialectBursts.responses);
    if (head.startsWith("/broken/v1/chat", 5)) return this.#write(brokenAnswer);
    const pace = /^POST \/paced-(\d+)\/v1\/chat/.exec(head)?.[1];
    if (pace !== undefined) return this.#pace(Number(pace), this.#asksForUsage);
    this.#write(/^GET \S+\/models[ ?]/.test(head) ? modelListing : brokenAnswer);
  }

  #pace(everyMs: number, withUsage: boolean): void {
    const pieces = withUsage ? streamEventsWithUsage : streamEvents;
    let next = 1;
    this.#write(withUsage ? firstEventWithUsage : firstEvent);
    let pacer = pacers.get(everyMs);
    if (pacer === undefined) {
      pacer = new Pacer(everyMs);
      pacers.set(everyMs, pacer);
    }
    // The usage event and `[DONE]` come with the event before them, as they do from a model.
    const last = pieces.length - (withUsage ? 3 : 2);
    const end = Buffer.concat(pieces.slice(last));
    this.#leavePacer = pacer.join(() => {
      const piece = next < last ? pieces[next] : end;
      if (piece !== undefined) this.#write(piece);
      return next++ < last;
    });
  }

  #write(bytes: Buffer): void {
    if (this.#unsent.length > 0) {
      this.#unsent = Buffer.concat([this.#unsent, bytes]);
      return;
    }
    const written = Math.max(0, this.#socket.write(bytes));
    if (written < bytes.length) this.#unsent = bytes.subarray(written);
  }

  drain(): void {
    const bytes = this.#unsent;
    this.#unsent = Buffer.alloc(0);
    if (bytes.length > 0) this.#write(bytes);
  }

  closed(): void {
    this.#leavePacer?.();
  }
}

const lastChunk = Buffer.from("0\r\n\r\n");

Bun.listen<Connection | undefined>({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  socket: {
    open(socket) {
      socket.data = new Connection(socket);
      socket.setNoDelay(true);
    },
    data: (socket, bytes) => socket.data?.receive(bytes),
    drain: (socket) => socket.data?.drain(),
    close: (socket) => socket.data?.closed(),
    error: () => {},
  },
});
