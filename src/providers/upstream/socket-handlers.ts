// Hands what happens on a socket of the runtime to the wire's owner; one set of handlers serves all connections.

import type { SocketHandler } from "bun";
import { errorCode, troubleOf, type WireOwner } from "./wire.ts";

/** A peer that is gone without a word is noticed although nothing is being sent (behaviour 2.10). */
const keepAliveDelayMs = 30_000;

/** A socket of the runtime is a `Wire` as it is. Each chunk has a buffer of its own, which the runtime does not use again. */
export const plainHandlers: SocketHandler<WireOwner> = {
  binaryType: "uint8array",
  open(socket) {
    socket.setKeepAlive(true, keepAliveDelayMs);
    socket.data.wireConnected(socket);
    socket.data.wireReady(socket);
  },
  data(socket, bytes) {
    socket.data.wireData(bytes);
  },
  drain(socket) {
    socket.data.wireDrained();
  },
  end(socket) {
    socket.data.wireEnded();
  },
  close(socket, error) {
    socket.data.wireClosed(error === undefined ? undefined : errorCode(error, "ECONNRESET"));
  },
  connectError(socket, error) {
    socket.data.wireRefused(troubleOf(errorCode(error, "unknown"), "not connected"));
  },
};

/** The same under TLS. What is written before the handshake is refused by the runtime. */
export const tlsHandlers: SocketHandler<WireOwner> = {
  ...plainHandlers,
  open(socket) {
    socket.setKeepAlive(true, keepAliveDelayMs);
    socket.data.wireConnected(socket);
  },
  handshake(socket, success, error) {
    if (success && !error) socket.data.wireReady(socket);
    else socket.data.wireRefused(troubleOf(errorCode(error, "unknown"), "no TLS connection"));
  },
  error(socket, error) {
    // Also called for what our own handlers throw, which is no event of the wire.
    if (!("code" in error)) throw error;
    socket.data.wireClosed(errorCode(error, "ECONNRESET"));
  },
};
