// A caller of one stream on a connection of its own, who may leave whenever a test wants it to.

import { modelRequest } from "../support/raw-exchange.ts";

export interface StreamCaller {
  /** The answer with its head, one character per byte, once the connection has ended. */
  readonly ended: Promise<string>;
  /** By FIN, or by RST. */
  leave(how: "FIN" | "RST"): void;
}

/** A listener's queue of new connections is not endless: the next are opened when these are. */
const openedTogether = 100;
/** What a whole answer in chunks ends with. */
const lastChunk = "\r\n0\r\n\r\n";

/** One caller for each model. */
export async function callStreams(port: number, models: readonly string[]): Promise<readonly StreamCaller[]> {
  const callers: StreamCaller[] = [];
  while (callers.length < models.length) {
    const next = models.slice(callers.length, callers.length + openedTogether);
    callers.push(...(await Promise.all(next.map((model) => callStream(port, model)))));
  }
  return callers;
}

/** Closes its connection after a whole stream; the gateway does after any other answer. */
async function callStream(port: number, model: string): Promise<StreamCaller> {
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
  socket.write(modelRequest("chat/completions", model, { stream: true }, ["connection: close"]));
  return {
    ended: promise,
    leave: (how) => (how === "FIN" ? socket.end() : socket.terminate()),
  };
}
