import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";
import type { ConfigTexts } from "../../test/support/load-config.ts";

/** `name:type key,key @address`. */
function summary(texts: ConfigTexts): string[] {
  return loaded(texts).config.providers.map(
    ({ name, type, apiKeys, baseUrl }) => `${name}:${type} ${apiKeys.join(",")} @${baseUrl}`,
  );
}

describe("providers from the environment", () => {
  test.each([
    ["a key", { OPENAI_API_KEY: "k" }, ["openai:openai k @https://api.openai.com/v1"]],
    [
      "more keys with gaps, doubles and _1",
      { GROQ_API_KEY_7: "c", GROQ_API_KEY_2: "b", GROQ_API_KEY_3: "b", GROQ_API_KEY_1: "a" },
      ["groq:groq a,b,c @https://api.groq.com/openai/v1"],
    ],
    [
      "_1 beside the bare key",
      { GROQ_API_KEY_1: "x", GROQ_API_KEY: "a" },
      ["groq:groq a @https://api.groq.com/openai/v1"],
    ],
    ["a suffix", { OPENAI_EAST_API_KEY: "k" }, ["openai-east:openai k @https://api.openai.com/v1"]],
    [
      "a suffix with underscores",
      { OPENAI_US_EAST_1_API_KEY: "k", OPENAI_US_EAST_1_BASE_URL: "https://x/v1/" },
      ["openai-us-east-1:openai k @https://x/v1"],
    ],
    [
      "a number in the suffix and a key number",
      { OPENAI_2_API_KEY: "a", OPENAI_2_API_KEY_2: "b" },
      ["openai-2:openai a,b @https://api.openai.com/v1"],
    ],
    ["an address alone where that is enough", { OLLAMA_BASE_URL: "http://h/v1" }, ["ollama:ollama  @http://h/v1"]],
    [
      "an address and an optional key",
      { VLLM_GPU_BASE_URL: "http://h/v1", VLLM_GPU_API_KEY: "k" },
      ["vllm-gpu:vllm k @http://h/v1"],
    ],
    [
      "bare and suffixed side by side",
      { GROQ_API_KEY: "a", GROQ_B_API_KEY: "b", OPENAI_API_KEY: "c" },
      [
        "openai:openai c @https://api.openai.com/v1",
        "groq:groq a @https://api.groq.com/openai/v1",
        "groq-b:groq b @https://api.groq.com/openai/v1",
      ],
    ],
    ["an optional key alone", { VLLM_API_KEY: "k" }, []],
    ["an empty key", { OPENAI_API_KEY: "" }, []],
    ["models alone", { OPENAI_MODELS: "a" }, []],
    ["another program's variable", { OPENAI_ORG_ID: "x", GROQ: "y", OPENAI_API_VERSION: "1" }, []],
  ])("%s", (_, env, expected) => {
    expect(problemLines({ env })).toEqual([]);
    expect(summary({ env })).toEqual(expected);
  });

  test.each([
    [{ AZURE_API_KEY: "k" }, "AZURE_API_KEY: is ignored: AZURE_BASE_URL is not set"],
    [
      { AZURE_EU_API_KEY: "k", AZURE_BASE_URL: "https://h" },
      "AZURE_EU_API_KEY: is ignored: AZURE_EU_BASE_URL is not set",
    ],
    [{ OPENAI_BASE_URL: "https://h" }, "OPENAI_BASE_URL: is ignored: OPENAI_API_KEY is not set"],
    [
      { ANTHROPIC_API_KEY: "k" },
      "ANTHROPIC_API_KEY: is ignored: the provider type anthropic is not in this version yet",
    ],
    [
      { BEDROCK_MANTLE_API_KEY: "k" },
      "BEDROCK_MANTLE_API_KEY: is ignored: the provider type bedrock-mantle is not in this version yet",
    ],
  ])("%j is not enough and says so", (env, line) => {
    expect(summary({ env })).toEqual([]);
    expect(problemLines({ env })).toContain(`warning ${line}`);
  });

  test("models, proxy and API version belong to the provider", () => {
    const env = {
      AZURE_API_KEY: "k",
      AZURE_BASE_URL: "https://h/",
      AZURE_MODELS: "a, b",
      AZURE_PROXY_URL: "socks5://u:p@proxy:1080",
      AZURE_API_VERSION: "2025-01-01",
    };
    expect(loaded({ env }).config.providers[0]).toMatchObject({
      name: "azure",
      apiVersion: "2025-01-01",
      proxyUrl: "socks5://u:p@proxy:1080",
      models: [
        { id: "a", price: undefined, contextWindow: undefined },
        { id: "b", price: undefined, contextWindow: undefined },
      ],
    });
    expect(loaded({ env: { ...env, AZURE_API_VERSION: "" } }).config.providers[0]?.apiVersion).toBe("2024-10-21");
  });

  test("a type whose name begins like another's has its own variables", () => {
    const base = {
      defaultBaseUrl: "https://h",
      apiKey: "required",
      enabledByBaseUrl: false,
      embeddings: true,
    } as const;
    const types = [
      { type: "bedrock", ...base },
      { type: "bedrock-mantle", ...base },
    ];
    expect(summary({ env: { BEDROCK_MANTLE_API_KEY: "k" }, types })).toEqual([
      "bedrock-mantle:bedrock-mantle k @https://h",
    ]);
    expect(summary({ env: { BEDROCK_X_API_KEY: "k" }, types })).toEqual(["bedrock-x:bedrock k @https://h"]);
  });
});

describe("settings of one type", () => {
  const azure = { AZURE_API_KEY: "k", AZURE_BASE_URL: "https://h" };

  test("go to every provider of the type and to no other", () => {
    const env = {
      ...azure,
      AZURE_B_API_KEY: "k",
      AZURE_B_BASE_URL: "https://b",
      GROQ_API_KEY: "k",
      AZURE_MODE: "fancy",
    };
    expect(loaded({ env }).config.providers.map(({ name, options }) => [name, options])).toEqual([
      ["azure", { AZURE_MODE: "fancy" }],
      ["azure-b", { AZURE_MODE: "fancy" }],
      ["groq", {}],
    ]);
  });

  test.each([
    ["AZURE_MODE", "fancyy", '"fancyy" is not allowed; allowed: plain, fancy; did you mean "fancy"?'],
    ["AZURE_TITLE", "a\nb", "must be visible ASCII characters without line breaks"],
  ])("%s=%j stops the start", (name, value, message) => {
    expect(problemLines({ env: { ...azure, [name]: value } })).toEqual([`error ${name}: ${message}`]);
  });
});

describe("the environment over YAML providers", () => {
  test.each([
    [
      "bare variables replace fields of the provider named after the type",
      "openai: {type: openai, api_keys: [y1, y2], base_url: 'https://y'}",
      { OPENAI_API_KEY: "e", OPENAI_BASE_URL: "https://e" },
      ["openai:openai e @https://e"],
      [],
    ],
    [
      "the other fields stay",
      "openai: {api_key: y, base_url: 'https://y'}",
      { OPENAI_API_KEY: "e" },
      ["openai:openai e @https://y"],
      [],
    ],
    [
      "suffixed variables replace fields of the provider of that name",
      "openai-east: {type: openai, api_key: y}",
      { OPENAI_EAST_API_KEY: "e" },
      ["openai-east:openai e @https://api.openai.com/v1"],
      [],
    ],
    [
      "bare variables fill what the only provider of the type leaves open",
      "mine: {type: groq, base_url: 'https://y'}",
      { GROQ_API_KEY: "e", GROQ_API_KEY_2: "f" },
      ["mine:groq e,f @https://y"],
      [],
    ],
    [
      "explicit fields of a renamed provider win, and what they hide is told",
      "mine: {type: groq, api_key: y, base_url: 'https://y'}",
      { GROQ_API_KEY: "e", GROQ_BASE_URL: "https://e" },
      ["mine:groq y @https://y"],
      [
        "warning GROQ_API_KEY: is ignored: providers.mine has its own api_key",
        "warning GROQ_BASE_URL: is ignored: providers.mine has its own base_url",
      ],
    ],
    [
      "a renamed provider that refers to the variable hides nothing",
      "mine:\n    type: groq\n    api_key: ${GROQ_API_KEY}",
      { GROQ_API_KEY: "e" },
      ["mine:groq e @https://api.groq.com/openai/v1"],
      [],
    ],
    [
      "with two renamed providers bare variables make a third",
      "a: {type: groq, api_key: x}\n  b: {type: groq, api_key: y}",
      { GROQ_API_KEY: "e" },
      [
        "a:groq x @https://api.groq.com/openai/v1",
        "b:groq y @https://api.groq.com/openai/v1",
        "groq:groq e @https://api.groq.com/openai/v1",
      ],
      [],
    ],
    [
      "the vendor's key does not travel to another host",
      "lmstudio: {type: openai, base_url: 'http://localhost:1234/v1'}",
      { OPENAI_API_KEY: "e" },
      ["lmstudio:openai  @http://localhost:1234/v1", "openai:openai e @https://api.openai.com/v1"],
      [],
    ],
    [
      "a provider of another type under the type's name keeps its fields",
      "groq: {type: vllm}",
      { GROQ_API_KEY: "e" },
      ["groq:vllm  @http://localhost:8000/v1"],
      ['warning GROQ_API_KEY: is ignored: the provider "groq" has another type'],
    ],
  ])("%s", (_, block, env, expected, lines) => {
    const texts = { yaml: `providers:\n  ${block}\n`, env };
    expect(summary(texts)).toEqual(expected);
    expect(problemLines(texts)).toEqual(lines);
  });
});

describe("YAML providers", () => {
  test("a block may be empty where the type needs nothing and is the name", () => {
    expect(summary({ yaml: "providers:\n  vllm:\n" })).toEqual(["vllm:vllm  @http://localhost:8000/v1"]);
  });

  test("api_key comes before api_keys, doubles go", () => {
    expect(summary({ yaml: "providers: {groq: {api_key: a, api_keys: [b, a, c]}}" })).toEqual([
      "groq:groq a,b,c @https://api.groq.com/openai/v1",
    ]);
  });

  test("headers, context window and prices are taken over", () => {
    const yaml = `providers:
  vllm:
    custom_upstream_headers: { X-Team: a, X-B: 5 }
    models:
      - plain
      - id: priced
        metadata:
          context_window: 128000
          pricing:
            currency: USD
            input_per_mtok: 1.25
            output_per_mtok: 10
            cached_input_per_mtok: 0
            per_request: 0.01
            tiers:
              - { up_to_mtok: 0.2, input_per_mtok: 1.25 }
              - { input_per_mtok: 2.5, output_per_mtok: 15 }
`;
    expect(loaded({ yaml }).config.providers[0]).toMatchObject({
      customUpstreamHeaders: [
        ["X-Team", "a"],
        ["X-B", "5"],
      ],
      models: [
        { id: "plain", price: undefined, contextWindow: undefined },
        {
          id: "priced",
          contextWindow: 128_000,
          price: {
            inputPerMtok: 1.25,
            outputPerMtok: 10,
            cachedInputPerMtok: 0,
            perRequest: 0.01,
            tiers: [
              { fromInputTokens: 0, inputPerMtok: 1.25 },
              { fromInputTokens: 200_001, inputPerMtok: 2.5, outputPerMtok: 15 },
            ],
          },
        },
      ],
    });
  });

  test.each([
    [
      "groq: {}",
      'warning config.yaml:2 providers.groq: provider "groq" is left out: it has no api_key; give one or set GROQ_API_KEY',
    ],
    ["g: {type: groq}", 'warning config.yaml:2 providers.g: provider "g" is left out: it has no api_key; give one'],
    [
      "openai: {type: openai}",
      'warning config.yaml:2 providers.openai: provider "openai" is left out: it has no api_key; give one or set OPENAI_API_KEY',
    ],
    [
      "vllm: {proxy_url: 'ftp://h'}",
      'warning config.yaml:2 providers.vllm.proxy_url: provider "vllm" is left out: proxy_url "ftp://h" must begin with http://, https://, socks5://, socks5h://',
    ],
    [
      "vllm: {proxy_url: 'http://h/x'}",
      'warning config.yaml:2 providers.vllm.proxy_url: provider "vllm" is left out: proxy_url "http://h/x" must end after the host and port',
    ],
    [
      "vllm: {proxy_url: nonsense}",
      'warning config.yaml:2 providers.vllm.proxy_url: provider "vllm" is left out: proxy_url "nonsense" is not an address such as socks5://host:1080',
    ],
  ])("%s is left out with a warning", (block, line) => {
    const yaml = `providers:\n  ${block}\n`;
    expect(summary({ yaml })).toEqual([]);
    expect(problemLines({ yaml })).toEqual([line]);
  });

  test.each([
    ["a/b: {type: vllm}", 'providers.a/b: "a/b" is not a provider name; it must not be empty and not contain /'],
    ['"": {type: vllm}', 'providers.: "" is not a provider name; it must not be empty and not contain /'],
    [
      "x: {type: opnai}",
      'providers.x.type: "opnai" is not a provider type; allowed: openai, azure, groq, ollama, vllm; did you mean "openai"?',
    ],
    ["x: {api_key: k}", 'providers.x: "type" is missing; allowed: openai, azure, groq, ollama, vllm'],
    [
      "x: {type: anthropic}",
      'providers.x.type: provider type "anthropic" is not in this version yet; allowed: openai, azure, groq, ollama, vllm',
    ],
    ["azure: {api_key: k}", 'providers.azure: "base_url" is missing; type azure has no default'],
    [
      "vllm: {base_url: localhost}",
      'providers.vllm.base_url: "localhost" is not an http or https address such as https://api.example.com/v1',
    ],
    ["vllm: {base_url: 'http://h/v1?x=1'}", 'providers.vllm.base_url: "http://h/v1?x=1" must not contain ? or #'],
    [
      "vllm: {custom_upstream_headers: {'X A': b}}",
      'providers.vllm.custom_upstream_headers.X A: "X A" is not a header name',
    ],
    [
      "vllm: {custom_upstream_headers: {Host: b}}",
      'providers.vllm.custom_upstream_headers.Host: the header "Host" is set for each call and cannot be configured',
    ],
    ["vllm: {models: [{metadata: {}}]}", 'providers.vllm.models[0]: "id" is missing'],
    [
      "vllm: {models: [{id: a, metadata: {pricing: {input_per_mtok: -1}}}]}",
      'providers.vllm.models[0].metadata.pricing.input_per_mtok: "-1" is not a number of 0 or more',
    ],
    [
      "vllm: {models: [{id: a, metadata: {pricing: {currency: EUR}}}]}",
      'providers.vllm.models[0].metadata.pricing.currency: "EUR" is not a currency that prices can be in; allowed: USD',
    ],
    [
      "vllm: {models: [{id: a, metadata: {pricing: {tiers: [{input_per_mtok: 1}, {up_to_mtok: 1}]}}}]}",
      "providers.vllm.models[0].metadata.pricing.tiers: tiers must ascend by up_to_mtok; only the last one may leave it out",
    ],
    ["vllm: {retries: many}", 'providers.vllm.retries: "many" is not a whole number of 0 or more'],
    ["vllm: 5", "providers.vllm: must be a map of settings, not a single value"],
  ])("%s stops the start", (block, line) => {
    expect(problemLines({ yaml: `providers:\n  ${block}\n` })).toEqual([`error config.yaml:2 ${line}`]);
  });

  test.each([
    [
      "openai: {api_key: k, api_version: x}",
      "providers.openai.api_version: has no effect: type openai has no API versions",
    ],
    ["vllm: {models: [a, a]}", 'providers.vllm.models[1]: "a" is listed twice; the first one counts'],
  ])("%s is a warning", (block, line) => {
    expect(problemLines({ yaml: `providers:\n  ${block}\n` })).toEqual([`warning config.yaml:2 ${line}`]);
    expect(summary({ yaml: `providers:\n  ${block}\n` })).toHaveLength(1);
  });

  test("a type of a later version is a warning with CONFIG_STRICT=false", () => {
    const texts = { yaml: "providers:\n  x: {type: cohere}\n", env: { CONFIG_STRICT: "false" } };
    expect(problemLines(texts)).toEqual([
      'warning config.yaml:2 providers.x.type: provider type "cohere" is not in this version yet; allowed: openai, azure, groq, ollama, vllm',
    ]);
    expect(summary(texts)).toEqual([]);
  });
});
