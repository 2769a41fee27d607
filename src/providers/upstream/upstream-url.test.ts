// Base URLs and proxy URLs as operators write them.

import { describe, expect, test } from "bun:test";
import { parseProxyUrl } from "./proxy-url.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";

describe("a base URL", () => {
  for (const [text, parts] of [
    [
      "https://api.openai.com/v1",
      ["https", "api.openai.com", 443, "api.openai.com", "/v1", "https://api.openai.com:443"],
    ],
    ["http://localhost:11434", ["http", "localhost", 11434, "localhost:11434", "", "http://localhost:11434"]],
    ["http://Host:80/a/b//", ["http", "host", 80, "host", "/a/b", "http://host:80"]],
    ["https://[::1]:8443/x/", ["https", "::1", 8443, "[::1]:8443", "/x", "https://[::1]:8443"]],
    [
      "https://bücher.example/ä",
      ["https", "xn--bcher-kva.example", 443, "xn--bcher-kva.example", "/%C3%A4", "https://xn--bcher-kva.example:443"],
    ],
  ] as const) {
    test(`${text} is taken apart`, () => {
      const { scheme, host, port, authority, pathPrefix, origin } = parseUpstreamUrl(text);
      expect([scheme, host, port, authority, pathPrefix, origin]).toEqual([...parts]);
    });
  }

  for (const text of [
    "api.openai.com/v1",
    "ftp://host/",
    "file:///etc/passwd",
    "unix:/socket",
    "https://",
    "https://user:secret@host/v1",
    "https://host/v1?api-version=secret",
    "https://host/#secret",
    "http://host:0/",
    "http://host:99999/",
    `http://${"a".repeat(70_000)}@:80`,
    "http://xn--/",
  ]) {
    test(`${text.slice(0, 40)} is refused without repeating secrets`, () => {
      expect(() => parseUpstreamUrl(text)).toThrow(/base URL/);
      expect(() => parseUpstreamUrl(text)).not.toThrow(/secret/);
    });
  }
});

describe("a proxy URL", () => {
  for (const [text, parts] of [
    ["http://proxy.local", ["http", "proxy.local", 80, undefined]],
    ["https://proxy.local/", ["https", "proxy.local", 443, undefined]],
    ["socks5://10.0.0.1", ["socks5", "10.0.0.1", 1080, undefined]],
    ["socks5h://[::1]:9050", ["socks5", "::1", 9050, undefined]],
    ["http://user:p%40ss%3A@proxy:3128", ["http", "proxy", 3128, { username: "user", password: "p@ss:" }]],
    ["socks5://user@proxy", ["socks5", "proxy", 1080, { username: "user", password: "" }]],
  ] as const) {
    test(`${text} is taken apart`, () => {
      const { scheme, host, port, credentials } = parseProxyUrl(text);
      expect([scheme, host, port, credentials]).toEqual([...parts]);
    });
  }

  for (const text of [
    "proxy:3128",
    "proxy.local",
    "socks4://proxy",
    "ftp://user:secret@proxy",
    "http://user:secret@proxy/path",
    "http://proxy?secret",
    "http://proxy:0",
    "socks5://:1080",
    "http://user:%E0%A4%A@proxy",
    `socks5://user:${"a".repeat(256)}@proxy`,
    "constructor:",
  ]) {
    test(`${text.slice(0, 40)} is refused without repeating secrets`, () => {
      expect(() => parseProxyUrl(text)).toThrow(/prox|SOCKS/i);
      expect(() => parseProxyUrl(text)).not.toThrow(/secret/);
    });
  }
});
