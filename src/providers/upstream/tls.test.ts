// TLS straight to the upstream: what is trusted, and that everything else works as without it.

import { afterEach, describe, expect, test } from "bun:test";
import { type Certificate, selfSigned } from "../../../test/support/certificate.ts";
import { type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "./client.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";

const certificate = selfSigned(["localhost", "127.0.0.1"]);
const otherName = selfSigned(["elsewhere.test"]);
const expired = selfSigned(["localhost"], -30);

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

function setUp(tls: Certificate | undefined, trusted: string | undefined, options: RawUpstreamOptions = {}) {
  const upstream = startRawUpstream({
    request: (connection) => connection.send(ok),
    ...options,
    ...(tls === undefined ? {} : { tls }),
  });
  const client = createHttpClient({ clock: systemClock, trustedCertificates: trusted });
  stops.push(upstream.stop, () => client.close());
  const call = (host = "localhost") => callTo(1, { url: parseUpstreamUrl(`https://${host}:${upstream.port}/v1`) });
  return { upstream, client, call };
}

describe("TLS", () => {
  for (const host of ["localhost", "127.0.0.1"]) {
    test(`an upstream at ${host} with a trusted certificate is called, and its connection used again`, async () => {
      const { upstream, client, call } = setUp(certificate, certificate.cert);
      for (let count = 0; count < 5; count++) expect(await textOf((await client.send(call(host))).body)).toBe("{}");
      expect(upstream.connections).toHaveLength(1);
    });
  }

  test("a self-signed certificate is refused before anything is sent", async () => {
    const { upstream, client, call } = setUp(certificate, undefined);
    expect(await troubleOf(client.send(call()))).toEqual({
      kind: "transport",
      phase: "connect",
      message: "the TLS certificate is self-signed",
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      unsent: true,
    });
    await Bun.sleep(10);
    expect([client.openSockets, upstream.connections.map((connection) => connection.received).join("")]).toEqual([
      0,
      "",
    ]);
  });

  test("a certificate for another name is refused without telling either name", async () => {
    const { client, call } = setUp(otherName, otherName.cert);
    const trouble = await troubleOf(client.send(call()));
    expect(trouble).toMatchObject({ phase: "connect", code: "ERR_TLS_CERT_ALTNAME_INVALID", unsent: true });
    expect(trouble.message).not.toMatch(/localhost|elsewhere/);
  });

  test("an expired certificate is refused", async () => {
    const { client, call } = setUp(expired, expired.cert);
    expect(await troubleOf(client.send(call()))).toMatchObject({
      phase: "connect",
      message: "the TLS certificate has expired",
      code: "CERT_HAS_EXPIRED",
      unsent: true,
    });
  });

  test("the environment cannot switch the check off", async () => {
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    stops.push(() => delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]);
    const { client, call } = setUp(certificate, undefined);
    expect((await troubleOf(client.send(call()))).code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  });

  test("an upstream that closes in the handshake or speaks plain HTTP is a transport failure", async () => {
    for (const connected of [
      { connected: (connection: { end(): void }) => connection.end() },
      { data: (connection: { send(text: string): void }) => connection.send("HTTP/1.1 400 Bad Request\r\n\r\n") },
    ]) {
      const { client, call } = setUp(undefined, certificate.cert, connected);
      expect(await troubleOf(client.send(call()))).toMatchObject({ kind: "transport", phase: "connect", unsent: true });
      expect(client.openSockets).toBe(0);
    }
  });

  test("a request of 20 MB arrives whole", async () => {
    const body = new Uint8Array(20 * 1024 * 1024).map((_, index) => index % 251);
    const { upstream, client, call } = setUp(certificate, certificate.cert);
    expect(await textOf((await client.send({ ...call(), body })).body)).toBe("{}");
    const received = Buffer.from(upstream.connections[0]?.received.slice(-body.length) ?? "", "latin1");
    expect(received.equals(body)).toBe(true);
  });

  test("an upstream is blocked while nobody reads, and loses nothing", async () => {
    const size = 64 * 1024 * 1024;
    const { upstream, client, call } = setUp(certificate, certificate.cert, {
      request(connection) {
        connection.send(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
        connection.send(Buffer.alloc(size, "abcd"));
      },
    });
    const { body } = await client.send({ ...call(), maxBodyBytes: size });
    let stuck = -1;
    while (stuck !== upstream.connections[0]?.written) {
      stuck = upstream.connections[0]?.written ?? 0;
      await Bun.sleep(150);
    }
    expect(stuck).toBeLessThan(24 * 1024 * 1024);
    let received = 0;
    for (let bytes = await body.read(); bytes !== undefined; bytes = await body.read()) received += bytes.length;
    expect(received).toBe(size);
  }, 20_000);

  test("50 kept connections that are dead are replaced", async () => {
    const { client, call } = setUp(certificate, certificate.cert, {
      request: (connection) => (connection.requests === 1 ? connection.send(ok) : connection.end()),
    });
    for (let count = 0; count < 50; count++) expect(await textOf((await client.send(call())).body)).toBe("{}");
  });

  test("a body without length ends with the connection", async () => {
    const { client, call } = setUp(certificate, certificate.cert, {
      request(connection) {
        connection.send("HTTP/1.1 200 OK\r\n\r\nwhole");
        connection.end();
      },
    });
    expect(await textOf((await client.send(call())).body)).toBe("whole");
    await eventually(() => client.openSockets === 0, "the socket to be closed");
  });
});
