import { expect, test } from "bun:test";
import { readCommandLine } from "./command-line.ts";
import { scenarios } from "./scenarios.ts";

test("without options every scenario is compared", () => {
  expect(readCommandLine([])).toMatchObject({ task: "compare", names: scenarios.map(({ name }) => name), rounds: 3 });
});

test("a quick run has fewer scenarios and leaves wrk out, which counts in seconds", () => {
  const { names, useWrk } = readCommandLine(["--quick"]);
  expect(names).toEqual(["small", "20k", "burst", "paced", "failover", "messages-to-chat"]);
  expect(useWrk).toBe(false);
});

test("--only may be given several times", () => {
  expect(readCommandLine(["--only", "off", "--only", "burst"]).names).toEqual(["off", "burst"]);
});

test("--profile names the scenario to look into", () => {
  expect(readCommandLine(["--profile", "failover"])).toMatchObject({ task: "profile", names: ["failover"] });
});

test("a scenario that does not exist is answered with those that do", () => {
  expect(() => readCommandLine(["--only", "smal"])).toThrow('there is no scenario "smal", only small, 20k, burst');
});

test("rounds are a whole number from 1", () => {
  expect(() => readCommandLine(["--rounds", "0"])).toThrow('--rounds "0" is not a number of rounds');
});
