// The recorded requests of real clients, and how each of them is sent to a gateway.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type JsonRecord = Readonly<Record<string, unknown>>;

export type RecordedDialect = "chat-completions" | "responses" | "messages";

export interface RecordedRequest {
  /** `codex 0.171.0, tool#2`. */
  readonly title: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: JsonRecord | undefined;
}

/** A call of a model, in the dialect of its path. */
export interface RecordedCall extends RecordedRequest {
  readonly dialect: RecordedDialect;
  readonly body: JsonRecord;
}

/** The key that every recorded client sent, in whichever header it sends one. */
export const recordedKey = "sk-test";

interface RecordingFile {
  readonly client: string;
  readonly version: string;
  readonly requests: readonly (Omit<RecordedRequest, "title" | "body"> & {
    readonly name: string;
    readonly body?: JsonRecord;
  })[];
}

const folder = join(import.meta.dir, "../recordings/clients");

const dialectOfPath: Readonly<Record<string, RecordedDialect>> = {
  "/v1/chat/completions": "chat-completions",
  "/v1/responses": "responses",
  "/v1/messages": "messages",
};

export const recordedRequests: readonly RecordedRequest[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .toSorted()
  .flatMap((name) => {
    const file: RecordingFile = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return file.requests.map((request) => ({
      title: `${file.client} ${file.version}, ${request.name}`,
      method: request.method,
      path: request.path,
      headers: request.headers,
      body: request.body,
    }));
  });

export const recordedCalls: readonly RecordedCall[] = recordedRequests.flatMap((request) => {
  const dialect = dialectOfPath[pathOf(request)];
  const { body } = request;
  return request.method !== "POST" || dialect === undefined || body === undefined
    ? []
    : [{ ...request, body, dialect }];
});

/** Without the query. */
export function pathOf({ path }: RecordedRequest): string {
  return path.split("?", 1)[0] ?? path;
}

/** Every header in its order, as the client sent it; `body` instead of the recorded one where it is given. */
export function replay(url: string, request: RecordedRequest, body = request.body): Promise<Response> {
  return fetch(url + request.path, {
    method: request.method,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/**
 * What a whole answer of the upstream simulator looks like to this client: its words, and the terminal of a stream behind them. Behind that of a
 * translated Responses stream `[DONE]` comes as well (behaviour 4.4).
 */
export function wholeAnswer({ dialect, body }: RecordedCall): RegExp {
  if (body["stream"] !== true) return /made up by the upstream simulator — no/;
  switch (dialect) {
    case "chat-completions":
      return / simulator.*"finish_reason":"stop".*\ndata: \[DONE\]\n\n$/s;
    case "responses":
      return / simulator.*\nevent: response\.completed\n[^\n]+\n\n(?:data: \[DONE\]\n\n)?$/s;
    case "messages":
      return / simulator.*"stop_reason":"end_turn".*\nevent: message_stop\n[^\n]+\n\n$/s;
  }
}
