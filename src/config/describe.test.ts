import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { load, loaded } from "../../test/support/load-config.ts";
import type { ConfigTexts } from "../../test/support/load-config.ts";
import { describeSettings } from "./describe.ts";

function described(texts: ConfigTexts): string {
  return describeSettings(loaded(texts).effective);
}

describe("the printed configuration", () => {
  test("says of each value where it comes from", () => {
    const text = described({
      yaml: "server:\n  port: 9000\nproviders:\n  groq: {api_key: k, retries: 1}\n",
      env: { RETRY_MAX_BACKOFF: "5s", LOG_LEVEL: "debug" },
      dotenv: "HOST=127.0.0.1",
    });
    for (const line of [
      "# LOG_LEVEL=debug (LOG_LEVEL)",
      "# LOG_FORMAT=auto (default)",
      "  port: 9000 # config.yaml:2",
      "  host: 127.0.0.1 # .env:1 HOST",
      "  base_path: / # default",
      "        max_retries: 1 # config.yaml:4",
      "        max_backoff: 5s # RETRY_MAX_BACKOFF",
      "        retry_on_statuses: [ 429, 502, 503, 504, 522, 524 ] # default",
      "    path: /srv/app/data/gomodel.db # default",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  test("tells the profile's defaults from others, and shows what providers and virtual models inherit", () => {
    const lines = described({
      yaml: `resilience: {profile: strong}
providers:
  groq:
    api_key: k
    supports_prefill: true
    resilience: {profile: classic}
    http: {answer_timeout: 9s}
  ollama: {}
virtual_models:
  - {source: a, target: b}
`,
    }).split("\n");
    const block = (name: string): readonly string[] => {
      const start = lines.indexOf(`  ${name}:`);
      const length = lines.slice(start + 1).findIndex((line) => /^ {0,2}\S/.test(line));
      return lines.slice(start, start + 1 + length).map((line) => line.trim());
    };
    expect(block("groq")).toEqual(
      expect.arrayContaining([
        "profile: classic # config.yaml:6",
        "streaming: never # profile classic",
        "max_retries: 3 # default",
        "max_attempts_per_request: 0 # profile classic",
        "first_event_timeout: 0 # profile classic",
        "answer_timeout: 9s # config.yaml:7",
        "timeout: 600s # default",
        "supports_prefill: true # config.yaml:5",
      ]),
    );
    expect(block("ollama")).toEqual(
      expect.arrayContaining(["profile: strong # config.yaml:1", "first_event_timeout: 12s # profile strong"]),
    );
    for (const line of [
      "    stream_recovery: continue # profile strong",
      "  retries_before_failover: 1 # profile strong",
      "  advise_no_retry: true # profile strong",
      "  early_commit_after: 0 # profile strong",
    ]) {
      expect(lines).toContain(line);
    }
    expect(described({})).toContain("  retries_before_failover: -1 # default\n");
  });

  test("shows no secret", () => {
    const secrets = ["s3cret-1", "s3cret-2", "s3cret-3", "s3cret-4", "s3cret-5", "s3cret-6", "s3cret-7"];
    const text = described({
      yaml: `server: {master_key: s3cret-1}
providers:
  groq: {api_key: s3cret-2}
  openai: {api_keys: [s3cret-3], proxy_url: "http://me:s3cret-4@proxy:1"}
  vllm: {base_url: "http://me:s3cret-5@h/v1", custom_upstream_headers: {X-Key: s3cret-6}}
virtual_models:
  - source: a
    target: b
    description: \${file:/s}
`,
      files: { "/s": "s3cret-7" },
    });
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain('master_key: "********" # config.yaml:1');
    expect(text).toContain("proxy_url: http://me:xxxxx@proxy:1 # config.yaml:4");
  });

  test("keeps an open reference open and a plain ${ plain", () => {
    const yaml = "providers:\n  groq:\n    api_key: k-${OPEN}\n  vllm:\n    api_key: a$${B}\n";
    const text = describeSettings(loaded({ yaml }).effective, { revealSecrets: true });
    expect(text).toContain("api_key: k-${OPEN} # config.yaml:3");
    expect(text).toContain("api_key: a$${B} # config.yaml:5");
  });
});

/** Texts that YAML, references and lists could mistake for something else. */
const awkwardText = fc.oneof(
  fc.constantFrom(
    "null",
    "~",
    "true",
    "1",
    "4.10",
    "1e3",
    "#x",
    "a: b",
    "- a",
    "[a",
    "{a",
    "'a",
    '"a',
    "${",
    "${A}",
    "$${A}",
    "a #b",
    "&a",
    "*a",
    "!a",
    "%a",
    "@a",
    "é",
  ),
  fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).filter((text) => text.trim() === text && text !== ""),
);
const headerSafe = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abc-_:#'\"{}$[],& ".split("")) })
  .filter((text) => text.trim() === text);
const id = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abcXYZ019-._:".split("")) });
const statuses = fc.array(fc.constantFrom("429", "5xx", "4XX", "100", "599"), { maxLength: 4 });
const duration = fc.oneof(
  fc.constant("0"),
  fc.nat(100_000).map((ms) => `${ms}ms`),
  fc.nat(100).map((n) => `${n}m${n % 60}s`),
);
const count = fc.nat(1000).map(String);
const switched = fc.constantFrom("true", "false", "yes", "0");

const some = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.record(fields, { requiredKeys: [] });

const resilience = some({
  profile: fc.constantFrom("classic", "strong"),
  max_attempts_per_request: count,
  retry: some({
    max_retries: count,
    initial_backoff: duration,
    max_backoff: duration,
    backoff_factor: fc.constantFrom("1", "1.5", "2.0"),
    jitter_factor: fc.constantFrom("0", "0.25", "1"),
    retry_on_statuses: statuses,
    max_retry_after: duration,
    streaming: fc.constantFrom("never", "before_first_event"),
  }),
  circuit_breaker: some({
    enabled: switched,
    scope: fc.constantFrom("provider", "model"),
    failure_threshold: count,
    timeout: duration,
    failure_on_statuses: statuses,
    slow_call_threshold: duration,
  }),
});

const http = some({
  timeout: count,
  connect_timeout: duration,
  first_event_timeout: duration,
  answer_timeout: count,
});
const recovery = fc.constantFrom("off", "buffer", "continue", "false");

const provider = fc.record(
  {
    type: fc.constantFrom("openai", "groq", "vllm", "ollama"),
    api_key: headerSafe,
    api_keys: fc.array(headerSafe, { maxLength: 3 }),
    base_url: fc.constantFrom("https://h/v1", "http://u:p@h:8/v1/"),
    proxy_url: fc.constantFrom("socks5://u:p@h:1", "http://h"),
    models: fc.array(
      fc.oneof(
        id,
        fc.record({
          id,
          metadata: fc.record({
            context_window: fc.constant("8192"),
            pricing: some({
              input_per_mtok: fc.constantFrom("0", "1.25"),
              tiers: fc.constant([{ up_to_mtok: "0.2" }, { output_per_mtok: "3" }]),
            }),
          }),
        }),
        fc.record({ id, supports_prefill: switched }),
      ),
      { maxLength: 3 },
    ),
    custom_upstream_headers: fc.dictionary(
      id.map((name) => `X${name.replaceAll(":", "")}`),
      headerSafe,
      { maxKeys: 2 },
    ),
    resilience,
    http,
    supports_prefill: switched,
    retries: count,
  },
  { requiredKeys: ["type"] },
);

const target = fc.oneof(id, fc.record({ model: awkwardText, weight: fc.constantFrom("1", "0.5") }));

const settings = some({
  server: some({
    port: count,
    host: id,
    base_path: fc.constantFrom("/", "/a/b", "x"),
    master_key: awkwardText,
    body_size_limit: fc.constantFrom("1K", "10MB"),
    shutdown_grace: duration,
    request_deadline: duration,
    early_commit_after: duration,
    advise_no_retry: switched,
  }),
  http,
  failover: some({
    enabled: switched,
    max_attempts: count,
    retry_on_statuses: statuses,
    retry_on_errors: fc.array(fc.constantFrom("a b", "404 gone", "Over: loaded"), { maxLength: 3 }),
    retries_before_failover: fc.constantFrom("-1", "0", "2"),
    stream_recovery: recovery,
  }),
  resilience,
  logging: some({ enabled: switched, flush_interval: duration, max_body_storage: fc.constantFrom("1M", "5G") }),
  storage: some({ sqlite: some({ path: awkwardText }) }),
  providers: fc.dictionary(id, provider, { maxKeys: 3 }),
  virtual_models: fc.uniqueArray(
    fc.record(
      {
        source: awkwardText,
        strategy: fc.constantFrom("cost", "round_robin", "failover"),
        targets: fc.array(target, { minLength: 2, maxLength: 3 }),
        description: awkwardText,
        enabled: switched,
        stream_recovery: recovery,
      },
      { requiredKeys: ["source", "strategy", "targets", "description", "enabled"] },
    ),
    { selector: ({ source }) => source, maxLength: 3 },
  ),
});

test("any valid configuration survives printing and loading again", () => {
  let compared = 0;
  fc.assert(
    fc.property(settings, (tree) => {
      // JSON is YAML; what it says of variables is escaped, so that the texts arrive as they are.
      const first = load({ yaml: JSON.stringify(tree).replaceAll("${", () => "$${") });
      if (!first.ok) return;
      const again = load({ yaml: describeSettings(first.effective, { revealSecrets: true }) });
      expect(again.ok ? comparable(again) : again.problems).toEqual(comparable(first));
      compared++;
    }),
    { numRuns: 100 },
  );
  expect(compared).toBeGreaterThan(50);
});

const origins = ["declaredAt", "hostIsDefault"];

/** Where a value was written differs, and functions have no value. */
function comparable({ config }: ReturnType<typeof loaded>): unknown {
  return JSON.parse(JSON.stringify(config, (key, value: unknown) => (origins.includes(key) ? undefined : value)));
}
