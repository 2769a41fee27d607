// An upstream that says exactly the bytes a test gives it, over a real socket.

/** One accepted connection. */
export interface RawConnection {
  /** Everything received so far, one character per byte. */
  received: string;
  /** Requests that were complete. */
  requests: number;
  open: boolean;
  /** Settles when the connection is gone; `reset` says that the other side did not close it politely. */
  readonly closed: Promise<"closed" | "reset">;
  /** Text goes out as Latin-1, one byte per character. What does not fit is sent when there is room. */
  send(data: string | Uint8Array): void;
  /** After what was sent. */
  end(): void;
  reset(): void;
  /** Bytes given to the kernel. */
  written: number;
}

export interface RawUpstream {
  readonly port: number;
  readonly connections: readonly RawConnection[];
  stop(): void;
}

export interface RawUpstreamOptions {
  readonly connected?: (connection: RawConnection) => void;
  /** Called for each complete request; its index counts over all connections. */
  readonly request?: (connection: RawConnection, index: number) => void;
  /** Called for all bytes, complete or not. */
  readonly data?: (connection: RawConnection, bytes: Uint8Array) => void;
  readonly tls?: { readonly key: string; readonly cert: string };
}

interface State {
  readonly connection: RawConnection;
  flush(): void;
  closed(how: "closed" | "reset"): void;
}

/** On 127.0.0.1, a port of its own. */
export function startRawUpstream(options: RawUpstreamOptions): RawUpstream {
  const connections: RawConnection[] = [];
  let index = 0;
  const accept = (socket: Bun.Socket<State>): void => {
    const state = createState(socket);
    socket.data = state;
    connections.push(state.connection);
    options.connected?.(state.connection);
  };
  const listener = Bun.listen<State>({
    hostname: "127.0.0.1",
    port: 0,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open: accept,
      data(socket, bytes) {
        const { connection } = socket.data;
        options.data?.(connection, bytes);
        connection.received += bytes.toString("latin1");
        for (let before = -1; before !== connection.requests;) {
          before = connection.requests;
          if (completeRequests(connection.received) > connection.requests) {
            connection.requests++;
            options.request?.(connection, index++);
          }
        }
      },
      drain: (socket) => socket.data.flush(),
      close: (socket, error) => socket.data.closed(error === undefined ? "closed" : "reset"),
      error() {},
    },
  });
  return { port: listener.port, connections, stop: () => listener.stop(true) };
}

function createState(socket: Bun.Socket<State>): State {
  const { promise, resolve } = Promise.withResolvers<"closed" | "reset">();
  let waiting = new Uint8Array(0);
  let ending = false;
  const flush = (): void => {
    while (waiting.length > 0) {
      const taken = socket.write(waiting);
      if (taken <= 0) return;
      connection.written += taken;
      waiting = waiting.subarray(taken);
    }
    if (ending) socket.end();
  };
  const connection: RawConnection = {
    received: "",
    requests: 0,
    open: true,
    closed: promise,
    written: 0,
    send(data) {
      const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
      if (waiting.length > 0) waiting = Buffer.concat([waiting, bytes]);
      else waiting = new Uint8Array(bytes);
      flush();
    },
    end() {
      ending = true;
      if (waiting.length === 0) socket.end();
    },
    reset: () => socket.terminate(),
  };
  return {
    connection,
    flush,
    closed(how) {
      connection.open = false;
      resolve(how);
    },
  };
}

/** How many requests with `content-length` or without a body the text holds. */
function completeRequests(text: string): number {
  let count = 0;
  for (let start = 0; ; count++) {
    const blank = text.indexOf("\r\n\r\n", start);
    if (blank < 0) return count;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(start, blank))?.[1] ?? 0);
    start = blank + 4 + length;
    if (start > text.length) return count;
  }
}
