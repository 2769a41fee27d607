// The address of an outbound proxy, as operators write it.

import { withoutBrackets } from "./upstream-url.ts";

/** A proxy that every connection of a client goes through. */
export interface ProxyUrl {
  /** `socks5` and `socks5h` are the same here: names are always resolved at the proxy (behaviour 3.5). */
  readonly scheme: "http" | "https" | "socks5";
  /** IPv6 without brackets. */
  readonly host: string;
  /** Default 80, 443 or 1080. */
  readonly port: number;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
}

const schemes: Readonly<Record<string, { readonly scheme: ProxyUrl["scheme"]; readonly port: number }>> = {
  "http:": { scheme: "http", port: 80 },
  "https:": { scheme: "https", port: 443 },
  "socks5:": { scheme: "socks5", port: 1080 },
  "socks5h:": { scheme: "socks5", port: 1080 },
};

/** Throws an `Error` that says what is wrong and repeats no secret. Only scheme, host, port and credentials are allowed (behaviour 3.5). */
export function parseProxyUrl(text: string): ProxyUrl {
  const url = URL.parse(text);
  if (url === null) throw new Error("the proxy URL is no URL");
  const known = Object.hasOwn(schemes, url.protocol) ? schemes[url.protocol] : undefined;
  if (known === undefined) throw new Error("the proxy URL must start with http://, https://, socks5:// or socks5h://");
  if (url.hostname === "") throw new Error("the proxy URL has no host");
  if ((url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "") {
    throw new Error("the proxy URL must have nothing after host and port");
  }
  const port = url.port === "" ? known.port : Number(url.port);
  if (port === 0) throw new Error("port 0 of the proxy URL cannot be connected to");
  return {
    scheme: known.scheme,
    host: withoutBrackets(url.hostname),
    port,
    credentials: credentialsOf(url, known.scheme),
  };
}

function credentialsOf(url: URL, scheme: ProxyUrl["scheme"]): ProxyUrl["credentials"] {
  if (url.username === "" && url.password === "") return undefined;
  const username = decoded(url.username);
  const password = decoded(url.password);
  // One length byte each (RFC 1929).
  if (scheme === "socks5" && (Buffer.byteLength(username) > 255 || Buffer.byteLength(password) > 255)) {
    throw new Error("user name and password of a SOCKS proxy may have 255 bytes each");
  }
  return { username, password };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("the credentials of the proxy URL are not properly percent-encoded");
  }
}
