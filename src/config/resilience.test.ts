import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";

const workedExample = `resilience:
  retry:
    max_retries: 2
    initial_backoff: 500ms
    max_backoff: 10s
    backoff_factor: 1.5
    jitter_factor: 0.05
  circuit_breaker:
    enabled: true
    failure_threshold: 3
    success_threshold: 1
    timeout: 15s
providers:
  openai:
    type: openai
    api_key: \${OPENAI_API_KEY}
  anthropic:
    type: openai
    api_key: \${ANTHROPIC_KEY:-k}
    resilience:
      retry:
        max_retries: 5
  ollama:
    type: ollama
    base_url: \${OLLAMA_BASE_URL:-http://localhost:11434/v1}
    resilience:
      circuit_breaker:
        failure_threshold: 10
        timeout: 5s
  vllm:
    type: vllm
    base_url: \${VLLM_BASE_URL:-http://localhost:8000/v1}
    resilience:
      circuit_breaker:
        enabled: false
`;

describe("the worked example of the owner's page", () => {
  const { providers } = loaded({ yaml: workedExample, env: { OPENAI_API_KEY: "k" } }).config;

  test.each([
    ["openai", 2, true, 3, 15_000],
    ["anthropic", 5, true, 3, 15_000],
    ["ollama", 2, true, 10, 5000],
    ["vllm", 2, false, 3, 15_000],
  ])(
    "%s has %d retries, breaker %p, threshold %d, timeout %d ms",
    (name, maxRetries, enabled, threshold, timeoutMs) => {
      const resilience = providers.find((provider) => provider.name === name)?.resilience;
      expect(resilience).toMatchObject({
        retry: { maxRetries, initialBackoffMs: 500, maxBackoffMs: 10_000, backoffFactor: 1.5, jitterFactor: 0.05 },
        breaker: { enabled, failureThreshold: threshold, timeoutMs, successThreshold: 1, scope: "provider" },
      });
    },
  );
});

/** Each field: YAML, its variable, three values as written, how to read it. */
const fields: readonly (readonly [
  string,
  string,
  string,
  readonly [string, string, string],
  (policy: Policy) => unknown,
])[] = [
  ["retry", "max_retries", "RETRY_MAX_RETRIES", ["1", "2", "4"], (p) => p.retry.maxRetries],
  ["retry", "initial_backoff", "RETRY_INITIAL_BACKOFF", ["1ms", "2ms", "4ms"], (p) => p.retry.initialBackoffMs],
  ["retry", "max_backoff", "RETRY_MAX_BACKOFF", ["1ms", "2ms", "4ms"], (p) => p.retry.maxBackoffMs],
  ["retry", "backoff_factor", "RETRY_BACKOFF_FACTOR", ["1", "3", "4"], (p) => p.retry.backoffFactor],
  ["retry", "jitter_factor", "RETRY_JITTER_FACTOR", ["0", "0.2", "0.4"], (p) => p.retry.jitterFactor],
  ["retry", "retry_on_statuses", "RETRY_ON_STATUSES", ["501", "502", "504"], (p) => p.retry.retryOnStatuses.source[0]],
  ["retry", "max_retry_after", "RETRY_MAX_RETRY_AFTER", ["1ms", "2ms", "4ms"], (p) => p.retry.maxRetryAfterMs],
  ["circuit_breaker", "enabled", "CIRCUIT_BREAKER_ENABLED", ["true", "false", "true"], (p) => p.breaker.enabled],
  ["circuit_breaker", "scope", "CIRCUIT_BREAKER_SCOPE", ["provider", "model", "provider"], (p) => p.breaker.scope],
  [
    "circuit_breaker",
    "failure_threshold",
    "CIRCUIT_BREAKER_FAILURE_THRESHOLD",
    ["0", "2", "4"],
    (p) => p.breaker.failureThreshold,
  ],
  [
    "circuit_breaker",
    "success_threshold",
    "CIRCUIT_BREAKER_SUCCESS_THRESHOLD",
    ["1", "3", "4"],
    (p) => p.breaker.successThreshold,
  ],
  ["circuit_breaker", "timeout", "CIRCUIT_BREAKER_TIMEOUT", ["1ms", "2ms", "4ms"], (p) => p.breaker.timeoutMs],
  [
    "circuit_breaker",
    "failure_on_statuses",
    "CIRCUIT_BREAKER_FAILURE_ON_STATUSES",
    ["501", "502", "504"],
    (p) => p.breaker.failureOnStatuses.source[0],
  ],
  [
    "circuit_breaker",
    "slow_call_threshold",
    "CIRCUIT_BREAKER_SLOW_CALL_THRESHOLD",
    ["1ms", "2ms", "4ms"],
    (p) => p.breaker.slowCallThresholdMs,
  ],
];

type Policy = ReturnType<typeof loaded>["config"]["resilience"];

describe("each field: provider block > environment > global block > built-in", () => {
  test.each(fields)("%s.%s and %s", (section, key, variable, [global, fromVariable, own], read) => {
    const block = (value: string): string => `resilience: {${section}: {${key}: "${value}"}}`;
    const value = (yaml: string, env: Record<string, string>): unknown => {
      const [provider] = loaded({ yaml, env }).config.providers;
      return provider === undefined ? "no provider" : read(provider.resilience);
    };
    const expected = (text: string): unknown => {
      const built = loaded({ env: { [variable]: text } }).config.resilience;
      return read(built);
    };
    const plain = "providers: {vllm: {}}\n";
    const withOwn = `providers: {vllm: {${block(own)}}}\n`;
    expect(value(plain, {})).toEqual(read(loaded({}).config.resilience));
    expect(value(`${block(global)}\n${plain}`, {})).toEqual(expected(global));
    expect(value(`${block(global)}\n${plain}`, { [variable]: fromVariable })).toEqual(expected(fromVariable));
    expect(value(`${block(global)}\n${withOwn}`, { [variable]: fromVariable })).toEqual(expected(own));
  });
});

describe("lists and switches", () => {
  test("an empty list switches status triggers off, an omitted one keeps the default", () => {
    const yaml = "providers: {vllm: {resilience: {retry: {retry_on_statuses: []}}}}";
    const resilience = loaded({ yaml }).config.providers[0]?.resilience;
    expect(resilience?.retry.retryOnStatuses.source).toEqual([]);
    expect(resilience?.breaker.failureOnStatuses.source).toEqual(["429", "5xx"]);
  });

  test("a provider's enabled: true switches a globally disabled breaker on again with its old tuning", () => {
    const yaml =
      "resilience: {circuit_breaker: {enabled: false, failure_threshold: 4}}\nproviders: {vllm: {resilience: {circuit_breaker: {enabled: true}}}}";
    expect(loaded({ yaml }).config.providers[0]?.resilience.breaker).toMatchObject({
      enabled: true,
      failureThreshold: 4,
    });
  });

  test("a global failure_threshold: 0 is inherited beside enabled: true", () => {
    const yaml =
      "resilience: {circuit_breaker: {failure_threshold: 0}}\nproviders: {vllm: {resilience: {circuit_breaker: {enabled: true}}}}";
    expect(loaded({ yaml }).config.providers[0]?.resilience.breaker.failureThreshold).toBe(0);
  });
});

describe("retries", () => {
  test("is short for resilience.retry.max_retries", () => {
    const yaml = "resilience: {retry: {max_retries: 1}}\nproviders: {vllm: {retries: 5}}";
    expect(loaded({ yaml, env: { RETRY_MAX_RETRIES: "2" } }).config.providers[0]?.resilience.retry.maxRetries).toBe(5);
  });

  test("gives way to the long form, with a warning", () => {
    const yaml = "providers:\n  vllm:\n    retries: 5\n    resilience: {retry: {max_retries: 7}}\n";
    expect(loaded({ yaml }).config.providers[0]?.resilience.retry.maxRetries).toBe(7);
    expect(problemLines({ yaml })).toEqual([
      "warning config.yaml:3 providers.vllm.retries: has no effect beside resilience.retry.max_retries",
    ]);
  });
});

test("a provider's bad values carry the provider's prefix", () => {
  const yaml =
    "providers:\n  vllm:\n    resilience:\n      retry: {retry_on_statuses: [429, x]}\n      circuit_breaker: {scope: x}\n";
  expect(problemLines({ yaml })).toEqual([
    'error config.yaml:4 providers.vllm.resilience.retry.retry_on_statuses[1]: providers.vllm.resilience: "x" is not an HTTP status code or class such as 5xx',
    'error config.yaml:5 providers.vllm.resilience.circuit_breaker.scope: providers.vllm.resilience: circuit_breaker.scope must be provider or model (it is "x")',
  ]);
});
