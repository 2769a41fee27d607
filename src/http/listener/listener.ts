// The gateway's HTTP/1.1 server: takes connections and keeps an eye on those that bring nothing.

import type { SocketHandler } from "bun";
import type { CancelTimer, Clock } from "../../core/clock.ts";
import { ClientConnection, type ConnectionKeeper, type RequestHandler } from "./client-connection.ts";

export interface ListenerOptions {
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly handler: RequestHandler;
}

export interface Listener {
  readonly port: number;
  /** Requests whose answers are not with the kernel yet. */
  readonly pending: number;
  /** Takes no more connections and closes whatever is open. */
  stop(): void;
}

/** How often connections are looked at; one timer for all of them, and none while there are none. */
const sweepMs = 1000;
/** A peer that is gone without a word is noticed although nothing is being sent. */
const keepAliveDelayMs = 30_000;

const handlers: SocketHandler<ClientConnection> = {
  binaryType: "uint8array",
  data(socket, bytes) {
    try {
      socket.data.wireData(bytes);
    } catch (error) {
      socket.data.mistake(error);
    }
  },
  drain(socket) {
    socket.data.wireDrained();
  },
  end(socket) {
    socket.data.wireClosed();
    socket.end();
  },
  close(socket) {
    socket.data.wireClosed();
  },
  error(_socket, error) {
    // Also called for what our own handlers throw, which is no event of the connection.
    if (!("code" in error)) throw error;
  },
};

/** Throws what the runtime throws when the address cannot be had. */
export function startListener({ hostname, port, clock, handler }: ListenerOptions): Listener {
  const connections = new Set<ClientConnection>();
  let cancelSweep: CancelTimer | undefined;

  const sweep = (): void => {
    cancelSweep = undefined;
    const now = clock.now();
    for (const connection of connections) connection.checkTime(now);
    watch();
  };
  const watch = (): void => {
    if (connections.size > 0) cancelSweep ??= clock.schedule(sweepMs, sweep);
  };

  const keeper: ConnectionKeeper = {
    clock,
    handler,
    connectionGone(connection) {
      connections.delete(connection);
    },
  };
  const server = Bun.listen<ClientConnection>({
    hostname,
    port,
    socket: {
      ...handlers,
      open(socket) {
        socket.setKeepAlive(true, keepAliveDelayMs);
        const connection = new ClientConnection(socket, keeper);
        socket.data = connection;
        connections.add(connection);
        watch();
      },
    },
  });

  return {
    port: server.port,
    get pending() {
      let count = 0;
      for (const connection of connections) if (connection.busy) count++;
      return count;
    },
    stop() {
      cancelSweep?.();
      server.stop(true);
      for (const connection of [...connections]) connection.drop();
    },
  };
}
