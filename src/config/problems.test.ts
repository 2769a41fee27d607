import { describe, expect, test } from "bun:test";
import { load, problemLines } from "../../test/support/load-config.ts";

const serverKeys =
  "port, host, base_path, master_key, body_size_limit, stream_stall_timeout, shutdown_grace, request_deadline, early_commit_after, advise_no_retry";
const rootKeys =
  "server, providers, virtual_models, failover, resilience, http, models, cache, storage, logging, usage, metrics, admin";

describe("a value that cannot be read stops the start", () => {
  test.each([
    ["PORT", "abc", '"abc" is not a whole number from 0 to 65535'],
    ["PORT", "70000", '"70000" is not a whole number from 0 to 65535'],
    ["PORT", "80.5", '"80.5" is not a whole number from 0 to 65535'],
    ["BODY_SIZE_LIMIT", "ten", '"ten" is not a size; write a number of bytes with K, M or G, for example 10M'],
    ["BODY_SIZE_LIMIT", "1G", '"1G" is out of bounds; 1K to 100M are allowed'],
    ["SHUTDOWN_GRACE", "10", '"10" has no unit; write for example 10s or 10ms'],
    [
      "HTTP_TIMEOUT",
      "soon",
      '"soon" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
    ],
    ["MASTER_KEY_DISABLED", "maybe", '"maybe" is not true or false'],
    ["CONFIG_STRICT", "maybe", '"maybe" is not true or false'],
    ["LOG_LEVEL", "wran", '"wran" is not a log level; allowed: debug, info, warn, error; did you mean "warn"?'],
    ["LOG_FORMAT", "xml", '"xml" is not a log format; allowed: auto, text, json'],
    ["STORAGE_TYPE", "postgresql", '"postgresql" is not in this version yet; allowed: sqlite'],
    ["STORAGE_TYPE", "sqlit", '"sqlit" is not a database type; allowed: sqlite; did you mean "sqlite"?'],
    ["BASE_PATH", "/a/../b", '"/a/../b" is not a path such as /gateway'],
    ["FAILOVER_MAX_ATTEMPTS", "-1", '"-1" is not a whole number of 0 or more'],
    ["FAILOVER_RETRY_ON_STATUSES", "429,abc", '"abc" is not an HTTP status code or class such as 5xx'],
    ["RETRY_MAX_RETRIES", "1e3", 'resilience: "1e3" is not a whole number of 0 or more'],
    ["RETRY_BACKOFF_FACTOR", "0.5", 'resilience: "0.5" is not a number of 1 or more'],
    ["RETRY_JITTER_FACTOR", "2", 'resilience: "2" is not a number from 0 to 1'],
    ["RETRY_ON_STATUSES", "5x", 'resilience: "5x" is not an HTTP status code or class such as 5xx'],
    [
      "CIRCUIT_BREAKER_FAILURE_ON_STATUSES",
      "429,600",
      'resilience: "600" is not an HTTP status code or class such as 5xx',
    ],
    [
      "CIRCUIT_BREAKER_SCOPE",
      "modl",
      'resilience: circuit_breaker.scope must be provider or model (it is "modl"; did you mean "model"?)',
    ],
    ["VIRTUAL_MODELS", '{"a":1}', 'must be a JSON list such as [{"source":"smart","target":"openai/gpt-4o"}]'],
  ])("%s=%s", (name, value, message) => {
    expect(problemLines({ env: { [name]: value } })).toEqual([`error ${name}: ${message}`]);
  });

  test("a variable of .env is named with its line", () => {
    expect(problemLines({ dotenv: "# first\nPORT=abc\n" })).toEqual([
      'error .env:2 PORT: "abc" is not a whole number from 0 to 65535',
    ]);
  });

  test("broken JSON in VIRTUAL_MODELS is named", () => {
    expect(problemLines({ env: { VIRTUAL_MODELS: "[{" } })).toEqual([
      expect.stringMatching(/^error VIRTUAL_MODELS: is not valid JSON: /),
    ]);
  });

  test.each([
    ["server:\n  port: abc\n", 'config.yaml:2 server.port: "abc" is not a whole number from 0 to 65535'],
    ["server:\n  - port: 1\n", "config.yaml:1 server: must be a map of settings, not a list"],
    ["server: 5\n", "config.yaml:1 server: must be a map of settings, not a single value"],
    ["server:\n  port: [1]\n", "config.yaml:2 server.port: must be a single value, not a list"],
    ["providers: []\n", "config.yaml:1 providers: must be a map, not a list"],
    ["virtual_models:\n  a: b\n", "config.yaml:1 virtual_models: must be a list, not a map"],
    [
      "failover:\n  retry_on_errors:\n    - \n",
      "config.yaml:3 failover.retry_on_errors[0]: must be a single value, not empty",
    ],
    ["- a\n", "config.yaml:1: must be a map of settings, such as server: or providers:"],
    ["server:\n  port: 1\n  port: 2\n", 'config.yaml:3: the key "port" is given twice'],
  ])("%j", (yaml, line) => {
    expect(problemLines({ yaml })).toEqual([`error ${line}`]);
  });

  test("text that is no YAML is named with its line, and variables are checked all the same", () => {
    expect(problemLines({ yaml: "server:\n  port: 1\n bad\n", env: { PORT: "x" } })).toEqual([
      expect.stringMatching(/^error config\.yaml:3: is not valid YAML: /),
      'error PORT: "x" is not a whole number from 0 to 65535',
    ]);
  });

  test("an unquoted ${...} inside brackets gets the hint that it needs quotes", () => {
    expect(problemLines({ yaml: "providers:\n  groq: { api_key: ${K} }\n" })[0]).toEndWith(
      "; put ${...} in quotes inside [ ] and { }",
    );
  });
});

describe("unknown keys", () => {
  test.each([
    [
      "server:\n  prot: 1\n",
      `config.yaml:2 server.prot: is not a known key; allowed: ${serverKeys}; did you mean "port"?`,
    ],
    [
      "server:\n  masterKey: x\n",
      `config.yaml:2 server.masterKey: is not a known key; allowed: ${serverKeys}; did you mean "master_key"?`,
    ],
    ["server:\n  zebra: 1\n", `config.yaml:2 server.zebra: is not a known key; allowed: ${serverKeys}`],
    ["sever:\n  port: 1\n", `config.yaml:1 sever: is not a known key; allowed: ${rootKeys}; did you mean "server"?`],
    [
      "max_retries: 1\n",
      `config.yaml:1 max_retries: is not a known key; allowed: ${rootKeys}; did you mean "resilience.retry.max_retries"?`,
    ],
    ["server:\n  log_level: debug\n", "config.yaml:2 server.log_level: can only be set by the variable LOG_LEVEL"],
    [
      "virtual_models:\n  - source: a\n    targets: [{model: b, wieght: 2}]\n",
      'config.yaml:3 virtual_models[0].targets[0].wieght: is not a known key; allowed: model, provider, weight; did you mean "weight"?',
    ],
  ])("%j is an error, with CONFIG_STRICT=false a warning", (yaml, line) => {
    expect(problemLines({ yaml })).toEqual([`error ${line}`]);
    expect(problemLines({ yaml, env: { CONFIG_STRICT: "false" } })).toEqual([`warning ${line}`]);
    expect(load({ yaml, env: { CONFIG_STRICT: "false" } }).ok).toBe(true);
  });

  test.each([
    ["budgets:\n  enabled: true\n", "config.yaml:1 budgets"],
    ["failover:\n  rules: {}\n", "config.yaml:2 failover.rules"],
    ["failover:\n  manual_rules_path: x\n", "config.yaml:2 failover.manual_rules_path"],
    ["storage:\n  postgresql: {url: x}\n", "config.yaml:2 storage.postgresql"],
    ["server:\n  trusted_hops: 1\n", "config.yaml:2 server.trusted_hops"],
    ["providers:\n  vllm: {session_sticky_keys: false}\n", "config.yaml:2 providers.vllm.session_sticky_keys"],
    [
      "providers:\n  vllm:\n    models: [{id: a, metadata: {pricing: {per_image: 1}}}]\n",
      "config.yaml:3 providers.vllm.models[0].metadata.pricing.per_image",
    ],
    ["virtual_models:\n  - {source: a, target: b, user_paths: [/x]}\n", "config.yaml:2 virtual_models[0].user_paths"],
  ])("%j is in the specification but not in this version", (yaml, where) => {
    expect(problemLines({ yaml })).toEqual([`error ${where}: is not in this version yet`]);
    expect(problemLines({ yaml, env: { CONFIG_STRICT: "false" } })).toEqual([
      `warning ${where}: is not in this version yet`,
    ]);
  });

  test("an unknown key in VIRTUAL_MODELS names its place in the variable", () => {
    const env = { VIRTUAL_MODELS: '[{"source":"a","target":"b","stratgy":"cost"}]' };
    expect(problemLines({ env })).toEqual([
      'error VIRTUAL_MODELS[0].stratgy: is not a known key; allowed: source, strategy, target, targets, failover, stream_recovery, description, enabled; did you mean "strategy"?',
    ]);
  });
});

describe("unknown variables", () => {
  test("are never errors, and mostly not even mentioned", () => {
    expect(problemLines({ env: { PATH: "/bin", FOO: "1", HTTP_PROXY: "x", NO_PROXY: "y" } })).toEqual([]);
  });

  test("that are nearly a known one get a warning", () => {
    expect(problemLines({ env: { RETRY_MAX_RETRY: "1" } })).toEqual([
      'warning RETRY_MAX_RETRY: is not a known variable and has no effect; did you mean "RETRY_MAX_RETRIES"?',
    ]);
  });

  test("of the specification that have no effect yet get a warning", () => {
    expect(problemLines({ env: { FAILOVER_RULES_JSON: "{}", SET_BUDGET_TEAM: "1" } })).toEqual([
      "warning FAILOVER_RULES_JSON: is not in this version yet and has no effect",
      "warning SET_BUDGET_TEAM: is not in this version yet and has no effect",
    ]);
  });
});

test("everything that is wrong is reported at once, in the order of the file", () => {
  const yaml = `server:
  port: x
  hots: y
resilience:
  retry: { retry_on_statuses: [9xx] }
providers:
  p: { type: opnai }
  q: { type: vllm, resilience: { circuit_breaker: { scope: both } } }
virtual_models:
  - source: a
    strategy: fialover
  - source: b
    target: { model: m, provider: r }
`;
  expect(problemLines({ yaml, env: { PORT: "", HTTP_TIMEOUT: "x y" } })).toEqual([
    'error config.yaml:2 server.port: "x" is not a whole number from 0 to 65535',
    `error config.yaml:3 server.hots: is not a known key; allowed: ${serverKeys}; did you mean "host"?`,
    'error config.yaml:5 resilience.retry.retry_on_statuses[0]: resilience: "9xx" is not an HTTP status code or class such as 5xx',
    'error config.yaml:7 providers.p.type: "opnai" is not a provider type; allowed: openai, azure, groq, ollama, vllm; did you mean "openai"?',
    'error config.yaml:8 providers.q.resilience.circuit_breaker.scope: providers.q.resilience: circuit_breaker.scope must be provider or model (it is "both")',
    'error config.yaml:11 virtual_models[0].strategy: "fialover" is not a strategy; allowed: round_robin, cost, failover; did you mean "failover"?',
    'error config.yaml:13 virtual_models[1].target.provider: "r" is not a configured provider; configured: none',
    'error HTTP_TIMEOUT: "x y" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
  ]);
});

describe("secrets are never repeated", () => {
  test.each([
    [
      "a key with a line break",
      { env: { GROQ_API_KEY: "sec\nret" } },
      "error GROQ_API_KEY: the value (hidden) cannot be sent in a header; use visible ASCII characters without line breaks",
    ],
    [
      "a key in the wrong setting",
      { env: { PORT: "sk-secret" } },
      "error PORT: the value (hidden) is not a whole number from 0 to 65535",
    ],
    [
      "a secret variable in the wrong setting",
      { yaml: "server:\n  port: ${THE_TOKEN}\n", env: { THE_TOKEN: "secret" } },
      "error config.yaml:2 server.port: the value (hidden) is not a whole number from 0 to 65535",
    ],
    [
      "a secret file in the wrong setting",
      { yaml: "server:\n  port: ${file:/s}\n", files: { "/s": "secret" } },
      "error config.yaml:2 server.port: the value (hidden) is not a whole number from 0 to 65535",
    ],
    [
      "a password in an address",
      { yaml: "providers:\n  vllm: {base_url: 'ftp://me:secret@h/v1'}\n" },
      'error config.yaml:2 providers.vllm.base_url: "ftp://me:xxxxx@h/v1" is not an http or https address such as https://api.example.com/v1',
    ],
    [
      "a password in a proxy",
      { yaml: "providers:\n  vllm: {proxy_url: 'ftp://me:sec/ret@h'}\n" },
      'warning config.yaml:2 providers.vllm.proxy_url: provider "vllm" is left out: proxy_url "ftp://me:xxxxx@h" is not an address such as socks5://host:1080',
    ],
  ])("%s", (_, texts, line) => {
    expect(problemLines(texts)).toEqual([line]);
  });
});
