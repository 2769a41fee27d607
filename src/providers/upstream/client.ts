// The gateway's HTTP/1.1 client: the only way out to a provider.

import type { Clock } from "../../core/clock.ts";
import { Deadlines } from "../../http1/deadlines.ts";
import { Exchange } from "./exchange.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import { openWire } from "./open-wire.ts";
import { Pool } from "./pool.ts";
import { parseProxyUrl } from "./proxy-url.ts";
import { RequestHeads } from "./request-head.ts";
import type { ParsedUpstreamUrl } from "./upstream-url.ts";

export interface HttpClientOptions {
  readonly clock: Clock;
  /** `http`, `https`, `socks5` or `socks5h`; every connection goes through it. Default: none. */
  readonly proxyUrl?: string | undefined;
  /** Connections kept for each origin while nobody uses them. Default 2048, so that 2,000 calls at once need no new ones. */
  readonly maxIdlePerOrigin?: number;
  /** How long they are kept, in milliseconds; less when the upstream says so. Default 90000. */
  readonly idleMs?: number;
  /** PEM; trusted in place of the well-known authorities. Default: those. */
  readonly trustedCertificates?: string | undefined;
}

export interface HttpClient {
  /**
   * Resolves with the head of the answer, whatever its status. Rejects, as `body.read()` does, only with what `toFailure` made. A
   * connection that was kept and turns out to be closed before the first byte of an answer is replaced once by a new one.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Open or being opened, idle ones included; not those given up while the runtime was connecting, which it cannot be told to stop. */
  readonly openSockets: number;
  /** Closes what is idle and keeps nothing from now on. Calls under way go on, later ones have a connection of their own. */
  close(): void;
}

/** Throws for a proxy URL that cannot be used. Opens nothing by itself. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { clock, maxIdlePerOrigin: maxIdle = 2048, idleMs = 90_000, trustedCertificates } = options;
  const proxy = options.proxyUrl === undefined ? undefined : parseProxyUrl(options.proxyUrl);
  const deadlines = new Deadlines(clock);
  const tools = { clock, deadlines, heads: new RequestHeads() };
  const pools = new Map<string, Pool>();
  let closed = false;

  function poolOf(target: ParsedUpstreamUrl): Pool {
    const known = pools.get(target.origin);
    if (known !== undefined) return known;
    const destination = { target, proxy, trustedCertificates };
    const pool = new Pool({ clock, deadlines, maxIdle, idleMs, open: (owner) => openWire(destination, owner) });
    if (closed) pool.close();
    pools.set(target.origin, pool);
    return pool;
  }

  return {
    send(request) {
      return new Promise((resolve, reject) => {
        new Exchange(tools, poolOf(request.url), request, resolve, reject).start();
      });
    },
    get openSockets() {
      let count = 0;
      for (const pool of pools.values()) count += pool.connections;
      return count;
    },
    close() {
      closed = true;
      for (const pool of pools.values()) pool.close();
      deadlines.settle();
    },
  };
}
