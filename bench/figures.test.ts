import { expect, test } from "bun:test";
import { figuresOf, verdictsOf } from "./figures.ts";
import type { Round, ScenarioResult } from "./run-scenario.ts";
import { scenarios } from "./scenarios.ts";

function round(cpuMicroseconds: number, p50Ms: number, wrong = 0): Round {
  const load = { answers: 100, wrong, seconds: 2, p50Ms, p99Ms: p50Ms * 2 };
  return { load, cpuMicroseconds, mainThreadMicroseconds: cpuMicroseconds, megabytes: cpuMicroseconds };
}

function result(gateway: readonly Round[]): ScenarioResult {
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error("there is no scenario");
  return {
    scenario,
    loadBy: "own",
    rounds: new Map([
      ["straight", [round(Number.NaN, 1)]],
      ["fetch proxy", [round(40, 2), round(80, 4), round(40, 2)]],
      ["gateway", gateway],
    ]),
  };
}

const gatewayRounds = [round(60, 3), round(120, 6), round(100, 5)];

test("the ratio is the median of what each round has, not of the medians", () => {
  const gateway = figuresOf(result(gatewayRounds)).at(-1);
  expect(gateway).toMatchObject({ ratio: 1.5, cpuMicroseconds: 100, perSecond: 50, megabytes: 120 });
});

test("latency is told over the way straight to the upstream", () => {
  expect(figuresOf(result(gatewayRounds)).map(({ addedP50Ms }) => addedP50Ms)).toEqual([0, 1, 4]);
});

test("a ratio within its target is ok, memory beyond its target is missed", () => {
  const measured = result(gatewayRounds);
  expect(verdictsOf(measured, figuresOf(measured))).toMatchObject([
    { value: "1.50", target: "2.0", ok: true },
    { value: "120", target: "90", ok: false },
  ]);
});

test("wrong answers are a miss of their own", () => {
  const measured = result([round(60, 3, 7)]);
  expect(verdictsOf(measured, figuresOf(measured)).at(-1)).toMatchObject({
    what: "small: wrong answers of gateway",
    value: "7",
    ok: false,
  });
});

test("paced streams that fell behind their pace prove nothing", () => {
  const paced = scenarios.find(({ name }) => name === "paced");
  if (paced === undefined) throw new Error("there is no paced scenario");
  const slow = { ...round(40, 3), load: { answers: 90, wrong: 0, seconds: 2, p50Ms: 3, p99Ms: 6 } };
  const measured = { ...result([slow]), scenario: paced };
  expect(verdictsOf(measured, figuresOf(measured))).toMatchObject([{ value: "1.00", ok: false }]);
});
