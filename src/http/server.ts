// The public listener, top to bottom: target, request id, route, caller, handler, error.

import type { CancelTimer, Clock } from "../core/clock.ts";
import { Failure, unexpectedError } from "../core/failure.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Authenticator } from "./auth.ts";
import { clientDialects, dialectOfPath, nameRequestId } from "./client-dialects.ts";
import { errorResponse, refuse } from "./error-response.ts";
import { Exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import { pathOf } from "./request-target.ts";
import type { RouteTable } from "./routes.ts";

export interface ServerOptions {
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  readonly routes: RouteTable;
  readonly authenticate: Authenticator;
  readonly clock: Clock;
  /** Request headers are kept for the log. */
  readonly keepHeaders: boolean;
  readonly onEnd: (exchange: Exchange) => void;
  /** A mistake of ours that a request met. */
  readonly onBug: (error: unknown, requestId: string) => void;
}

export interface Server {
  readonly port: number;
  /** Model calls that have not ended. */
  readonly inFlight: number;
  /** Closes the connection of `request` as soon as nothing more is written to it. */
  dropConnection(request: Request): void;
  /**
   * Refuses new model calls, waits up to `graceMs` for those in flight, then tells the rest that the process ends, gives
   * them a moment to say so to their callers, and stops listening.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * How long a connection may stay silent between two requests, inside the head of its second one, and while it owes the rest of a body.
 * Longer than balancers keep theirs (60 s), so that none sends a request into a connection that is just being closed. The runtime
 * itself gives the first head 10 s, however it trickles in, and takes a body slower than 16 kB/s for silence.
 */
const silenceLimitSeconds = 120;
/** How often calls that take long are looked for; well below the limit that they are to outlive. */
const silencePollMs = 30_000;
/** How long cut streams get to bring out their error event. */
const farewellMs = 1000;
/** How often a drain looks whether the last answers are written; the runtime tells their number but not the moment. */
const pollMs = 10;
/** Request ids are copied into headers, logs and provider calls: only what is harmless everywhere. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

export function startServer(options: ServerOptions): Server {
  const { clock } = options;
  const inFlight = new Set<Exchange>();
  let draining = false;
  let cancelSilenceTimer: CancelTimer | undefined;
  let onEmpty: (() => void) | undefined;

  const exchangeEnded = (exchange: Exchange): void => {
    inFlight.delete(exchange);
    if (exchange.mayBeSilent) server.timeout(exchange.request, silenceLimitSeconds);
    options.onEnd(exchange);
    if (inFlight.size === 0) onEmpty?.();
  };

  /** A model may think longer than any connection default: its time is a matter of our own limits. Most calls end long before this asks. */
  const allowSilence = (): void => {
    cancelSilenceTimer = undefined;
    for (const exchange of inFlight) {
      if (exchange.mayBeSilent || !exchange.bodyIsHere) continue;
      exchange.mayBeSilent = true;
      server.timeout(exchange.request, 0);
    }
    if (inFlight.size > 0) watchSilence();
  };
  const watchSilence = (): void => {
    cancelSilenceTimer ??= clock.schedule(silencePollMs, allowSilence);
  };

  const server = Bun.serve({
    hostname: options.hostname,
    port: options.port,
    idleTimeout: silenceLimitSeconds,
    // Larger bodies are refused with a readable error before they are read.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Not async, as nothing on the way to a model is that need not be: each such function costs five objects per call.
    fetch(request, listener) {
      const path = pathOf(request.url, options.basePath);
      const requestId = requestIdOf(request.headers);
      const dialect = dialectOfPath(path, request.headers);
      const headers: Record<string, string> = {};
      nameRequestId(headers, requestId, dialect);
      const route = path === undefined ? undefined : options.routes.find(request.method, path);
      const modelRoute = route !== undefined && !(route instanceof Failure) && route.modelRoute;
      const record = newRecord(
        request,
        requestId,
        path ?? pathOf(request.url, "") ?? "",
        modelRoute,
        listener.requestIP(request)?.address ?? "",
        clock,
        options.keepHeaders ? headers : undefined,
      );
      const exchange = new Exchange(request, record, dialect, clock, exchangeEnded);
      if (modelRoute) {
        inFlight.add(exchange);
        watchSilence();
        request.signal.addEventListener("abort", exchange);
      }
      try {
        const refusal = refusalOf(request);
        if (refusal !== undefined) throw refusal;
        if (route === undefined || path === undefined) throw unknownPath(record);
        if (route instanceof Failure) throw route;
        if (draining && route.modelRoute) {
          headers["connection"] = "close";
          throw drainingFailure();
        }
        if (route.needsKey) {
          const caller = options.authenticate(request.headers);
          if (caller instanceof Failure) throw caller;
          record.authMethod = caller.method;
          record.apiKeyHash = caller.keyHash;
        }
        return route.modelRoute
          ? route.handle(exchange, headers, path)
          : answerAtOnce(route.handle(exchange, headers, path), exchange, headers);
      } catch (error) {
        return refuse(exchange, headers, error, options.onBug);
      }
    },
    error(error) {
      options.onBug(error, "");
      return errorResponse(unexpectedError(error), {}, clientDialects["chat-completions"]);
    },
  });

  async function answerAtOnce(
    answer: Response | Promise<Response>,
    exchange: Exchange,
    headers: Record<string, string>,
  ): Promise<Response> {
    try {
      const response = await answer;
      exchange.end(response.status);
      return response;
    } catch (error) {
      return refuse(exchange, headers, error, options.onBug);
    }
  }

  return {
    port: server.port ?? options.port,
    get inFlight() {
      return inFlight.size;
    },
    dropConnection: (request) => server.timeout(request, 1),
    async drain(graceMs) {
      draining = true;
      const graceEndsAt = clock.now() + graceMs;
      const empty = (limitMs: number): Promise<void> =>
        new Promise((resolve) => {
          if (inFlight.size === 0) {
            resolve();
            return;
          }
          const cancelTimer = clock.schedule(limitMs, resolve);
          onEmpty = () => {
            cancelTimer();
            resolve();
          };
        });
      const written = async (until: number): Promise<void> => {
        while (server.pendingRequests > 0 && clock.now() < until) {
          await new Promise<void>((resolve) => clock.schedule(pollMs, resolve));
        }
      };
      await empty(graceMs);
      for (const exchange of inFlight) exchange.cancellation.cancel("drain");
      await empty(farewellMs);
      // A call has ended before its answer is on its way: closing now would take the last bytes from their callers.
      await written(Math.max(graceEndsAt, clock.now() + farewellMs));
      cancelSilenceTimer?.();
      await server.stop(true);
    },
  };
}

function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && requestIdPattern.test(given) ? given : crypto.randomUUID();
}

function newRecord(
  request: Request,
  requestId: string,
  path: string,
  modelRoute: boolean,
  clientIp: string,
  clock: Clock,
  /** Of the answer, as they come to be; undefined when no headers are kept. */
  responseHeaders: Record<string, string> | undefined,
): RequestRecord {
  return {
    requestId,
    startedAt: clock.wallNow(),
    durationMs: 0,
    method: request.method,
    path,
    clientIp,
    userAgent: request.headers.get("user-agent") ?? "",
    authMethod: undefined,
    apiKeyHash: undefined,
    modelRoute,
    operation: undefined,
    requestedModel: undefined,
    virtualModel: undefined,
    stream: false,
    holdsBack: false,
    turns: [],
    answeredBy: undefined,
    statusCode: 0,
    failure: undefined,
    streamError: undefined,
    firstEventMs: undefined,
    facts: undefined,
    brokenParts: [],
    streamRecovery: undefined,
    cost: undefined,
    requestBody: undefined,
    responseBody: [],
    requestHeaders: responseHeaders === undefined ? undefined : request.headers.toJSON(),
    responseHeaders,
  };
}

function unknownPath({ method, path }: RequestRecord): Failure {
  return new Failure({
    origin: "request",
    status: 404,
    type: "not_found_error",
    message: `unknown path: ${method} ${path}`,
    code: "unknown_path",
  });
}

function drainingFailure(): Failure {
  return new Failure({
    origin: "drain",
    status: 503,
    type: "provider_error",
    message: "the gateway is shutting down",
    code: "shutting_down",
    retryAfterMs: 1000,
  });
}
