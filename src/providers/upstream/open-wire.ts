// Opens a wire to an upstream: straight or through a proxy, plain or under TLS.

import { httpTunnel } from "./http-tunnel.ts";
import { ProxiedSocket } from "./proxied-socket.ts";
import type { ProxyUrl } from "./proxy-url.ts";
import { plainHandlers, tlsHandlers } from "./socket-handlers.ts";
import { socksTunnel } from "./socks-tunnel.ts";
import type { ParsedUpstreamUrl } from "./upstream-url.ts";
import { errorCode, troubleOf, type WireOwner } from "./wire.ts";

export interface Destination {
  readonly target: ParsedUpstreamUrl;
  readonly proxy: ProxyUrl | undefined;
  /** PEM; trusted in place of the well-known authorities. */
  readonly trustedCertificates: string | undefined;
}

/** Returns before anything is told to `owner`. */
export function openWire(destination: Destination, owner: WireOwner): void {
  const { target, proxy, trustedCertificates } = destination;
  const targetTls = target.scheme === "https" ? tlsOptions(target.host, trustedCertificates) : undefined;
  if (proxy === undefined) return connect(target.host, target.port, targetTls, owner);
  const tunnel = proxy.scheme === "socks5" ? socksTunnel(target, proxy) : httpTunnel(target, proxy);
  const proxyTls = proxy.scheme === "https" ? tlsOptions(proxy.host, trustedCertificates) : undefined;
  const proxied = new ProxiedSocket({ tunnel, proxyUsesTls: proxyTls !== undefined, targetTls }, owner);
  connect(proxy.host, proxy.port, proxyTls, proxied);
}

function connect(hostname: string, port: number, tls: Bun.TLSOptions | undefined, owner: WireOwner): void {
  const options = { hostname, port, data: owner, socket: tls === undefined ? plainHandlers : tlsHandlers };
  try {
    // What fails later comes through `connectError`; the promise only says the same again.
    Bun.connect<WireOwner>(tls === undefined ? options : { ...options, tls }).catch(() => {});
  } catch (error) {
    queueMicrotask(() => owner.wireRefused(troubleOf(errorCode(error, "unknown"), "not connected")));
  }
}

function tlsOptions(host: string, trustedCertificates: string | undefined): Bun.TLSOptions {
  return {
    serverName: host,
    // Said aloud, so that no environment variable can switch the check off.
    rejectUnauthorized: true,
    ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
  };
}
