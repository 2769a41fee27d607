// Proxies of every kind, with and without TLS to them and to the upstream behind them.

import { afterEach, describe, expect, test } from "bun:test";
import { selfSigned } from "../../../test/support/certificate.ts";
import { type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { startTunnelProxy, type TunnelProxyOptions } from "../../../test/support/tunnel-proxy.ts";
import { callTo, eventually, noLimits, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { Cancellation } from "../../core/cancellation.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "./client.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const certificate = selfSigned(["upstream.test", "localhost", "127.0.0.1"]);

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

interface SetUp extends Partial<TunnelProxyOptions> {
  readonly proxyScheme: "http" | "https" | "socks5" | "socks5h";
  readonly targetScheme: "http" | "https";
  /** `user:password@` */
  readonly login?: string;
  readonly upstream?: RawUpstreamOptions;
  readonly trust?: boolean;
}

function setUp(settings: SetUp) {
  const { proxyScheme, targetScheme, login = "", trust = true } = settings;
  const upstream = startRawUpstream({
    request: (connection) => connection.send(ok),
    ...settings.upstream,
    ...(targetScheme === "https" ? { tls: certificate } : {}),
  });
  const proxy = startTunnelProxy({
    kind: proxyScheme.startsWith("http") ? "http" : "socks5",
    targetPort: upstream.port,
    tls: proxyScheme === "https" ? certificate : undefined,
    ...settings,
  });
  const client = createHttpClient({
    clock: systemClock,
    proxyUrl: `${proxyScheme}://${login}${proxyScheme === "https" ? "localhost" : "127.0.0.1"}:${proxy.port}`,
    trustedCertificates: trust ? certificate.cert : undefined,
  });
  stops.push(upstream.stop, proxy.stop, () => client.close());
  const call = (base = `${targetScheme}://upstream.test:8443/v1`) => callTo(1, { url: parseUpstreamUrl(base) });
  return { upstream, proxy, client, call };
}

for (const proxyScheme of ["http", "https", "socks5", "socks5h"] as const) {
  for (const targetScheme of ["http", "https"] as const) {
    describe(`${targetScheme} through ${proxyScheme}`, () => {
      test("calls go through one tunnel, which is asked for by name", async () => {
        const { upstream, proxy, client, call } = setUp({ proxyScheme, targetScheme });
        for (let count = 0; count < 5; count++) expect(await textOf((await client.send(call())).body)).toBe("{}");
        expect(proxy.asked).toEqual(["upstream.test:8443"]);
        expect(upstream.connections[0]?.received).toStartWith("POST /v1/chat HTTP/1.1\r\nhost: upstream.test:8443\r\n");
        expect([proxy.connections, client.openSockets]).toEqual([1, 1]);
      });

      test("a body of 3 MB and an answer of 3 MB pass whole", async () => {
        const size = 3 * 1024 * 1024;
        const { upstream, client, call } = setUp({
          proxyScheme,
          targetScheme,
          upstream: {
            request: (connection) =>
              connection.send(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${"abcd".repeat(size / 4)}`),
          },
        });
        const body = new Uint8Array(size).fill(65);
        const text = await textOf((await client.send({ ...call(), body })).body);
        expect([text.length, text.startsWith("abcdabcd"), text.endsWith("abcdabcd")]).toEqual([size, true, true]);
        expect(upstream.connections[0]?.received.endsWith("A".repeat(size))).toBe(true);
      });

      test("a cancelled call closes the connection to the proxy and to the upstream", async () => {
        const { upstream, client, call } = setUp({ proxyScheme, targetScheme, upstream: { request() {} } });
        const cancellation = new Cancellation();
        const sent = troubleOf(client.send({ ...call(), cancellation }));
        await eventually(() => upstream.connections[0]?.requests === 1, "the request");
        const since = performance.now();
        cancellation.cancel("client-left");
        expect(await sent).toMatchObject({ kind: "cancelled", phase: "headers", unsent: false });
        await upstream.connections[0]?.closed;
        expect(performance.now() - since).toBeLessThan(1000);
        expect(client.openSockets).toBe(0);
      });

      test("an upstream that closes in mid-body is an unexpected end", async () => {
        const { client, call } = setUp({
          proxyScheme,
          targetScheme,
          upstream: {
            request(connection) {
              connection.send("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
              connection.end();
            },
          },
        });
        const { body } = await client.send(call());
        expect(await troubleOf(textOf(body))).toMatchObject({
          kind: "transport",
          phase: "body",
          code: "unexpected_end",
        });
      });

      test("credentials are sent, wrong ones are a transport failure that does not show them", async () => {
        const credentials = { username: "user", password: "p@ss:word" };
        const right = setUp({ proxyScheme, targetScheme, credentials, login: "user:p%40ss%3Aword@" });
        expect((await right.client.send(right.call())).status).toBe(200);
        const wrong = setUp({ proxyScheme, targetScheme, credentials, login: "user:other@" });
        const trouble = await troubleOf(wrong.client.send(wrong.call()));
        expect(trouble).toMatchObject({ kind: "transport", phase: "connect", code: "proxy_refused", unsent: true });
        expect(trouble.message).not.toMatch(/other|p@ss/);
        const without = setUp({ proxyScheme, targetScheme, credentials });
        expect((await troubleOf(without.client.send(without.call()))).code).toBe("proxy_refused");
        expect([wrong.upstream.connections.length, wrong.client.openSockets]).toEqual([0, 0]);
      });
    });
  }
}

describe("certificates behind a proxy", () => {
  for (const proxyScheme of ["http", "https", "socks5"] as const) {
    test(`${proxyScheme}: one for another name is refused before anything is sent`, async () => {
      const { upstream, client, call } = setUp({ proxyScheme, targetScheme: "https" });
      const trouble = await troubleOf(client.send(call("https://elsewhere.test/v1")));
      expect(trouble).toMatchObject({ kind: "transport", phase: "connect", unsent: true });
      expect(trouble.message).not.toContain("elsewhere");
      await Bun.sleep(10);
      expect([upstream.connections.map((connection) => connection.received).join(""), client.openSockets]).toEqual([
        "",
        0,
      ]);
    });

    test(`${proxyScheme}: an unknown authority is refused`, async () => {
      const { proxy, client, call } = setUp({ proxyScheme, targetScheme: "https", trust: false });
      expect(await troubleOf(client.send(call()))).toMatchObject({
        phase: "connect",
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      });
      // To a proxy that cannot prove who it is, not even the destination is told.
      expect(proxy.asked).toEqual(proxyScheme === "https" ? [] : ["upstream.test:8443"]);
    });
  }
});

describe("addresses", () => {
  test("SOCKS5 is given IPv4 and IPv6 addresses as such", async () => {
    const { proxy, client, call } = setUp({ proxyScheme: "socks5", targetScheme: "http" });
    await client.send(call("http://192.0.2.7/v1"));
    await client.send(call("http://[2001:db8::1:0:ff]:81/v1"));
    expect(proxy.asked).toEqual(["192.0.2.7:80", "[20010db80000000000000001000000ff]:81"]);
  });

  test("CONNECT is given the port and brackets around IPv6", async () => {
    const { proxy, client, call } = setUp({ proxyScheme: "http", targetScheme: "http" });
    await client.send(call("http://[2001:db8::1]/v1"));
    expect(proxy.asked).toEqual(["[2001:db8::1]:80"]);
  });
});

describe("a proxy that does not open the tunnel", () => {
  for (const [name, proxyScheme, refusal, message] of [
    ["answers 502", "http", "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n", "status 502"],
    ["speaks no HTTP", "http", "hello there, this is not a proxy", "not HTTP/1.1"],
    ["adds bytes of its own", "http", "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "before the tunnel"],
    ["cannot reach the host", "socks5", "\x05\x04\x00\x01\0\0\0\0\0\0", "host not reachable"],
    ["forbids it without an address", "socks5", "\x05\x02", "not allowed"],
    ["speaks SOCKS4", "socks5", "\x00\x5a\0\0\0\0\0\0", "SOCKS5"],
    ["answers with an unknown address type", "socks5", "\x05\0\0\x09\0\0\0", "kind of address"],
  ] as const) {
    test(`because it ${name} is a transport failure with nothing sent, and the socket is closed`, async () => {
      const { client, call } = setUp({ proxyScheme, targetScheme: "http", refusal });
      const trouble = await troubleOf(client.send(call()));
      expect(trouble).toMatchObject({ kind: "transport", phase: "connect", unsent: true });
      expect(trouble.message).toContain(message);
      expect(client.openSockets).toBe(0);
    });
  }

  test("because it says nothing is a timeout of connecting", async () => {
    const silent = startRawUpstream({});
    const client = createHttpClient({ clock: systemClock, proxyUrl: `http://127.0.0.1:${silent.port}` });
    stops.push(silent.stop);
    const limits = { ...noLimits, connectMs: 50 };
    expect(await troubleOf(client.send(callTo(1, { limits })))).toMatchObject({
      kind: "timeout",
      phase: "connect",
      unsent: true,
    });
    expect(await silent.connections[0]?.closed).toBe("reset");
  });

  test("because it closes the connection is a transport failure", async () => {
    const closing = startRawUpstream({ request: (connection) => connection.end() });
    const client = createHttpClient({ clock: systemClock, proxyUrl: `http://127.0.0.1:${closing.port}` });
    stops.push(closing.stop);
    expect(await troubleOf(client.send(callTo(1)))).toMatchObject({
      kind: "transport",
      phase: "connect",
      unsent: true,
    });
  });

  test("because nobody listens is a transport failure that says it was the proxy", async () => {
    const gone = startRawUpstream({});
    gone.stop();
    const client = createHttpClient({ clock: systemClock, proxyUrl: `socks5://127.0.0.1:${gone.port}` });
    expect(await troubleOf(client.send(callTo(1)))).toMatchObject({
      message: "proxy: connection refused",
      unsent: true,
    });
  });
});
