// What can be asked of the gateway: every path, its method and who may ask.

import { Failure, invalidRequest } from "../core/failure.ts";
import type { Operation } from "../core/model-request.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./listener/reply.ts";
import { callModel, type ModelCallSettings } from "./model-call.ts";
import { listModels, type ModelListing, retrieveModel } from "./model-listing.ts";

/** Gives the answer, or throws the failure that stands for it. `headers` are sent with either. */
type Handler = (exchange: Exchange, headers: Record<string, string>, path: string) => Reply | Promise<Reply>;

interface RouteEntry {
  readonly method: "GET" | "POST";
  readonly handle: Handler;
  /** False: answered without a key (behaviour 1.4). */
  readonly needsKey: boolean;
  /** Refused while draining; always in the request log. */
  readonly modelRoute: boolean;
}

/** A JSON endpoint for the operator. Rejects with a `Failure`. */
interface AdminEndpoint {
  readonly method: "GET" | "POST";
  /** With at most one segment `{name}`. */
  readonly path: string;
  /** An undefined body: the answer has none. */
  handle(url: URL, name: string): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** An entry for every path that begins and ends like this, with one segment between. */
interface NamedEntry {
  readonly before: string;
  readonly after: string;
  readonly entry: RouteEntry;
}

export interface RouteSettings {
  readonly models: ModelListing;
  readonly modelCalls: ModelCallSettings;
  readonly admin: readonly AdminEndpoint[];
  /** False only where nobody could hold a key: `/admin/*` stays open then (behaviour 1.4). */
  readonly adminNeedsKey: boolean;
  readonly metrics: { readonly path: string; render(): Promise<{ contentType: string; text: string }> } | undefined;
  readonly readiness: () => {
    readonly status: "ready" | "degraded" | "not_ready";
    readonly components: Record<string, string>;
  };
}

/** Every path at which a model is called. */
const modelPaths: readonly (readonly [path: string, operation: Operation])[] = [
  ["/v1/chat/completions", "chat-completions"],
  ["/v1/responses", "responses"],
  ["/v1/messages", "messages"],
  ["/v1/messages/count_tokens", "count-tokens"],
  ["/v1/embeddings", "embeddings"],
];

/** The answer to `GET /`. */
const aboutGateway = {
  name: "GoModel",
  endpoints: [...modelPaths.map(([path]) => `POST ${path}`), "GET /v1/models", "GET /health"],
};

export interface RouteTable {
  /** Undefined: no such path. A `Failure`: the path exists, the method does not. */
  find(method: string, path: string): RouteEntry | Failure | undefined;
}

export function createRoutes(settings: RouteSettings): RouteTable {
  const exact = new Map<string, RouteEntry>();
  const open = (path: string, handle: Handler): void => {
    exact.set(path, { method: "GET", handle, needsKey: false, modelRoute: false });
  };
  const get = (path: string, handle: Handler, needsKey = true): void => {
    exact.set(path, { method: "GET", handle, needsKey, modelRoute: false });
  };
  const model = (path: string, operation: Operation): void => {
    const handle: Handler = (exchange, headers) => callModel(exchange, operation, headers, settings.modelCalls);
    exact.set(path, { method: "POST", handle, needsKey: true, modelRoute: true });
  };

  open("/health", (_exchange, headers) => json({ status: "ok" }, headers));
  open("/health/ready", (_exchange, headers) => {
    const readiness = settings.readiness();
    return json(readiness, headers, readiness.status === "not_ready" ? 503 : 200);
  });
  const { metrics } = settings;
  if (metrics !== undefined) {
    open(metrics.path, async (_exchange, headers) => {
      const { contentType, text } = await metrics.render();
      return { status: 200, headers: { ...headers, "content-type": contentType }, body: text };
    });
  }
  // Claude Code asks for it without a key before anything else; any answer will do.
  open("/", (_exchange, headers) => json(aboutGateway, headers));
  for (const [path, operation] of modelPaths) model(path, operation);
  get("/v1/models", ({ request }, headers) => jsonText(listModels(request, settings.models), headers));
  const named: NamedEntry[] = [];
  for (const endpoint of settings.admin) {
    const [before = "", after] = endpoint.path.split("{name}");
    const entry: RouteEntry = {
      method: endpoint.method,
      needsKey: settings.adminNeedsKey,
      modelRoute: false,
      async handle(exchange, headers, path) {
        const name = after === undefined ? "" : segmentOf(path, before, after);
        const { status, body } = await endpoint.handle(queryOf(exchange.request.target), name);
        headers["cache-control"] = "no-store";
        return body === undefined ? { status, headers, body } : json(body, headers, status);
      },
    };
    if (after === undefined) exact.set(before, entry);
    else named.push({ before, after, entry });
  }
  const oneModel: RouteEntry = {
    method: "GET",
    needsKey: true,
    modelRoute: false,
    handle: ({ request }, headers, path) =>
      jsonText(retrieveModel(request, path.slice("/v1/models/".length), settings.models), headers),
  };

  return {
    find(method, path) {
      const entry =
        exact.get(path) ??
        (path.startsWith("/v1/models/") ? oneModel : named.find((candidate) => isNamed(path, candidate))?.entry);
      if (entry === undefined || entry.method === method) return entry;
      if (method === "HEAD" && entry.method === "GET") return entry;
      return wrongMethod(method, path, entry.method);
    },
  };
}

function isNamed(path: string, { before, after }: NamedEntry): boolean {
  const length = path.length - before.length - after.length;
  return (
    length > 0 &&
    path.startsWith(before) &&
    path.endsWith(after) &&
    !path.slice(before.length, before.length + length).includes("/")
  );
}

function segmentOf(path: string, before: string, after: string): string {
  const encoded = path.slice(before.length, path.length - after.length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalidRequest(`the name in the path is not valid percent-encoding: ${encoded}`);
  }
}

/** The authority is a placeholder: only the query is read. */
function queryOf(target: string): URL {
  const query = target.indexOf("?");
  return new URL(query === -1 ? "" : target.slice(query), "http://admin.invalid/");
}

function wrongMethod(method: string, path: string, right: RouteEntry["method"]): Failure {
  return new Failure({
    origin: "request",
    status: 405,
    type: "invalid_request_error",
    message: `method ${method} is not allowed for ${path}: use ${right}`,
    code: "method_not_allowed",
    headers: [["Allow", right === "GET" ? "GET, HEAD" : right]],
  });
}

function json(value: unknown, headers: Record<string, string>, status = 200): Reply {
  return jsonText(JSON.stringify(value), headers, status);
}

function jsonText(text: string, headers: Record<string, string>, status = 200): Reply {
  return { status, headers: { ...headers, "content-type": "application/json" }, body: text };
}
