// A scriptable upstream of every dialect over raw sockets; the model's name says what goes wrong (see `model-name.ts`).

import { systemClock, type Clock } from "../core/clock.ts";
import { AnswerBook } from "./answer-book.ts";
import { Connection, type ConnectionContext } from "./connection.ts";
import type { SimulatorCall } from "./simulator-call.ts";
import { fin, hang, reset, type Step } from "./step.ts";
import { createTicker } from "./ticker.ts";

export interface SimulatorOptions {
  /** Default `127.0.0.1`. */
  readonly hostname?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** For what is random. Default 1. */
  readonly seed?: number;
  /** What `GET /v1/models` lists; other names are answered all the same. Default: `ok`. */
  readonly models?: readonly string[];
  /** Without it every key, and none, is right. */
  readonly apiKey?: string;
  /** False: `calls` stays empty, for servers that run long. Default true. */
  readonly recordCalls?: boolean;
}

/** What becomes of a new connection before anything is read from it. */
type ConnectionFault = "none" | "fin" | "reset" | "hang";

const stepsOnAccept: Readonly<Record<ConnectionFault, readonly Step[] | undefined>> = {
  none: undefined,
  fin: [fin],
  reset: [reset],
  hang: [hang],
};

export interface Simulator {
  readonly port: number;
  /** `http://127.0.0.1:PORT`; each dialect has its paths below it, see `route.ts`. */
  readonly origin: string;
  /** `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  /** In the order in which their requests were whole. */
  readonly calls: readonly SimulatorCall[];
  /** Forgets the calls and how often each model was called. What was set by the three setters stays. */
  reset(): void;
  /** From now on `model` behaves as `fault`, a model name itself, says. Throws a RangeError for what is none. */
  setFault(model: string, fault: string): void;
  /** The same for `GET /v1/models`; `ok` heals it. */
  setListingFault(fault: string): void;
  /** For connections from now on. */
  setConnectionFault(fault: ConnectionFault): void;
  readonly openSockets: number;
  /**
   * Milliseconds from now until the connection of this call is closed; 0 when it is. Rejects after `timeoutMs`, and at once when
   * there is no such call.
   */
  waitForClosed(callIndex: number, timeoutMs: number): Promise<number>;
  /** Aborts what is open and frees the port. */
  stop(): Promise<void>;
}

/** Listens at once. Throws when the port is taken. */
export function startSimulator(options: SimulatorOptions = {}): Simulator {
  const {
    hostname = "127.0.0.1",
    port = 0,
    clock = systemClock,
    seed = 1,
    models = ["ok"],
    recordCalls = true,
  } = options;
  const book = new AnswerBook({ clock, seed, models, apiKey: options.apiKey });
  const connections = new Map<number, Connection>();
  const closedListeners = new Map<number, Set<() => void>>();
  let calls: SimulatorCall[] = [];
  let connectionFault: ConnectionFault = "none";
  let lastConnectionId = 0;

  const context: ConnectionContext = {
    clock,
    ticker: createTicker(clock),
    answer: (request, route, facts) => book.answer(request, route, facts),
    record: (call) => {
      if (recordCalls) calls.push(call);
    },
  };

  const listener = Bun.listen<Connection>({
    hostname,
    port,
    socket: {
      open(socket) {
        const connection = new Connection(++lastConnectionId, socket, context);
        socket.data = connection;
        connections.set(connection.id, connection);
        const steps = stepsOnAccept[connectionFault];
        if (steps !== undefined) connection.refuse(steps);
      },
      data: (socket, bytes) => socket.data.receive(bytes),
      drain: (socket) => socket.data.drain(),
      close(socket) {
        const connection = socket.data;
        connection.closed();
        connections.delete(connection.id);
        for (const listen of closedListeners.get(connection.id) ?? []) listen();
        closedListeners.delete(connection.id);
      },
      // A peer that aborts is what tests do; `close` follows.
      error: () => {},
    },
  });

  const origin = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${listener.port}`;

  function whenClosed(connectionId: number, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const listeners = closedListeners.get(connectionId) ?? new Set();
      closedListeners.set(connectionId, listeners);
      const cancelTimer = clock.schedule(timeoutMs, () => {
        listeners.delete(listen);
        reject(new Error(`connection ${connectionId} is still open after ${timeoutMs} ms`));
      });
      const listen = (): void => {
        cancelTimer();
        resolve();
      };
      listeners.add(listen);
    });
  }

  return {
    port: listener.port,
    origin,
    baseUrl: `${origin}/v1`,
    get calls() {
      return calls;
    },
    reset() {
      calls = [];
      book.forgetCalls();
    },
    setFault: (model, fault) => book.setFault(model, fault),
    setListingFault: (fault) => book.setListingFault(fault),
    setConnectionFault(fault) {
      connectionFault = fault;
    },
    get openSockets() {
      return connections.size;
    },
    async waitForClosed(callIndex, timeoutMs) {
      const call = calls[callIndex];
      if (call === undefined) throw new RangeError(`there is no call ${callIndex}, only ${calls.length}`);
      if (!connections.has(call.connectionId)) return 0;
      const since = clock.now();
      await whenClosed(call.connectionId, timeoutMs);
      return clock.now() - since;
    },
    async stop() {
      listener.stop();
      for (const connection of connections.values()) connection.abort();
      await Promise.all([...connections.keys()].map((id) => whenClosed(id, 1000)));
    },
  };
}
