// A client that sends bytes and tells which bytes came back and how the connection ended.

import { connect, type Socket } from "node:net";

export interface RawExchange {
  /** All bytes so far, as they are. */
  readonly bytes: Buffer;
  /** The same as UTF-8. */
  readonly text: string;
  /** Sizes of the reads in which they came. */
  readonly reads: readonly number[];
  /** How the connection ended, or that it did not. */
  readonly end: "open" | "fin" | "reset";
}

/** A connection that can be used for several exchanges. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** What came since the last call of this, once `until` holds or the connection ended. Rejects after `limitMs` (4 s). */
  receive(until: (soFar: RawExchange) => boolean, limitMs?: number): Promise<RawExchange>;
  /** Reads nothing until `resume`: the kernel's buffers fill up, then the sender has to wait. */
  pause(): void;
  resume(): void;
  /** Sends a FIN and goes on reading. */
  finish(): void;
  /** Closes by FIN. */
  close(): void;
  /** Closes by RST. */
  reset(): void;
}

export function openRawConnection(port: number): RawConnection {
  let chunks: Buffer[] = [];
  let end: RawExchange["end"] = "open";
  let changed: () => void = () => {};
  const socket: Socket = connect(port, "127.0.0.1");
  socket.on("data", (bytes) => {
    chunks.push(Buffer.from(bytes));
    changed();
  });
  socket.on("end", () => {
    if (end === "open") end = "fin";
    changed();
  });
  socket.on("error", () => {
    end = "reset";
    changed();
  });
  const soFar = (): RawExchange => {
    const bytes = Buffer.concat(chunks);
    return { bytes, text: bytes.toString(), reads: chunks.map((chunk) => chunk.length), end };
  };

  return {
    send: (bytes) => socket.write(bytes),
    receive: (until, limitMs = 4000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          changed = () => {};
          const { text } = soFar();
          reject(new Error(`not received within ${limitMs} ms; ${text.length} characters: ${text.slice(0, 500)}`));
        }, limitMs);
        changed = () => {
          const exchange = soFar();
          if (exchange.end === "open" && !until(exchange)) return;
          clearTimeout(timer);
          changed = () => {};
          chunks = [];
          resolve(exchange);
        };
        changed();
      }),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    finish: () => void socket.end(),
    close: () => void socket.destroy(),
    reset: () => void socket.resetAndDestroy(),
  };
}

/** A request to a model of an OpenAI-compatible upstream; `extra` joins the body. */
export function modelRequest(path: string, model: string, extra: object = {}, headers: readonly string[] = []): string {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "hello" }], ...extra });
  const lines = [
    "host: upstream",
    "content-type: application/json",
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `POST /v1/${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
