// A caller of one stream on a connection of its own, who may leave whenever a test wants it to.

import { modelRequest } from "../support/raw-exchange.ts";

export interface StreamCaller {
  /** The answer with its head, one character per byte, once the connection has ended or the answer is whole. */
  readonly ended: Promise<string>;
  /** By FIN, or by RST. */
  leave(how: "FIN" | "RST"): void;
}

/** What a whole answer in chunks ends with. */
const lastChunk = "\r\n0\r\n\r\n";

/** Closes its connection after a whole answer. */
export async function callStream(port: number, model: string, headers: readonly string[] = []): Promise<StreamCaller> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const pieces: string[] = [];
  let end = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(own, bytes) {
        const text = bytes.toString("latin1");
        pieces.push(text);
        end = (end + text).slice(-lastChunk.length);
        if (end === lastChunk) own.end();
      },
      close: () => resolve(pieces.join("")),
      error() {},
    },
  });
  socket.write(modelRequest("chat/completions", model, { stream: true }, headers));
  return {
    ended: promise,
    leave: (how) => (how === "FIN" ? socket.end() : socket.terminate()),
  };
}

/** The body of an answer in chunks; undefined when it is not whole or the status is not 200. */
export function wholeBody(answer: string): string | undefined {
  const headEnd = answer.indexOf("\r\n\r\n") + 4;
  if (!answer.startsWith("HTTP/1.1 200 ") || headEnd < 4) return undefined;
  let body = "";
  for (let at = headEnd; ;) {
    const lineEnd = answer.indexOf("\r\n", at);
    const size = Number.parseInt(answer.slice(at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return undefined;
    if (size === 0) return answer.slice(lineEnd) === "\r\n\r\n" ? body : undefined;
    body += answer.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
