// Sends calls to one provider with its keys and headers, and lets only answers through that can be read.

import type { Dialect } from "../core/chat-request.ts";
import { type OutgoingBytes, wholeBytes } from "../core/edited-bytes.ts";
import { cancelledRequest, type Failure } from "../core/failure.ts";
import type { Cancellation } from "../core/cancellation.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { Header } from "./answer-headers.ts";
import { failureOfTrouble } from "./classify.ts";
import { judgeContentType } from "./content-type.ts";
import { createKeyRing } from "./key-ring.ts";
import type { ProviderWire } from "./provider-type.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { failureOfContentType, failureOfJsonForStream, failureOfStatus } from "./refused-answer.ts";
import type { AnswerContext } from "./refused-answer.ts";
import type { HttpClient } from "./upstream/client.ts";
import type { HttpAnswer } from "./upstream/http-answer.ts";
import type { HttpTrouble } from "./upstream/http-request.ts";
import { parseUpstreamUrl } from "./upstream/upstream-url.ts";

/** One call as it goes out. */
export interface LinkCall {
  readonly kind: "buffered" | "stream" | "listing";
  /** What the body is written in; undefined for embeddings and listings. */
  readonly dialect?: Dialect | undefined;
  readonly path: string;
  /** Undefined for a listing. */
  readonly body: OutgoingBytes | undefined;
  readonly limits: UpstreamLimits;
  readonly cancellation: Cancellation;
}

export interface ProviderLink {
  /**
   * Gives a 2xx answer of the right content type to `accept` and resolves with what that makes of it; rejects with a `Failure` for
   * everything else. Each call takes the next key. `giveWayAfterMs`: of `SendOptions`.
   */
  send<T>(
    call: LinkCall,
    headers: readonly Header[],
    accept: (answer: HttpAnswer) => T,
    giveWayAfterMs?: number,
  ): Promise<T>;
}

/** Of a buffered answer and of a listing (decisions 11). */
const maxBufferedBytes = 32 * 1024 * 1024;

/** Throws an `Error` for a base URL that cannot be used. */
export function createProviderLink(
  config: ProviderConfig,
  http: HttpClient,
  headers: RequestHeaders,
  context: AnswerContext,
  { accessToken, sign }: Pick<ProviderWire, "accessToken" | "sign"> = {},
): ProviderLink {
  // The paths of a type are whole ones: Azure's listing is not below its base URL.
  const url = { ...parseUpstreamUrl(config.baseUrl), pathPrefix: "" };
  const keys = createKeyRing(config.apiKeys);
  const toFailure = (trouble: HttpTrouble) => failureOfTrouble(trouble, config.name);

  return {
    send(call, ofCall, accept, giveWayAfterMs = 0) {
      if (sign !== undefined) {
        const { path } = call;
        const body = call.body === undefined ? undefined : wholeBytes(call.body);
        const signature = sign({ method: methodOf(call), authority: url.authority, path, body });
        return sendWith(call, [...ofCall, ...signature], accept, giveWayAfterMs);
      }
      const token = accessToken?.(call.cancellation);
      if (token === undefined) return sendWith(call, ofCall, accept, giveWayAfterMs);
      return withToken(token, (header) => sendWith(call, [...ofCall, header], accept, giveWayAfterMs));
    },
  };

  function sendWith<T>(
    call: LinkCall,
    ofCall: readonly Header[],
    accept: (answer: HttpAnswer) => T,
    giveWayAfterMs: number,
  ): Promise<T> {
    const stream = call.kind === "stream";
    const sent = http.send({
      method: methodOf(call),
      url,
      path: call.path,
      headers: headers.constant(call.kind, keys.next(), call.dialect),
      callHeaders: headers.ofCall(ofCall),
      body: call.body,
      limits: call.limits,
      giveWayAfterMs,
      stream,
      cancellation: call.cancellation,
      toFailure,
      maxBodyBytes: stream ? Infinity : maxBufferedBytes,
    });
    // Not async: a call that goes well has no need of what that costs.
    return sent.then((answer) => refused(answer, call, stream, context) ?? accept(answer));
  }
}

function methodOf({ body }: LinkCall): "GET" | "POST" {
  return body === undefined ? "GET" : "POST";
}

async function withToken<T>(token: string | Promise<string>, send: (header: Header) => Promise<T>): Promise<T> {
  return send(["Authorization", `Bearer ${await token}`]);
}

/** Undefined for an answer that can be read; else it rejects or throws with the failure that it is. */
function refused(
  answer: HttpAnswer,
  { cancellation, dialect }: LinkCall,
  stream: boolean,
  context: AnswerContext,
): Promise<never> | undefined {
  if (answer.status < 200 || answer.status > 299) return rejected(failureOfStatus(answer, context), cancellation);
  // What nearly every answer says, before anything is taken apart.
  if (answer.headers.says("content-type", stream ? "text/event-stream" : "application/json")) return undefined;
  switch (judgeContentType(answer.headers.get("content-type"), stream)) {
    case "accept":
      return undefined;
    case "json-for-stream":
      return rejected(failureOfJsonForStream(answer, dialect, context), cancellation);
    case "refuse":
      throw failureOfContentType(answer, stream, context);
  }
}

/** Who left while the words of an error were read gets the reason of leaving, and the provider no verdict from it. */
async function rejected(failure: Promise<Failure>, cancellation: Cancellation): Promise<never> {
  const found = await failure;
  throw cancellation.reason === undefined ? found : cancelledRequest(cancellation.reason);
}
