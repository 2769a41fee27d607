// The benchmark's own load generator: keep-alive connections on raw sockets, each with one request at a time.

import type { Socket } from "bun";
import { type Load, type LoadResult, quantileOf } from "./load.ts";

export interface OwnLoad extends Load {
  /** Connections begin one after the other over this time, so that streams do not run in step. */
  readonly spreadMs: number;
  /** Bytes after the head that a right answer has at least. */
  readonly leastBodyBytes: number;
  /** What a latency is: until the first byte of the answer, or until its end. */
  readonly latencyUntil: "first-byte" | "end";
  /** Ends the load early. Default: none. */
  readonly maxRequests?: number;
}

const terminalChunk = Buffer.from("\r\n0\r\n\r\n");

/** Resolves when every connection is closed. */
export async function runOwnLoad(load: OwnLoad): Promise<LoadResult> {
  const run = new LoadRun(load);
  return run.result();
}

class LoadRun {
  readonly #load: OwnLoad;
  readonly #latencies: number[] = [];
  readonly #begun = performance.now();
  #lastEnd = this.#begun;
  #requests = 0;
  #answers = 0;
  #wrong = 0;

  constructor(load: OwnLoad) {
    this.#load = load;
  }

  async result(): Promise<LoadResult> {
    const { connections, spreadMs } = this.#load;
    await Promise.all(
      Array.from({ length: connections }, async (_, index) => {
        if (spreadMs > 0) await Bun.sleep((spreadMs * index) / connections);
        await this.#connect();
      }),
    );
    const sorted = Float64Array.from(this.#latencies).toSorted();
    return {
      answers: this.#answers,
      wrong: this.#wrong,
      seconds: (this.#lastEnd - this.#begun) / 1000,
      p50Ms: quantileOf(sorted, 0.5),
      p99Ms: quantileOf(sorted, 0.99),
    };
  }

  /** Until the connection is closed, by us when there is nothing left to ask. */
  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const lost = (): void => {
        this.#wrong++;
        resolve();
      };
      Bun.connect<Client | undefined>({
        hostname: "127.0.0.1",
        port: this.#load.port,
        socket: {
          open: (socket) => {
            socket.setNoDelay(true);
            socket.data = new Client(socket, this);
            socket.data.askNext();
          },
          data: (socket, bytes) => socket.data?.receive(bytes),
          drain: (socket) => socket.data?.drain(),
          close(socket) {
            if (socket.data?.idle === true) resolve();
            else lost();
          },
          error: () => {},
        },
      }).catch(lost);
    });
  }

  /** Undefined when the load is over. */
  nextRequest(): Buffer | undefined {
    const { durationMs, requests, maxRequests = Number.POSITIVE_INFINITY } = this.#load;
    if (this.#requests >= maxRequests || performance.now() - this.#begun >= durationMs) return undefined;
    return requests[this.#requests++ % requests.length];
  }

  answered(right: boolean, bodyBytes: number, firstByteMs: number, endMs: number): void {
    this.#lastEnd = performance.now();
    if (right && bodyBytes >= this.#load.leastBodyBytes) {
      this.#answers++;
      this.#latencies.push(this.#load.latencyUntil === "end" ? endMs : firstByteMs);
    } else {
      this.#wrong++;
    }
  }
}

class Client {
  readonly #socket: Socket<Client | undefined>;
  readonly #run: LoadRun;
  idle = true;
  #askedAt = 0;
  #firstByteMs = 0;
  #unsent: Buffer | undefined;
  /** What came of the head so far; undefined in the body. */
  #head: Buffer | undefined = Buffer.alloc(0);
  #ok = false;
  #bodyBytes = 0;
  /** Undefined: the body is chunked. */
  #contentLength: number | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(socket: Socket<Client | undefined>, run: LoadRun) {
    this.#socket = socket;
    this.#run = run;
  }

  askNext(): void {
    const request = this.#run.nextRequest();
    this.idle = request === undefined;
    if (request === undefined) {
      this.#socket.end();
      return;
    }
    this.#head = Buffer.alloc(0);
    this.#bodyBytes = 0;
    this.#tail = Buffer.alloc(0);
    this.#askedAt = performance.now();
    this.#firstByteMs = -1;
    this.#send(request);
  }

  drain(): void {
    if (this.#unsent !== undefined) this.#send(this.#unsent);
  }

  #send(bytes: Buffer): void {
    const written = Math.max(0, this.#socket.write(bytes));
    this.#unsent = written < bytes.length ? bytes.subarray(written) : undefined;
  }

  receive(bytes: Buffer): void {
    if (this.#firstByteMs < 0) this.#firstByteMs = performance.now() - this.#askedAt;
    const body = this.#head === undefined ? bytes : this.#readHead(bytes);
    if (body === undefined) return;
    this.#bodyBytes += body.length;
    const ended =
      this.#contentLength === undefined ? this.#endsWithTerminal(body) : this.#bodyBytes >= this.#contentLength;
    if (!ended) return;
    this.#run.answered(this.#ok, this.#bodyBytes, this.#firstByteMs, performance.now() - this.#askedAt);
    this.askNext();
  }

  /** The part of the body that came with the end of the head; undefined while there is no end. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head === undefined || this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf("\r\n\r\n");
    if (end === -1) {
      // What the socket gives is only lent.
      this.#head = Buffer.from(all);
      return undefined;
    }
    const head = all.toString("latin1", 0, end + 2);
    this.#ok = head.startsWith("200", 9);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#contentLength = length === undefined ? undefined : Number(length);
    this.#head = undefined;
    return all.subarray(end + 4);
  }

  /** Event streams have no bare CR LF 0 CR LF in their data, so the last bytes decide. */
  #endsWithTerminal(body: Buffer): boolean {
    const { length } = terminalChunk;
    this.#tail =
      body.length >= length ? Buffer.from(body.subarray(-length)) : Buffer.concat([this.#tail, body]).subarray(-length);
    return this.#tail.equals(terminalChunk);
  }
}
