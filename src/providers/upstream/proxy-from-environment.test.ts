// HTTP_PROXY, HTTPS_PROXY and NO_PROXY.

import { expect, test } from "bun:test";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";

const both = { HTTP_PROXY: "http://plain:1", HTTPS_PROXY: "http://secure:2" };

test("the scheme of the target chooses the variable", () => {
  expect(proxyFromEnvironment(both, "http://api.test/v1")).toBe("http://plain:1");
  expect(proxyFromEnvironment(both, "https://api.test/v1")).toBe("http://secure:2");
  expect(proxyFromEnvironment({ HTTP_PROXY: "http://plain:1" }, "https://api.test")).toBeUndefined();
  expect(proxyFromEnvironment({}, "https://api.test")).toBeUndefined();
  expect(proxyFromEnvironment(both, "no url")).toBeUndefined();
});

test("lower case wins over upper case, empty counts as unset, a missing scheme is http", () => {
  expect(proxyFromEnvironment({ https_proxy: "http://low", HTTPS_PROXY: "http://up" }, "https://a.test")).toBe(
    "http://low",
  );
  expect(proxyFromEnvironment({ https_proxy: "", HTTPS_PROXY: "http://up" }, "https://a.test")).toBe("http://up");
  expect(proxyFromEnvironment({ https_proxy: " ", HTTPS_PROXY: "" }, "https://a.test")).toBeUndefined();
  expect(proxyFromEnvironment({ https_proxy: "proxy.local:3128" }, "https://a.test")).toBe("http://proxy.local:3128");
});

for (const [noProxy, target, exempt] of [
  ["*", "https://api.test", true],
  ["api.test", "https://api.test", true],
  ["API.Test", "https://api.TEST", true],
  ["api.test", "https://eu.api.test", true],
  ["api.test", "https://notapi.test", false],
  [".api.test", "https://eu.api.test", true],
  [".api.test", "https://api.test", false],
  ["*.api.test", "https://eu.api.test", true],
  ["other.test, api.test", "https://api.test", true],
  ["other.test api.test", "https://api.test", true],
  ["other.test,,", "https://api.test", false],
  ["api.test:443", "https://api.test", true],
  ["api.test:8443", "https://api.test", false],
  ["api.test:8443", "https://api.test:8443", true],
  [".test:8443", "https://api.test:8443", true],
  ["10.0.0.1", "https://10.0.0.1", true],
  ["10.0.0.1", "https://10.0.0.10", false],
  ["[2001:db8::1]", "https://[2001:db8::1]", true],
  ["2001:db8::1", "https://[2001:db8::1]", true],
  ["[2001:db8::1]:443", "https://[2001:db8::1]", true],
  ["[2001:db8::1]:8443", "https://[2001:db8::1]", false],
  ["", "https://localhost:8080", true],
  ["", "https://127.0.0.1", true],
  ["", "https://127.8.9.1", true],
  ["", "https://[::1]:1", true],
  ["", "https://localhost.test", false],
  ["api.test", "https://api.test.", true],
] as const) {
  test(`NO_PROXY=${noProxy} ${exempt ? "exempts" : "does not exempt"} ${target}`, () => {
    const expected = exempt ? undefined : "http://secure:2";
    expect(proxyFromEnvironment({ ...both, NO_PROXY: noProxy }, target)).toBe(expected);
    expect(proxyFromEnvironment({ ...both, no_proxy: noProxy }, target)).toBe(expected);
  });
}
