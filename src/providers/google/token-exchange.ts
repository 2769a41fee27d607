// Asks Google for an access token with the credentials that there are.

import { Cancellation } from "../../core/cancellation.ts";
import { Failure } from "../../core/failure.ts";
import type { Clock } from "../../core/clock.ts";
import type { UpstreamLimits } from "../../core/policy.ts";
import { failureOfTrouble } from "../classify.ts";
import { isObject } from "../request-fields.ts";
import type { HttpClient } from "../upstream/client.ts";
import { parseUpstreamUrl } from "../upstream/upstream-url.ts";
import type { GoogleCredentials } from "./credentials.ts";
import { readPrivateKey, signedAssertion } from "./signed-assertion.ts";

export interface AccessToken {
  readonly token: string;
  /** Milliseconds, from when the answer came. */
  readonly lifeMs: number;
}

export interface ExchangeOptions {
  /** For messages. */
  readonly providerName: string;
  /** To the token endpoint. The metadata server is never behind a proxy. */
  readonly http: HttpClient;
  readonly direct: HttpClient;
  readonly clock: Clock;
}

/** Everything that Vertex AI asks for. */
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** A token is a small answer of a service that is always awake. */
const limits: UpstreamLimits = {
  connectMs: 5000,
  responseHeaderMs: 10_000,
  streamIdleMs: 10_000,
  totalMs: 10_000,
  firstEventMs: 0,
  answerMs: 0,
};
const maxAnswerBytes = 64 * 1024;

const encoder = new TextEncoder();

/** Throws an `Error` for a private key that is none. The function rejects with a `Failure`. */
export function tokenExchange(credentials: GoogleCredentials, options: ExchangeOptions): () => Promise<AccessToken> {
  switch (credentials.kind) {
    case "service-account": {
      const key = readPrivateKey(credentials.privateKey);
      return () =>
        postForm(credentials.tokenUrl, options, {
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: signedAssertion(credentials, key, scope, options.clock.wallNow()),
        });
    }
    case "user":
      return () =>
        postForm(credentials.tokenUrl, options, {
          grant_type: "refresh_token",
          client_id: credentials.clientId,
          client_secret: credentials.clientSecret,
          refresh_token: credentials.refreshToken,
        });
    case "metadata":
      return () => {
        const path = `/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(scope)}`;
        return ask(options.direct, { origin: credentials.origin, path, body: undefined }, options);
      };
  }
}

function postForm(url: string, options: ExchangeOptions, form: Record<string, string>): Promise<AccessToken> {
  const { origin, pathname } = new URL(url);
  const body = encoder.encode(new URLSearchParams(form).toString());
  return ask(options.http, { origin, path: pathname, body }, options);
}

async function ask(
  http: HttpClient,
  { origin, path, body }: { readonly origin: string; readonly path: string; readonly body: Uint8Array | undefined },
  { providerName }: ExchangeOptions,
): Promise<AccessToken> {
  const answer = await http.send({
    method: body === undefined ? "GET" : "POST",
    url: parseUpstreamUrl(origin),
    path,
    headers:
      body === undefined
        ? [["Metadata-Flavor", "Google"]]
        : [
            ["Content-Type", "application/x-www-form-urlencoded"],
            ["Accept", "application/json"],
          ],
    body,
    limits,
    stream: false,
    cancellation: new Cancellation(),
    toFailure: (trouble) => failureOfTrouble(trouble, `${providerName} (access token)`),
    maxBodyBytes: maxAnswerBytes,
  });
  let text = "";
  const decoder = new TextDecoder();
  for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
    text += decoder.decode(bytes, { stream: true });
  }
  return readToken(answer.status, text + decoder.decode(), providerName);
}

/** https://datatracker.ietf.org/doc/html/rfc6749#section-5: an answer with a token, or `error` and `error_description`. */
function readToken(status: number, text: string, providerName: string): AccessToken {
  const parsed = parse(text);
  const { access_token: token, expires_in: life, error, error_description: description } = parsed;
  if (status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) {
    return { token, lifeMs: typeof life === "number" && life > 0 ? life * 1000 : 0 };
  }
  const words = [error, description].filter((word) => typeof word === "string" && word !== "").join(": ");
  const isRefused = status >= 400 && status < 500 && status !== 429 && status !== 408;
  throw new Failure({
    origin: "status",
    status: isRefused ? 401 : 503,
    type: isRefused ? "authentication_error" : "provider_error",
    message: `provider ${providerName} got no access token from Google: ${words || `the answer had the status ${status} and no token`}`,
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
