// Asks an HTTP proxy for a tunnel with CONNECT.

import { BadMessage } from "../../http1/bad-message.ts";
import { HeadCollector } from "../../http1/head-collector.ts";
import { answerHeadReader } from "./answer-head.ts";
import type { ProxyUrl } from "./proxy-url.ts";
import type { Tunnel } from "./tunnel.ts";
import type { ParsedUpstreamUrl } from "./upstream-url.ts";

/** Plain targets are tunnelled too (behaviour 3.5), so that the proxy never sees a request. */
export function httpTunnel(target: ParsedUpstreamUrl, proxy: ProxyUrl): Tunnel {
  const collector = new HeadCollector(answerHeadReader);
  return {
    begin: () => connectRequest(target, proxy),
    push(bytes) {
      const head = collector.push(bytes);
      if (head === undefined) return undefined;
      if (head.status < 200) throw new BadMessage("the proxy sent an interim answer to CONNECT", "proxy_refused");
      if (head.status >= 300)
        throw new BadMessage(`the proxy refused the tunnel with status ${head.status}`, "proxy_refused");
      // The upstream speaks second, so these bytes are not its.
      if (head.end < collector.bytes.length)
        throw new BadMessage("the proxy sent data before the tunnel was used", "proxy_refused");
      return "open";
    },
  };
}

function connectRequest(target: ParsedUpstreamUrl, proxy: ProxyUrl): Uint8Array {
  const host = target.host.includes(":") ? `[${target.host}]` : target.host;
  const authority = `${host}:${target.port}`;
  let text = `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n`;
  if (proxy.credentials !== undefined) {
    const { username, password } = proxy.credentials;
    text += `proxy-authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
  }
  return new TextEncoder().encode(`${text}\r\n`);
}
