// Sends calls to one provider with its keys and headers, and lets only answers through that can be read.

import { cancelledRequest } from "../core/failure.ts";
import type { Cancellation } from "../core/cancellation.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { Header } from "./answer-headers.ts";
import { failureOfTrouble } from "./classify.ts";
import { judgeContentType } from "./content-type.ts";
import { createKeyRing } from "./key-ring.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { failureOfContentType, failureOfJsonForStream, failureOfStatus } from "./refused-answer.ts";
import type { AnswerContext } from "./refused-answer.ts";
import type { HttpClient } from "./upstream/client.ts";
import type { HttpAnswer } from "./upstream/http-answer.ts";
import type { HttpTrouble } from "./upstream/http-request.ts";
import { parseUpstreamUrl } from "./upstream/upstream-url.ts";

/** One call as it goes out. */
interface LinkCall {
  readonly kind: "buffered" | "stream" | "listing";
  readonly path: string;
  readonly headers: readonly Header[];
  /** Undefined for a listing. */
  readonly body: Uint8Array | undefined;
  readonly limits: UpstreamLimits;
  readonly cancellation: Cancellation;
}

export interface ProviderLink {
  /** A 2xx answer of the right content type; rejects with a `Failure` for everything else. Each call takes the next key. */
  send(call: LinkCall): Promise<HttpAnswer>;
}

/** Of a buffered answer and of a listing (decisions 11). */
const maxBufferedBytes = 32 * 1024 * 1024;

/** Throws an `Error` for a base URL that cannot be used. */
export function createProviderLink(
  config: ProviderConfig,
  http: HttpClient,
  headers: RequestHeaders,
  context: AnswerContext,
): ProviderLink {
  // The paths of a type are whole ones: Azure's listing is not below its base URL.
  const url = { ...parseUpstreamUrl(config.baseUrl), pathPrefix: "" };
  const keys = createKeyRing(config.apiKeys);
  const toFailure = (trouble: HttpTrouble) => failureOfTrouble(trouble, config.name);

  return {
    async send(call) {
      const stream = call.kind === "stream";
      const answer = await http.send({
        method: call.body === undefined ? "GET" : "POST",
        url,
        path: call.path,
        headers: headers.constant(call.kind, keys.next()),
        callHeaders: headers.ofCall(call.headers),
        body: call.body,
        limits: call.limits,
        stream,
        cancellation: call.cancellation,
        toFailure,
        maxBodyBytes: stream ? Infinity : maxBufferedBytes,
      });
      if (answer.status < 200 || answer.status > 299) {
        throw await unlessCancelled(failureOfStatus(answer, context), call.cancellation);
      }
      // What nearly every answer says, before anything is taken apart.
      if (answer.headers.says("content-type", stream ? "text/event-stream" : "application/json")) return answer;
      switch (judgeContentType(answer.headers.get("content-type"), stream)) {
        case "accept":
          return answer;
        case "json-for-stream":
          throw await unlessCancelled(failureOfJsonForStream(answer, context), call.cancellation);
        case "refuse":
          throw failureOfContentType(answer, stream, context);
      }
    },
  };
}

/** Who left while the words of an error were read gets the reason of leaving, and the provider no verdict from it. */
async function unlessCancelled<T>(failure: Promise<T>, cancellation: Cancellation): Promise<T> {
  const found = await failure;
  if (cancellation.reason !== undefined) throw cancelledRequest(cancellation.reason);
  return found;
}
