// The headers that go to a provider: ours, its type's, the operator's, and nothing of the caller's but what is named.

import type { Dialect } from "../core/chat-request.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { Header } from "./answer-headers.ts";
import type { ProviderWire } from "./provider-type.ts";

export interface RequestHeaders {
  /** Those that all calls of a kind have with a key: the same array each time, so that it is rendered once. */
  constant(kind: CallKind, key: string | undefined, dialect?: Dialect): readonly Header[];
  /** Those that depend on the call, without the ones that a custom header replaces. */
  ofCall(headers: readonly Header[]): readonly Header[];
}

type CallKind = "buffered" | "stream" | "listing";

const hopByHop = "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade";
const framing = "host content-length content-type content-encoding accept accept-encoding expect";
const credentials = "authorization api-key x-api-key x-goog-api-key x-auth-token x-access-token x-gomodel-key";
const ofOneCaller = "cookie set-cookie forwarded x-gomodel-user-path idempotency-key x-request-id x-client-request-id";
const reserved = new Set([hopByHop, framing, credentials, ofOneCaller].flatMap((names) => names.split(" ")));

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valuePattern = /^[\t\x20-\x7e]*$/;
const keyPattern = /^[\x21-\x7e]+$/;

/**
 * Renders once what stays the same. `custom_upstream_headers` replace default headers of the same name; those that belong to the
 * connection, carry credentials or speak for a caller are left out (behaviour 3.4) and told to `ignored`. Throws for a name, value or
 * key that no header can hold, so that none can smuggle a second one.
 */
export function createRequestHeaders(
  config: ProviderConfig,
  wire: Pick<ProviderWire, "keyHeader" | "messagesKeyHeader" | "defaultHeaders" | "listingHeaders">,
  ignored: (headerName: string) => void,
): RequestHeaders {
  const custom = new Map<string, Header>();
  for (const [name, value] of config.customUpstreamHeaders) {
    if (!namePattern.test(name) || !valuePattern.test(value)) {
      throw new Error(`providers.${config.name}.custom_upstream_headers: ${JSON.stringify(name)} is no valid header`);
    }
    const lower = name.toLowerCase();
    if (reserved.has(lower) || lower.startsWith("x-forwarded-")) ignored(name);
    else custom.set(lower, [name, value]);
  }

  const defaults: readonly Header[] = [["User-Agent", "GoModel"], ...wire.defaultHeaders];
  const shared: readonly Header[] = [
    ["Accept-Encoding", "identity"],
    ...defaults.filter(([name]) => !custom.has(name.toLowerCase())),
    ...custom.values(),
  ];
  const ofListing = (wire.listingHeaders ?? []).filter(([name]) => !custom.has(name.toLowerCase()));
  const json: Header = ["Content-Type", "application/json"];
  const withoutKey = {
    buffered: [json, ["Accept", "application/json"], ...shared],
    stream: [json, ["Accept", "text/event-stream"], ...shared],
    listing: [["Accept", "application/json"], ...shared, ...ofListing],
  } satisfies Record<CallKind, readonly Header[]>;

  const withKeyIn = (form: ProviderWire["keyHeader"]): ReadonlyMap<string, Record<CallKind, readonly Header[]>> =>
    new Map(
      config.apiKeys.map((key) => {
        const keyHeaders = keyHeadersOf(form, key);
        return [
          key,
          {
            buffered: [...withoutKey.buffered, ...keyHeaders],
            stream: [...withoutKey.stream, ...keyHeaders],
            listing: [...withoutKey.listing, ...keyHeaders],
          },
        ];
      }),
    );
  if (!config.apiKeys.every((key) => keyPattern.test(key))) {
    throw new Error(`providers.${config.name}.api_key holds a character that no header can hold`);
  }
  const withKey = withKeyIn(wire.keyHeader);
  const forMessages = wire.messagesKeyHeader === undefined ? withKey : withKeyIn(wire.messagesKeyHeader);

  return {
    constant(kind, key, dialect) {
      if (key === undefined) return withoutKey[kind];
      return (dialect === "messages" ? forMessages : withKey).get(key)?.[kind] ?? withoutKey[kind];
    },
    ofCall: (headers) => (custom.size === 0 ? headers : headers.filter(([name]) => !custom.has(name.toLowerCase()))),
  };
}

function keyHeadersOf(form: ProviderWire["keyHeader"], key: string): readonly Header[] {
  if (typeof form === "function") return form(key);
  return [form === "authorization" ? ["Authorization", `Bearer ${key}`] : [form, key]];
}
