// The public listener, top to bottom: target, request id, route, caller, handler, error.

import type { Clock } from "../core/clock.ts";
import { Failure, unexpectedError } from "../core/failure.ts";
import type { RequestRecord } from "../core/record.ts";
import { Roster } from "../core/roster.ts";
import type { Authenticator } from "./auth.ts";
import { clientDialects, dialectOfPath, nameRequestId } from "./client-dialects.ts";
import { errorResponse, refuse } from "./error-response.ts";
import { Exchange } from "./exchange.ts";
import type { IncomingRequest } from "./listener/incoming-request.ts";
import { startListener } from "./listener/listener.ts";
import type { Reply } from "./listener/reply.ts";
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
  /**
   * Refuses new model calls, waits up to `graceMs` for those in flight, then tells the rest that the process ends, gives
   * them a moment to say so to their callers, and stops listening.
   */
  drain(graceMs: number): Promise<void>;
}

/** How long cut streams get to bring out their error event. */
const farewellMs = 1000;
/** How often a drain looks whether the last answers are written. */
const pollMs = 10;
/** Request ids are copied into headers, logs and provider calls: only what is harmless everywhere. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

export function startServer(options: ServerOptions): Server {
  const { clock } = options;
  const inFlight = new Roster<Exchange>();
  let draining = false;
  let onEmpty: (() => void) | undefined;

  const exchangeEnded = (exchange: Exchange): void => {
    inFlight.remove(exchange);
    options.onEnd(exchange);
    if (inFlight.size === 0) onEmpty?.();
  };

  const listener = startListener({
    hostname: options.hostname,
    port: options.port,
    clock,
    handler: {
      answer(request) {
        try {
          return answer(request);
        } catch (error) {
          // Before there was an exchange that it could be told of.
          options.onBug(error, "");
          return refuseConnection(unexpectedError(error));
        }
      },
      refuse: refuseConnection,
      onBug: (error) => options.onBug(error, ""),
    },
  });

  // Not async, as nothing on the way to a model is that need not be: each such function costs five objects per call.
  function answer(request: IncomingRequest): Reply | Promise<Reply> {
    const path = pathOf(request.target, options.basePath);
    const requestId = requestIdOf(request);
    const dialect = dialectOfPath(path, request.headers);
    const headers: Record<string, string> = {};
    nameRequestId(headers, requestId, dialect);
    const route = path === undefined ? undefined : options.routes.find(request.method, path);
    const modelRoute = route !== undefined && !(route instanceof Failure) && route.modelRoute;
    const record = newRecord(
      request,
      requestId,
      path ?? pathOf(request.target, "") ?? "",
      modelRoute,
      clock,
      options.keepHeaders ? headers : undefined,
    );
    const exchange = new Exchange(request, record, dialect, clock, exchangeEnded);
    if (modelRoute) {
      inFlight.add(exchange);
      request.watcher = exchange;
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
  }

  function refuseConnection(failure: Failure): Reply {
    const headers: Record<string, string> = {};
    const dialect = clientDialects["chat-completions"];
    nameRequestId(headers, crypto.randomUUID(), dialect);
    return errorResponse(failure, headers, dialect);
  }

  async function answerAtOnce(
    coming: Reply | Promise<Reply>,
    exchange: Exchange,
    headers: Record<string, string>,
  ): Promise<Reply> {
    try {
      const reply = await coming;
      exchange.end(reply.status);
      return reply;
    } catch (error) {
      return refuse(exchange, headers, error, options.onBug);
    }
  }

  return {
    port: listener.port,
    get inFlight() {
      return inFlight.size;
    },
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
        while (listener.pending > 0 && clock.now() < until) {
          await new Promise<void>((resolve) => clock.schedule(pollMs, resolve));
        }
      };
      await empty(graceMs);
      for (const exchange of inFlight.list()) exchange.cancellation.cancel("drain");
      await empty(farewellMs);
      // A call has ended before its answer is on its way: closing now would take the last bytes from their callers.
      await written(Math.max(graceEndsAt, clock.now() + farewellMs));
      listener.stop();
    },
  };
}

function requestIdOf({ headers }: IncomingRequest): string {
  const given = headers.get("x-request-id");
  return given !== null && requestIdPattern.test(given) ? given : crypto.randomUUID();
}

function newRecord(
  { method, headers, clientIp, contentLength }: IncomingRequest,
  requestId: string,
  path: string,
  modelRoute: boolean,
  clock: Clock,
  /** Of the answer, as they come to be; undefined when no headers are kept. */
  responseHeaders: Record<string, string> | undefined,
): RequestRecord {
  return {
    requestId,
    startedAt: clock.wallNow(),
    durationMs: 0,
    method,
    path,
    clientIp,
    userAgent: headers.get("user-agent") ?? "",
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
    requestHeaders: responseHeaders === undefined ? undefined : headers,
    requestLength: contentLength,
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
