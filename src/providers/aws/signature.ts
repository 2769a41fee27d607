// AWS Signature Version 4: what a request says about itself, under the caller's secret.

import { createHash, createHmac } from "node:crypto";
import type { Header } from "../answer-headers.ts";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

/** A request as it goes out. */
export interface SignableRequest {
  readonly method: string;
  /** Value of the `host` header. */
  readonly authority: string;
  /** Percent-encoded, with the query. */
  readonly path: string;
  readonly body: Uint8Array | undefined;
  /** Further headers that are covered, names in lower case. */
  readonly headers?: readonly Header[];
}

/** Where a signature holds. */
export interface SigningScope {
  readonly region: string;
  readonly service: string;
  /** Milliseconds since the epoch; AWS takes five minutes more or less. */
  readonly at: number;
}

const algorithm = "AWS4-HMAC-SHA256";

/**
 * The headers that have to be added: `X-Amz-Date`, `X-Amz-Security-Token` and `Authorization`.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureHeaders(
  request: SignableRequest,
  credentials: AwsCredentials,
  { region, service, at }: SigningScope,
): readonly Header[] {
  const time = new Date(at).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const added: Header[] = [["X-Amz-Date", time]];
  if (credentials.sessionToken !== undefined) added.push(["X-Amz-Security-Token", credentials.sessionToken]);
  const covered = [["host", request.authority] as const, ...(request.headers ?? []), ...added]
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, " ")] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const names = covered.map(([name]) => name).join(";");
  const [path = "", query = ""] = request.path.split("?", 2);
  const canonical = [
    request.method,
    canonicalPath(path),
    canonicalQuery(query),
    ...covered.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(request.body ?? ""),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [algorithm, time, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Uint8Array>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = Buffer.from(hmac(key, toSign)).toString("hex");
  const credential = `${credentials.accessKeyId}/${scope}`;
  return [
    ...added,
    ["Authorization", `${algorithm} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`],
  ];
}

/** Encoded once more than it is on the wire, as every service but S3 wants it. */
function canonicalPath(path: string): string {
  return path.split("/").map(encode).join("/");
}

function canonicalQuery(query: string): string {
  if (query === "") return "";
  return query
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [encode(decodeURIComponent(name)), encode(decodeURIComponent(value.join("=")))].join("=");
    })
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join("&");
}

/** All but what RFC 3986 calls unreserved. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Uint8Array, data: string): Uint8Array {
  return createHmac("sha256", key).update(data).digest();
}
