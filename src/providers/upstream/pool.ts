// The connections to one origin: which are idle, and how many there are.

import type { Clock } from "../../core/clock.ts";
import { Connection, type ConnectionKeeper, type ConnectionUser } from "./connection.ts";
import type { Deadlines, Limited } from "../../http1/deadlines.ts";
import type { WireOwner } from "./wire.ts";

export interface PoolOptions {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly maxIdle: number;
  readonly idleMs: number;
  /** Starts to open a wire and tells its owner how that went. */
  readonly open: (owner: WireOwner) => void;
}

/** The one used last is used next, so that a quiet hour lets the rest run out. */
export class Pool implements ConnectionKeeper, Limited {
  rosterPlace = -1;
  readonly #options: PoolOptions;
  readonly #idle: Connection[] = [];
  #connections = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    options.deadlines.add(this);
  }

  /** Open or being opened, idle ones included. */
  get connections(): number {
    return this.#connections;
  }

  /** An idle connection, now the user's; undefined when there is none. */
  take(user: ConnectionUser, now: number): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) return undefined;
      if (connection.expiresAt > now) {
        connection.take(user);
        return connection;
      }
      connection.close();
    }
  }

  /** A new connection, the user's from the start; it is told when it can be used. */
  open(user: ConnectionUser): Connection {
    const connection = new Connection(this, user);
    this.#connections++;
    this.#options.open(connection);
    return connection;
  }

  connectionFree(connection: Connection): void {
    const { clock, deadlines, idleMs, maxIdle } = this.#options;
    const lifetimeMs = Math.min(idleMs, connection.keepAliveMs ?? idleMs);
    if (this.#closed || lifetimeMs <= 0 || this.#idle.length >= maxIdle) return connection.close();
    connection.expiresAt = clock.now() + lifetimeMs;
    this.#idle.push(connection);
    deadlines.expect(connection.expiresAt);
  }

  connectionGone(connection: Connection): void {
    this.#connections--;
    const at = this.#idle.lastIndexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  deadline(): number {
    let earliest = Infinity;
    for (const connection of this.#idle) earliest = Math.min(earliest, connection.expiresAt);
    return earliest;
  }

  expire(now: number): void {
    for (const connection of this.#idle.filter((idle) => idle.expiresAt <= now)) connection.close();
  }

  /** Closes what is idle and keeps nothing from now on; exchanges under way go on. */
  close(): void {
    this.#closed = true;
    this.#options.deadlines.remove(this);
    for (const connection of [...this.#idle]) connection.close();
  }
}
