import { describe, expect, test } from "bun:test";
import { loaded } from "../../test/support/load-config.ts";
import type { ConfigTexts } from "../../test/support/load-config.ts";
import { profileRows } from "./profile-rows.ts";

/** `resilience.profile = strong (RESILIENCE_PROFILE)`, what stands inside with two blanks before. */
function lines(texts: ConfigTexts): string[] {
  return profileRows(loaded(texts).effective).map(
    ({ setting, inside, values, from }) => `${inside ? "  " : ""}${setting} = ${values.join(",")} <- ${from}`,
  );
}

const settings = [
  "resilience.profile",
  "resilience.retry.initial_backoff",
  "resilience.retry.retry_on_statuses",
  "resilience.retry.max_retry_after",
  "resilience.retry.streaming",
  "resilience.circuit_breaker.timeout",
  "resilience.max_attempts_per_request",
  "http.first_event_timeout",
  "http.answer_timeout",
  "failover.retry_on_errors",
  "failover.retries_before_failover",
  "failover.stream_recovery",
  "server.request_deadline",
  "server.early_commit_after",
  "server.advise_no_retry",
];

describe("globally", () => {
  test("without a profile every row is there with its classic default", () => {
    const rows = profileRows(loaded({}).effective);
    expect(rows.map(({ setting }) => setting)).toEqual(settings);
    expect(new Set(rows.map(({ from }) => from))).toEqual(new Set(["default"]));
    expect(lines({})).toContain("resilience.retry.streaming = never <- default");
  });

  test("each value names the profile, the line or the variable that it comes from", () => {
    const texts = {
      yaml: "resilience:\n  profile: strong\n  retry: {streaming: never}\n",
      env: { HTTP_ANSWER_TIMEOUT: "9" },
      dotenv: "MAX_ATTEMPTS_PER_REQUEST=4",
    };
    const all = lines(texts);
    expect(all).toHaveLength(settings.length);
    for (const line of [
      "resilience.profile = strong <- config.yaml:2",
      "resilience.retry.streaming = never <- config.yaml:3",
      "resilience.retry.retry_on_statuses = 429,502,503,504,522,524,500,520,521,523,529 <- profile strong",
      "resilience.max_attempts_per_request = 4 <- .env:1 MAX_ATTEMPTS_PER_REQUEST",
      "http.answer_timeout = 9 <- HTTP_ANSWER_TIMEOUT",
      "http.first_event_timeout = 12s <- profile strong",
      "server.request_deadline = 0 <- profile strong",
    ]) {
      expect(all).toContain(line);
    }
  });

  test("a profile that was written out is named even when it is the usual one", () => {
    expect(lines({ env: { RESILIENCE_PROFILE: "classic" } }).slice(0, 2)).toEqual([
      "resilience.profile = classic <- RESILIENCE_PROFILE",
      "resilience.retry.initial_backoff = 1s <- profile classic",
    ]);
  });
});

describe("providers", () => {
  const yaml = `resilience: {retry: {max_retry_after: 1s}}
providers:
  ollama: {}
  vllm:
    resilience:
      profile: strong
      retry: {streaming: never, retry_on_statuses: []}
    http: {first_event_timeout: 7}
`;

  test("stand below a row where value or origin differ, with their own key", () => {
    expect(lines({ yaml }).filter((line) => line.startsWith("  "))).toEqual([
      "  provider vllm = strong <- providers.vllm.resilience.profile (config.yaml:6)",
      "  provider vllm = 250ms <- profile strong",
      "  provider vllm = [] <- providers.vllm.resilience.retry.retry_on_statuses (config.yaml:7)",
      "  provider vllm = never <- providers.vllm.resilience.retry.streaming (config.yaml:7)",
      "  provider vllm = 10s <- profile strong",
      "  provider vllm = 6 <- profile strong",
      "  provider vllm = 7 <- providers.vllm.http.first_event_timeout (config.yaml:8)",
      "  provider vllm = 120s <- profile strong",
    ]);
  });

  test("that inherit a value from a line of the file are not listed", () => {
    const index = lines({ yaml }).indexOf("resilience.retry.max_retry_after = 1s <- config.yaml:1");
    expect(lines({ yaml })[index + 1]).toBe("resilience.retry.streaming = never <- default");
  });
});

test("virtual models stand below stream_recovery where theirs differs", () => {
  const yaml = `virtual_models:
  - {source: same, target: a}
  - {source: "held back", target: a, stream_recovery: buffer}
`;
  const env = {
    VIRTUAL_MODELS: '[{"source":"x/y","target":"a","stream_recovery":"off"}]',
    RESILIENCE_PROFILE: "strong",
  };
  expect(lines({ yaml, env }).filter((line) => line.startsWith("  "))).toEqual([
    '  virtual model "held back" = buffer <- virtual_models[1].stream_recovery (config.yaml:3)',
    "  virtual model x/y = off <- VIRTUAL_MODELS[0].stream_recovery",
  ]);
});

test("a secret that got into a name or a value is not shown", () => {
  const texts = {
    yaml: "virtual_models:\n  - {source: '${file:/s}', target: a, stream_recovery: '${env:THE_SECRET}'}\n",
    files: { "/s": "s3cret" },
    env: { THE_SECRET: "buffer" },
  };
  expect(lines(texts).filter((line) => line.startsWith("  "))).toEqual([
    "  virtual_models[0] = ******** <- virtual_models[0].stream_recovery (config.yaml:2)",
  ]);
});
