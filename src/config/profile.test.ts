import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";

type Config = ReturnType<typeof loaded>["config"];
type ProviderConfig = Config["providers"][number];

const phrases = (config: Config): readonly string[] => config.failover.phrases.map((words) => words.join(" "));
const classicPhrases = phrases(loaded({}).config);

/** One row of behaviour 2.12. */
interface Row {
  readonly path: readonly [section: string, ...keys: string[]];
  readonly variable: string;
  readonly classic: unknown;
  readonly strong: unknown;
  /** Values that are neither default: as written and as read. */
  readonly global: readonly [text: string, value: unknown];
  readonly own: readonly [text: string, value: unknown];
  readonly of: (config: Config) => unknown;
  /** Undefined: a provider cannot have its own. */
  readonly ofProvider?: (provider: ProviderConfig) => unknown;
}

const rows: readonly Row[] = [
  {
    path: ["resilience", "retry", "max_retry_after"],
    variable: "RETRY_MAX_RETRY_AFTER",
    classic: 10_000,
    strong: 30_000,
    global: ["1s", 1000],
    own: ["0", 0],
    of: (config) => config.resilience.retry.maxRetryAfterMs,
    ofProvider: (provider) => provider.resilience.retry.maxRetryAfterMs,
  },
  {
    path: ["resilience", "retry", "streaming"],
    variable: "RETRY_STREAMING",
    classic: "never",
    strong: "before_first_event",
    global: ["Before_First_Event", "before_first_event"],
    own: ["never", "never"],
    of: (config) => config.resilience.retry.streaming,
    ofProvider: (provider) => provider.resilience.retry.streaming,
  },
  {
    path: ["resilience", "retry", "retry_on_statuses"],
    variable: "RETRY_ON_STATUSES",
    classic: ["429", "502", "503", "504", "522", "524"],
    strong: ["429", "502", "503", "504", "522", "524", "500", "520", "521", "523", "529"],
    global: ["[503]", ["503"]],
    own: ["[]", []],
    of: (config) => config.resilience.retry.retryOnStatuses.source,
    ofProvider: (provider) => provider.resilience.retry.retryOnStatuses.source,
  },
  {
    path: ["resilience", "retry", "initial_backoff"],
    variable: "RETRY_INITIAL_BACKOFF",
    classic: 1000,
    strong: 250,
    global: ["2s", 2000],
    own: ["3ms", 3],
    of: (config) => config.resilience.retry.initialBackoffMs,
    ofProvider: (provider) => provider.resilience.retry.initialBackoffMs,
  },
  {
    path: ["resilience", "circuit_breaker", "timeout"],
    variable: "CIRCUIT_BREAKER_TIMEOUT",
    classic: 30_000,
    strong: 10_000,
    global: ["1m", 60_000],
    own: ["5s", 5000],
    of: (config) => config.resilience.breaker.timeoutMs,
    ofProvider: (provider) => provider.resilience.breaker.timeoutMs,
  },
  {
    path: ["resilience", "max_attempts_per_request"],
    variable: "MAX_ATTEMPTS_PER_REQUEST",
    classic: 0,
    strong: 6,
    global: ["9", 9],
    own: ["2", 2],
    of: (config) => config.resilience.maxAttemptsPerRequest,
    ofProvider: (provider) => provider.resilience.maxAttemptsPerRequest,
  },
  {
    path: ["http", "first_event_timeout"],
    variable: "HTTP_FIRST_EVENT_TIMEOUT",
    classic: 0,
    strong: 12_000,
    global: ["7", 7000],
    own: ["250ms", 250],
    of: (config) => config.upstreamLimits.firstEventMs,
    ofProvider: (provider) => provider.limits.firstEventMs,
  },
  {
    path: ["http", "answer_timeout"],
    variable: "HTTP_ANSWER_TIMEOUT",
    classic: 0,
    strong: 120_000,
    global: ["60", 60_000],
    own: ["2m", 120_000],
    of: (config) => config.upstreamLimits.answerMs,
    ofProvider: (provider) => provider.limits.answerMs,
  },
  {
    path: ["failover", "retry_on_errors"],
    variable: "FAILOVER_RETRY_ON_ERRORS",
    classic: classicPhrases,
    strong: [
      ...classicPhrases,
      "400 context_length_exceeded",
      "400 maximum context",
      "400 context window",
      "400 prompt too long",
      "413",
    ],
    global: ["[Over loaded, 404 gone]", ["over loaded", "404 gone"]],
    own: ["[x]", ["x"]],
    of: phrases,
  },
  {
    path: ["failover", "retries_before_failover"],
    variable: "FAILOVER_RETRIES_BEFORE_FAILOVER",
    classic: -1,
    strong: 1,
    global: ["0", 0],
    own: ["-1", -1],
    of: (config) => config.failover.retriesBeforeFailover,
  },
  {
    path: ["failover", "stream_recovery"],
    variable: "FAILOVER_STREAM_RECOVERY",
    classic: "off",
    strong: "continue",
    global: ["buffer", "buffer"],
    own: ["off", "off"],
    of: (config) => config.streamRecovery,
  },
  {
    path: ["server", "request_deadline"],
    variable: "REQUEST_DEADLINE",
    classic: 0,
    strong: 0,
    global: ["2m", 120_000],
    own: ["1s", 1000],
    of: (config) => config.server.requestDeadlineMs,
  },
  {
    path: ["server", "early_commit_after"],
    variable: "EARLY_COMMIT_AFTER",
    classic: 0,
    strong: 0,
    global: ["20s", 20_000],
    own: ["1s", 1000],
    of: (config) => config.server.earlyCommitAfterMs,
  },
  {
    path: ["server", "advise_no_retry"],
    variable: "ADVISE_NO_RETRY",
    classic: false,
    strong: true,
    global: ["true", true],
    own: ["false", false],
    of: (config) => config.server.adviseNoRetry,
  },
];
const named = rows.map((row) => [row.path.join("."), row] as const);
const ofProviders = rows.flatMap(({ ofProvider, ...row }) =>
  ofProvider === undefined ? [] : [[row.path.join("."), { ...row, ofProvider }] as const],
);

const profiles = ["classic", "strong"] as const;
type Tree = { readonly [key: string]: Tree | string };

/** `{a: {b: "1"}}` of `["a", "b"]` and `"1"`; a text that is a list stays one. */
function tree([key = "", ...rest]: readonly string[], text: string): Tree {
  return { [key]: rest.length === 0 ? text : tree(rest, text) };
}

/** A value of the configuration as an operator would write it. */
function written({ path }: Row, value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return /timeout|backoff|after|deadline/.test(path.at(-1) ?? "") ? `${String(value)}ms` : String(value);
}

function merged(...trees: readonly Tree[]): Tree {
  const result: Record<string, Tree | string> = {};
  for (const [key, value] of trees.flatMap((each) => Object.entries(each))) {
    const before = result[key];
    result[key] = typeof before === "object" && typeof value === "object" ? merged(before, value) : value;
  }
  return result;
}

const yaml = (...trees: readonly Tree[]): string => JSON.stringify(merged(...trees));
const profile = (name: string): Tree => tree(["resilience", "profile"], name);
const provider = (...blocks: readonly Tree[]): Tree => ({ providers: { vllm: merged(...blocks) } });

function providerOf(config: Config): ProviderConfig {
  const [first] = config.providers;
  if (first === undefined) throw new Error("there is no provider");
  return first;
}

describe("each row, globally", () => {
  test.each(named)("%s has its classic default without a profile and under classic", (_, { classic, of }) => {
    expect(of(loaded({}).config)).toEqual(classic);
    expect(of(loaded({ yaml: yaml(profile("classic")) }).config)).toEqual(classic);
    expect(of(loaded({ env: { RESILIENCE_PROFILE: "classic" } }).config)).toEqual(classic);
  });

  test.each(named)("%s has its strong default under strong", (_, { strong, of }) => {
    expect(of(loaded({ yaml: yaml(profile("strong")) }).config)).toEqual(strong);
    expect(of(loaded({ env: { RESILIENCE_PROFILE: "strong" } }).config)).toEqual(strong);
  });

  test.each(named)("%s keeps a given value under both, and its variable wins over YAML", (_, row) => {
    for (const name of profiles) {
      const [globalText, globalValue] = row.global;
      const [otherText, otherValue] = row.own;
      const inYaml = yaml(profile(name), tree(row.path, globalText));
      expect(row.of(loaded({ yaml: inYaml }).config)).toEqual(globalValue);
      // An empty list as a variable counts as not set at all.
      const variable = otherText === "[]" ? "503" : otherText;
      const expected = otherText === "[]" ? ["503"] : otherValue;
      expect(row.of(loaded({ yaml: inYaml, env: { [row.variable]: variable } }).config)).toEqual(expected);
      expect(row.of(loaded({ yaml: yaml(profile(name)), env: { [row.variable]: variable } }).config)).toEqual(expected);
    }
  });

  test.each(named)("%s keeps the other profile's default when that is written out", (_, row) => {
    expect(row.of(loaded({ yaml: yaml(profile("strong"), tree(row.path, written(row, row.classic))) }).config)).toEqual(
      row.classic,
    );
    expect(row.of(loaded({ yaml: yaml(profile("classic"), tree(row.path, written(row, row.strong))) }).config)).toEqual(
      row.strong,
    );
  });
});

describe("each row that a provider may have", () => {
  test.each(ofProviders)("%s is inherited under both profiles", (_, { classic, strong, ofProvider }) => {
    expect(ofProvider(providerOf(loaded({ yaml: yaml(provider()) }).config))).toEqual(classic);
    expect(ofProvider(providerOf(loaded({ yaml: yaml(profile("strong"), provider()) }).config))).toEqual(strong);
  });

  test.each(ofProviders)("%s: the provider's own value wins over the environment, YAML and both profiles", (_, row) => {
    const [globalText] = row.global;
    const [ownText, ownValue] = row.own;
    for (const name of profiles) {
      const text = yaml(profile(name), tree(row.path, globalText), provider(tree(row.path, ownText)));
      const { config } = loaded({ yaml: text, env: { [row.variable]: globalText } });
      expect(row.ofProvider(providerOf(config))).toEqual(ownValue);
      expect(row.of(config)).toEqual(row.global[1]);
    }
  });

  test.each(ofProviders)("%s: a provider's own profile picks its default, one way and the other", (_, row) => {
    const strongOne = loaded({ yaml: yaml(profile("classic"), provider(profile("strong"))) }).config;
    expect(row.ofProvider(providerOf(strongOne))).toEqual(row.strong);
    expect(row.of(strongOne)).toEqual(row.classic);
    const classicOne = loaded({
      yaml: yaml(provider(profile("classic"))),
      env: { RESILIENCE_PROFILE: "strong" },
    }).config;
    expect(row.ofProvider(providerOf(classicOne))).toEqual(row.classic);
    expect(row.of(classicOne)).toEqual(row.strong);
  });

  test.each(ofProviders)("%s: a given global value wins over the default of a provider's profile", (_, row) => {
    const [text, value] = row.global;
    const inYaml = loaded({ yaml: yaml(tree(row.path, text), provider(profile("strong"))) }).config;
    expect(row.ofProvider(providerOf(inYaml))).toEqual(value);
    const inVariable = loaded({ yaml: yaml(provider(profile("strong"))), env: { [row.variable]: text } }).config;
    expect(row.ofProvider(providerOf(inVariable))).toEqual(value);
  });
});

test("the profile changes nothing but its rows", () => {
  const plain = (config: Config): unknown => JSON.parse(JSON.stringify(config));
  const classic = plain(loaded({}).config);
  const given = Object.fromEntries(rows.map((row) => [row.variable, written(row, row.classic)]));
  const strong = plain(loaded({ env: { RESILIENCE_PROFILE: "strong", ...given } }).config);
  expect(strong).toEqual(classic);
});

describe("an empty list", () => {
  test("of phrases keeps the profile's default, of statuses it is a value", () => {
    const text = yaml(
      profile("strong"),
      tree(["failover", "retry_on_errors"], "[]"),
      tree(["resilience", "retry", "retry_on_statuses"], "[]"),
    );
    const { config } = loaded({ yaml: text });
    expect(config.failover.phrases.at(-1)).toEqual(["413"]);
    expect(config.resilience.retry.retryOnStatuses.source).toEqual([]);
  });
});

describe("the limits of a provider", () => {
  const limits = {
    timeout: ["90", 90_000, "totalMs"],
    response_header_timeout: ["80s", 80_000, "responseHeaderMs"],
    stream_idle_timeout: ["70s", 70_000, "streamIdleMs"],
    connect_timeout: ["2s", 2000, "connectMs"],
    first_event_timeout: ["3s", 3000, "firstEventMs"],
    answer_timeout: ["4s", 4000, "answerMs"],
  } as const;

  test.each(Object.entries(limits))("http.%s stands in its block and leaves the others", (key, [text, ms, name]) => {
    const { config } = loaded({ yaml: yaml(provider(tree(["http", key], text))), env: { HTTP_TIMEOUT: "30" } });
    expect(providerOf(config).limits).toEqual({ ...config.upstreamLimits, [name]: ms });
    expect(config.upstreamLimits).toEqual({
      connectMs: 30_000,
      responseHeaderMs: 600_000,
      streamIdleMs: 300_000,
      totalMs: 30_000,
      firstEventMs: 0,
      answerMs: 0,
    });
  });

  test("0 switches a global limit off for it", () => {
    const { config } = loaded({ yaml: yaml(profile("strong"), provider(tree(["http", "first_event_timeout"], "0"))) });
    expect(providerOf(config).limits).toMatchObject({ firstEventMs: 0, answerMs: 120_000 });
  });
});

describe("stream recovery of virtual models", () => {
  const recoveries = (text: string, env: Record<string, string> = {}): unknown =>
    loaded({ yaml: text, env }).config.virtualModels.map(({ source, streamRecovery }) => [source, streamRecovery]);
  const models = `virtual_models:
  - {source: plain, target: a}
  - {source: held, target: a, stream_recovery: buffer}
  - {source: none, target: a, stream_recovery: off}
  - {source: on, target: a, stream_recovery: continue}
`;

  test("their own wins, else the global one, else the profile's", () => {
    const own = [
      ["held", "buffer"],
      ["none", "off"],
      ["on", "continue"],
    ];
    expect(recoveries(models)).toEqual([["plain", "off"], ...own]);
    expect(recoveries(`${models}resilience: {profile: strong}\n`)).toEqual([["plain", "continue"], ...own]);
    expect(recoveries(models, { RESILIENCE_PROFILE: "strong", FAILOVER_STREAM_RECOVERY: "buffer" })).toEqual([
      ["plain", "buffer"],
      ...own,
    ]);
    expect(recoveries(`${models}resilience: {profile: strong}\nfailover: {stream_recovery: off}\n`)).toEqual([
      ["plain", "off"],
      ...own,
    ]);
  });

  test("false, which tools make of off, is off; VIRTUAL_MODELS has the key too", () => {
    const rowsAsJson = JSON.stringify([
      { source: "a", target: "x", stream_recovery: false },
      { source: "b", target: "x", stream_recovery: "buffer" },
    ]);
    expect(recoveries("", { VIRTUAL_MODELS: rowsAsJson, RESILIENCE_PROFILE: "strong" })).toEqual([
      ["a", "off"],
      ["b", "buffer"],
    ]);
    expect(
      loaded({ env: { FAILOVER_STREAM_RECOVERY: "false", RESILIENCE_PROFILE: "strong" } }).config.streamRecovery,
    ).toBe("off");
  });
});

describe("supports_prefill", () => {
  const text = `providers:
  vllm: {models: [a, {id: b, supports_prefill: true}, {id: c, supports_prefill: no}]}
  groq: {api_key: k, supports_prefill: true}
  ollama: {supports_prefill: false}
`;

  test("is kept as it was given, for the provider and for a model, and undefined otherwise", () => {
    const { providers } = loaded({ yaml: text }).config;
    expect(providers.map(({ name, supportsPrefill }) => [name, supportsPrefill])).toEqual([
      ["vllm", undefined],
      ["groq", true],
      ["ollama", false],
    ]);
    expect(providers[0]?.models.map(({ id, supportsPrefill }) => [id, supportsPrefill])).toEqual([
      ["a", undefined],
      ["b", true],
      ["c", false],
    ]);
  });
});

describe("bad values", () => {
  const scope = "resilience: ";
  test.each([
    [
      "RESILIENCE_PROFILE",
      "strng",
      `${scope}"strng" is not a resilience profile; allowed: classic, strong; did you mean "strong"?`,
    ],
    ["RETRY_STREAMING", "always", `${scope}"always" is not a way to retry streams; allowed: never, before_first_event`],
    [
      "RETRY_STREAMING",
      "before-first-evnt",
      `${scope}"before-first-evnt" is not a way to retry streams; allowed: never, before_first_event; did you mean "before_first_event"?`,
    ],
    ["MAX_ATTEMPTS_PER_REQUEST", "-1", `${scope}"-1" is not a whole number of 0 or more`],
    ["FAILOVER_RETRIES_BEFORE_FAILOVER", "-2", '"-2" is not a whole number of -1 or more'],
    ["FAILOVER_RETRIES_BEFORE_FAILOVER", "1.5", '"1.5" is not a whole number of -1 or more'],
    [
      "FAILOVER_STREAM_RECOVERY",
      "bufer",
      '"bufer" is not a kind of stream recovery; allowed: off, buffer, continue; did you mean "buffer"?',
    ],
    [
      "HTTP_FIRST_EVENT_TIMEOUT",
      "-12s",
      '"-12s" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
    ],
    [
      "HTTP_ANSWER_TIMEOUT",
      "2 min",
      '"2 min" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
    ],
    ["EARLY_COMMIT_AFTER", "20", '"20" has no unit; write for example 20s or 20ms'],
    ["ADVISE_NO_RETRY", "maybe", '"maybe" is not true or false'],
  ])("%s=%s", (name, value, message) => {
    expect(problemLines({ env: { [name]: value } })).toEqual([`error ${name}: ${message}`]);
  });

  test("are all named at once, with their path and line", () => {
    const text = `resilience:
  profile: strnog
failover:
  stream_recovery: resume
providers:
  vllm:
    resilience: {profile: both, max_attempts_per_request: -3}
    http:
      first_event_timout: 5s
      answer_timeout: soon
    supports_prefill: perhaps
    models: [{id: a, supports_prefill: 2}]
virtual_models:
  - {source: a, target: b, stream_recovery: contine}
`;
    expect(problemLines({ yaml: text })).toEqual([
      'error config.yaml:2 resilience.profile: resilience: "strnog" is not a resilience profile; allowed: classic, strong; did you mean "strong"?',
      'error config.yaml:4 failover.stream_recovery: "resume" is not a kind of stream recovery; allowed: off, buffer, continue',
      'error config.yaml:7 providers.vllm.resilience.max_attempts_per_request: providers.vllm.resilience: "-3" is not a whole number of 0 or more',
      'error config.yaml:7 providers.vllm.resilience.profile: providers.vllm.resilience: "both" is not a resilience profile; allowed: classic, strong',
      'error config.yaml:9 providers.vllm.http.first_event_timout: is not a known key; allowed: timeout, response_header_timeout, stream_idle_timeout, connect_timeout, first_event_timeout, answer_timeout; did you mean "first_event_timeout"?',
      'error config.yaml:10 providers.vllm.http.answer_timeout: "soon" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
      'error config.yaml:11 providers.vllm.supports_prefill: "perhaps" is not true or false',
      'error config.yaml:12 providers.vllm.models[0].supports_prefill: "2" is not true or false',
      'error config.yaml:14 virtual_models[0].stream_recovery: "contine" is not a kind of stream recovery; allowed: off, buffer, continue; did you mean "continue"?',
    ]);
  });

  test.each([
    [
      "providers:\n  vllm: {resilience: {retry: {max_attempts_per_request: 3}}}\n",
      "providers.vllm.resilience.max_attempts_per_request",
    ],
    [
      "providers:\n  vllm: {models: [{id: a, metadata: {supports_prefill: true}}]}\n",
      "providers.vllm.models[0].supports_prefill",
    ],
    ["failover:\n  profile: strong\n", "resilience.profile"],
    ["http:\n  early_commit_after: 5s\n", "server.early_commit_after"],
  ])("%j names the place where the key belongs", (text, place) => {
    expect(problemLines({ yaml: text })).toEqual([expect.stringContaining(`; did you mean "${place}"?`)]);
  });
});
