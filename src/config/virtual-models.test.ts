import { describe, expect, test } from "bun:test";
import { loaded, problemLines } from "../../test/support/load-config.ts";

const target = (model: string, provider?: string, weight = 1) => ({ model, provider, weight });

test("targets are texts or maps, alone or in a list, and defaults are filled in", () => {
  const yaml = `providers: {vllm: {}}
virtual_models:
  - source: smart
    strategy: failover
    description: The best
    targets:
      - vllm/a
      - { model: b, provider: vllm, weight: 2.5 }
  - source: alias
    target: vllm/a
  - source: spread
    target: { model: a, provider: vllm }
    failover: false
    enabled: false
  - source: off
    enabled: false
  - source: many
    targets: [a, b]
    strategy: cost
`;
  expect(loaded({ yaml }).config.virtualModels).toEqual([
    {
      source: "smart",
      strategy: "failover",
      targets: [target("vllm/a"), target("b", "vllm", 2.5)],
      failover: true,
      streamRecovery: "off",
      description: "The best",
      enabled: true,
      declaredAt: "config.yaml:3 virtual_models[0]",
    },
    {
      source: "alias",
      strategy: "round_robin",
      targets: [target("vllm/a")],
      failover: true,
      streamRecovery: "off",
      description: undefined,
      enabled: true,
      declaredAt: "config.yaml:9 virtual_models[1]",
    },
    {
      source: "spread",
      strategy: "round_robin",
      targets: [target("a", "vllm")],
      failover: false,
      streamRecovery: "off",
      description: undefined,
      enabled: false,
      declaredAt: "config.yaml:11 virtual_models[2]",
    },
    {
      source: "off",
      strategy: "round_robin",
      targets: [],
      failover: true,
      streamRecovery: "off",
      description: undefined,
      enabled: false,
      declaredAt: "config.yaml:15 virtual_models[3]",
    },
    {
      source: "many",
      strategy: "cost",
      targets: [target("a"), target("b")],
      failover: true,
      streamRecovery: "off",
      description: undefined,
      enabled: true,
      declaredAt: "config.yaml:17 virtual_models[4]",
    },
  ]);
  expect(problemLines({ yaml })).toEqual([]);
});

describe("VIRTUAL_MODELS", () => {
  test("wins source by source: replaced in place, the rest follows", () => {
    const yaml = "virtual_models:\n  - {source: a, target: old}\n  - {source: b, target: kept}\n";
    const env = {
      VIRTUAL_MODELS: '[{"source":"c","target":"new"},{"source":"a","targets":[{"model":"x","weight":3}]}]',
    };
    const { virtualModels } = loaded({ yaml, env }).config;
    expect(virtualModels.map(({ source, targets, declaredAt }) => [source, targets[0]?.model, declaredAt])).toEqual([
      ["a", "x", "VIRTUAL_MODELS[1]"],
      ["b", "kept", "config.yaml:3 virtual_models[1]"],
      ["c", "new", "VIRTUAL_MODELS[0]"],
    ]);
  });

  test("keeps types apart from texts: a JSON true is true", () => {
    const env = { VIRTUAL_MODELS: '[{"source":"a","target":"b","failover":false,"description":null}]' };
    expect(loaded({ env }).config.virtualModels[0]).toMatchObject({ failover: false, description: undefined });
  });
});

describe("what stops the start", () => {
  test.each([
    [
      "- {source: a, target: b, strategy: adaptive}",
      'virtual_models[0].strategy: "adaptive" is not in this version yet; allowed: round_robin, cost, failover',
    ],
    [
      "- {source: a, target: b, strategy: round-robin-ish}",
      'virtual_models[0].strategy: "round-robin-ish" is not a strategy; allowed: round_robin, cost, failover',
    ],
    [
      "- {source: a}",
      'virtual_models[0]: "a" has no targets; give target or targets, or enabled: false to switch that name off (access policies are not in this version yet)',
    ],
    [
      "- {source: a, targets: []}",
      'virtual_models[0]: "a" has no targets; give target or targets, or enabled: false to switch that name off (access policies are not in this version yet)',
    ],
    ["- {target: b}", 'virtual_models[0]: "source" is missing'],
    ["- {source: a, targets: [{weight: 2}]}", 'virtual_models[0].targets[0]: "model" is missing'],
    ["- {source: a, target: b, targets: [c]}", "virtual_models[0].targets: give either target or targets, not both"],
    ["- {source: a, targets: [a]}", 'virtual_models[0]: the only target of "a" is itself; add another target'],
    ["- {source: a, targets: [a, a]}", 'virtual_models[0]: the only target of "a" is itself; add another target'],
    [
      "- {source: vllm/m, target: {model: m, provider: vllm}}",
      'virtual_models[0]: the only target of "vllm/m" is itself; add another target',
    ],
    [
      "- {source: a, targets: [{model: b, weight: 0}]}",
      'virtual_models[0].targets[0].weight: "0" is not a number greater than 0',
    ],
    [
      "- {source: a, target: {model: b, provider: vlm}}",
      'virtual_models[0].target.provider: "vlm" is not a configured provider; configured: vllm; did you mean "vllm"?',
    ],
    ["- just-a-name", "virtual_models[0]: must be a map of settings, not a single value"],
  ])("%s", (row, line) => {
    expect(problemLines({ yaml: `providers: {vllm: {}}\nvirtual_models:\n  ${row}\n` })).toEqual([
      `error config.yaml:3 ${line}`,
    ]);
  });

  test("the same source twice, naming the first place", () => {
    const yaml = "virtual_models:\n  - {source: a, target: b}\n  - {source: a, target: c}\n";
    expect(problemLines({ yaml })).toEqual([
      'error config.yaml:3 virtual_models[1].source: "a" is declared twice; the first time at config.yaml:2 virtual_models[0]',
    ]);
  });
});

describe("what does not", () => {
  test("a target named like its source beside others", () => {
    const yaml = "virtual_models:\n  - {source: a, targets: [a, b]}\n";
    expect(problemLines({ yaml })).toEqual([]);
  });

  test("a provider that is declared but has no credentials is a warning", () => {
    const yaml = "providers: {groq: {}}\nvirtual_models:\n  - {source: a, target: {model: b, provider: groq}}\n";
    expect(problemLines({ yaml })).toEqual([
      'warning config.yaml:1 providers.groq: provider "groq" is left out: it has no api_key; give one or set GROQ_API_KEY',
      'warning config.yaml:3 virtual_models[0].target.provider: provider "groq" cannot be called now, so this target is left out',
    ]);
  });

  test("a target whose model nobody knows", () => {
    expect(problemLines({ yaml: "virtual_models:\n  - {source: a, target: nobody/knows}\n" })).toEqual([]);
  });

  test("failover: false with the strategy failover has no effect and a warning", () => {
    const yaml = "virtual_models:\n  - {source: a, targets: [b, c], strategy: failover, failover: false}\n";
    expect(loaded({ yaml }).config.virtualModels[0]?.failover).toBe(true);
    expect(problemLines({ yaml })).toEqual([
      "warning config.yaml:2 virtual_models[0].failover: has no effect: the strategy failover always fails over",
    ]);
  });
});
