import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";

function port(text: string, env: Record<string, string> = {}, files: Record<string, string> = {}): number {
  return loaded({ yaml: `server:\n  port: ${text}\n`, env, files }).config.server.port;
}

function description(text: string, env: Record<string, string> = {}): string | undefined {
  const yaml = `virtual_models:\n  - source: a\n    target: b\n    description: ${text}\n`;
  return loaded({ yaml, env }).config.virtualModels[0]?.description;
}

describe("variables in YAML", () => {
  test.each([
    ["${P}", { P: "9" }, 9],
    ['"${P}"', { P: "9" }, 9],
    ["${P:-7}", {}, 7],
    ["${P:-7}", { P: "" }, 7],
    ["${P:-7}", { P: "9" }, 9],
    ["1${P}2", { P: "9" }, 192],
    ["${P:-}", {}, 8080],
    ["${P:-null}", {}, 8080],
  ])("port: %s with %j is %d", (text, env, value) => {
    expect(port(text, env)).toBe(value);
  });

  test.each([
    ["a ${X} b ${Y:-c d}", { X: "x" }, "a x b c d"],
    ["${X}", { X: "${Y}", Y: "no" }, "${Y}"],
    ["a $${X}", { X: "x" }, "a ${X}"],
    ["$5 and $X", { X: "x" }, "$5 and $X"],
    ["${X:-http://h:1/v1}", {}, "http://h:1/v1"],
    ["${X}", { X: "true" }, "true"],
  ])("description: %s with %j is %s", (text, env, value) => {
    expect(description(text, env)).toBe(value);
  });

  test("an expanded list is read as a list", () => {
    const yaml = "resilience:\n  retry:\n    retry_on_statuses: ${STATUSES:-500,5xx}\n";
    expect(loaded({ yaml }).config.resilience.retry.retryOnStatuses.source).toEqual(["500", "5xx"]);
  });

  test("variables of .env are seen", () => {
    expect(loaded({ yaml: "server: {port: '${P}'}", dotenv: "P=9" }).config.server.port).toBe(9);
  });

  test("variables do not expand in variables", () => {
    const env = { VIRTUAL_MODELS: '[{"source":"a","target":"b","description":"${X}"}]', X: "x" };
    expect(loaded({ env }).config.virtualModels[0]?.description).toBe("${X}");
  });

  test("an unset one stays as it is, with a warning", () => {
    const yaml = "virtual_models:\n  - source: a\n    target: b\n    description: see ${X}\n";
    expect(loaded({ yaml }).config.virtualModels[0]?.description).toBe("see ${X}");
    expect(problemLines({ yaml })).toEqual([
      "warning config.yaml:4 virtual_models[0].description: X is not set; the value keeps it as it is",
    ]);
  });

  test("an unset one in the master key stops the start", () => {
    expect(problemLines({ yaml: "server:\n  master_key: ${KEY}\n" })).toEqual([
      "error config.yaml:2 server.master_key: KEY is not set",
    ]);
  });

  test("an unset one where a number belongs says so", () => {
    expect(problemLines({ yaml: "server:\n  port: ${P}\n" })).toContain(
      'error config.yaml:2 server.port: "${P}" is not a whole number from 0 to 65535; not set: P',
    );
  });

  test("an unset one in a provider leaves the provider out", () => {
    const yaml = "providers:\n  groq:\n    api_key: ${KEY}\n  vllm: {}\n";
    expect(loaded({ yaml }).config.providers.map(({ name }) => name)).toEqual(["vllm"]);
    expect(problemLines({ yaml })).toEqual([
      'warning config.yaml:3 providers.groq.api_key: provider "groq" is left out: KEY is not set',
    ]);
  });
});

describe("secret references", () => {
  test.each([
    ["${env:P}", { P: "9" }, {}, 9],
    ["${file:/p}", {}, { "/p": "9\n" }, 9],
    ["${file:/p}${env:P}", { P: "2" }, { "/p": "9" }, 92],
  ])("port: %s with %j and %j is %d", (text, env, files, value) => {
    expect(port(text, env, files)).toBe(value);
  });

  test("work in variables, and only one line break goes", () => {
    const { providers } = loaded({
      env: { GROQ_API_KEY: "${file:/run/key}" },
      files: { "/run/key": "gsk-1\r\n" },
    }).config;
    expect(providers[0]?.apiKeys).toEqual(["gsk-1"]);
  });

  test("in a value that a variable replaces are not looked at", () => {
    expect(loaded({ yaml: "server:\n  port: ${file:/gone}\n", env: { PORT: "9" } }).config.server.port).toBe(9);
  });

  test.each([
    ["${env:GONE}", "${env:GONE}: the variable is unset or empty"],
    ["${file:/gone}", "${file:/gone}: there is no such file"],
    ["${file:gone}", "${file:gone}: the path must be absolute"],
    ["${file:/big}", "${file:/big}: the file is larger than 1 MiB"],
  ])("%s that cannot be resolved stops the start", (reference, reason) => {
    const files = { "/big": "x".repeat(1024 * 1024 + 1) };
    expect(problemLines({ yaml: `server:\n  master_key: ${reference}\n`, files })).toEqual([
      `error config.yaml:2 server.master_key: failed to resolve secret references: server.master_key: secret reference ${reason}`,
    ]);
  });
});
