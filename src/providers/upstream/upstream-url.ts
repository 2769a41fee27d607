// A provider's base URL, taken apart once so that no request parses it again.

/** Where calls of one provider go. */
export interface ParsedUpstreamUrl {
  readonly scheme: "http" | "https";
  /** Name or address to connect to; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Value of the `host` header: the port is left out when it is the scheme's own. */
  readonly authority: string;
  /** Empty, or starts with a slash and does not end in one. */
  readonly pathPrefix: string;
  /** Scheme, host and port: connections are shared within one origin. */
  readonly origin: string;
}

/**
 * Parses a base URL as the configuration has it. Throws an `Error` that says what is wrong without repeating the text, which may hold
 * credentials: those, a query and a fragment have no place in a base URL.
 */
export function parseUpstreamUrl(baseUrl: string): ParsedUpstreamUrl {
  const url = URL.parse(baseUrl);
  if (url === null) throw new Error("the base URL is no URL");
  const scheme = url.protocol === "https:" ? "https" : url.protocol === "http:" ? "http" : undefined;
  if (scheme === undefined) throw new Error(`the base URL must start with http:// or https://, not ${url.protocol}//`);
  if (url.username !== "" || url.password !== "") throw new Error("the base URL must not hold credentials");
  if (url.search !== "" || url.hash !== "") throw new Error("the base URL must not have a query or a fragment");
  const port = url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port);
  if (port === 0) throw new Error("port 0 of the base URL cannot be connected to");
  return {
    scheme,
    host: withoutBrackets(url.hostname),
    port,
    authority: url.host,
    pathPrefix: url.pathname.replace(/\/+$/, ""),
    origin: `${scheme}://${url.hostname}:${port}`,
  };
}

/** `[::1]` is `::1` to everything below HTTP. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}
