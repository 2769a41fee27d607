// Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929); the proxy looks names up.

import { BadMessage } from "../../http1/bad-message.ts";
import type { ProxyUrl } from "./proxy-url.ts";
import type { Tunnel } from "./tunnel.ts";
import type { ParsedUpstreamUrl } from "./upstream-url.ts";

const version = 5;
const noAuthentication = 0;
const userAndPassword = 2;
const ipv4 = 1;
const name = 3;
const ipv6 = 4;

const refusals: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "not allowed by its rules",
  3: "network not reachable",
  4: "host not reachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};

export function socksTunnel(target: ParsedUpstreamUrl, proxy: ProxyUrl): Tunnel {
  let stage: "method" | "login" | "request" = "method";
  let said: Uint8Array = new Uint8Array(0);
  return {
    begin: () =>
      proxy.credentials === undefined
        ? Uint8Array.of(version, 1, noAuthentication)
        : Uint8Array.of(version, 2, noAuthentication, userAndPassword),
    push(bytes) {
      said = Buffer.concat([said, bytes]);
      const length = stage === "request" ? replyLength(said) : 2;
      if (said.length < length) return undefined;
      if (said.length > length) throw new BadMessage("the proxy sent more than an answer", "proxy_refused");
      const [first, second = -1] = said;
      said = new Uint8Array(0);
      switch (stage) {
        case "method":
          if (first !== version) throw new BadMessage("the proxy does not speak SOCKS5", "proxy_refused");
          if (second === userAndPassword && proxy.credentials !== undefined) {
            stage = "login";
            return login(proxy.credentials);
          }
          if (second !== noAuthentication)
            throw new BadMessage("the proxy accepts no way to log in that we have", "proxy_refused");
          stage = "request";
          return connectRequest(target);
        case "login":
          if (second !== 0) throw new BadMessage("the proxy refused the credentials", "proxy_refused");
          stage = "request";
          return connectRequest(target);
        case "request":
          if (first !== version) throw new BadMessage("the proxy does not speak SOCKS5", "proxy_refused");
          if (second !== 0)
            throw new BadMessage(
              `the proxy could not connect: ${refusals[second] ?? "unknown reason"}`,
              "proxy_refused",
            );
          return "open";
      }
    },
  };
}

/** Version, code, reserved, address type, address, port; as far as can be told from what is here. */
function replyLength(said: Uint8Array): number {
  // A refusal counts as soon as its code is here: some proxies leave the rest out.
  if (said.length >= 2 && said[1] !== 0) return said.length;
  if (said.length < 5) return 5;
  const kind = said[3];
  if (kind === ipv4) return 4 + 4 + 2;
  if (kind === name) return 4 + 1 + (said[4] ?? 0) + 2;
  if (kind === ipv6) return 4 + 16 + 2;
  throw new BadMessage("the proxy answered with an unknown kind of address", "proxy_refused");
}

function login(credentials: { readonly username: string; readonly password: string }): Uint8Array {
  const username = Buffer.from(credentials.username);
  const password = Buffer.from(credentials.password);
  return Buffer.concat([Uint8Array.of(1, username.length), username, Uint8Array.of(password.length), password]);
}

function connectRequest(target: ParsedUpstreamUrl): Uint8Array {
  return Buffer.concat([
    Uint8Array.of(version, 1, 0),
    address(target.host),
    Uint8Array.of(target.port >> 8, target.port & 0xff),
  ]);
}

function address(host: string): Uint8Array {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return Uint8Array.of(ipv4, ...host.split(".").map(Number));
  if (host.includes(":")) return Uint8Array.of(ipv6, ...ipv6Bytes(host));
  const bytes = Buffer.from(host);
  if (bytes.length > 255) throw new BadMessage("the host name is too long for a SOCKS proxy", "proxy_refused");
  return Buffer.concat([Uint8Array.of(name, bytes.length), bytes]);
}

/** The URL parser has put the address into its canonical form: hexadecimal groups and at most one `::`. */
function ipv6Bytes(host: string): number[] {
  const [before = "", after] = host.split("::");
  const front = groups(before);
  const back = after === undefined ? [] : groups(after);
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 0xff]);
}

function groups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
