// The fault matrix, short: every form of every fault, both modes, alone, with a healthy second target, and with all targets faulty.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faults } from "../../../src/upstream-simulator/faults.ts";
import { cells } from "./cell.ts";
import { runCells, type MatrixResult } from "./run-cells.ts";
import { rules } from "./rules.ts";

describe("the rule table", () => {
  test("speaks of every fault once, in all the modes that it has, and of nothing else", () => {
    const spoken = rules.flatMap((rule) => {
      const modes = [
        rule.buffered === undefined ? [] : ["buffered"],
        rule.stream === undefined ? [] : ["stream"],
      ].flat();
      return rule.faults.map((name) => [name, modes] as const);
    });
    const modesOf = new Map<string, readonly string[]>(faults.map(({ name, modes }) => [name, modes]));
    expect(spoken.map(([name]) => name).toSorted()).toEqual(faults.map(({ name }) => name).toSorted());
    for (const [name, modes] of spoken) {
      expect([name, modesOf.get(name)?.every((mode) => modes.includes(mode))]).toEqual([name, true]);
    }
  });
});

describe("every cell ends as the rule table says", () => {
  const contexts = ["alone", "second target healthy", "all targets faulty"] as const;
  const all = [
    ...cells({ contexts, callers: ["stays"] }),
    // What only the caller can end.
    ...cells({ contexts, callers: ["leaves while held"], firstNumber: 10_000 }).filter(
      ({ fault }) => fault.name === "heartbeats-middle",
    ),
  ];
  let result: MatrixResult;
  beforeAll(async () => {
    result = await runCells(all);
  }, 120_000);
  afterAll(() => {
    console.log(`${result.cells} cells, ${result.wrong.size} wrong, ${Math.round(result.ms / 1000)} s`);
  });

  test.each([...new Set(faults.map(({ group }) => group))])("%s", (group) => {
    const names = new Set(all.filter(({ fault }) => fault.group === group).map(({ name }) => name));
    expect(names.size).toBeGreaterThan(0);
    expect([...result.wrong].filter(([name]) => names.has(name))).toEqual([]);
  });

  test("each form of each fault ran in each of its modes and contexts", () => {
    const forms = faults.reduce((sum, { examples, modes }) => sum + examples.length * modes.length, 0);
    expect(result.cells).toBe(forms * contexts.length);
  });

  test("no connection is left, nothing is thrown past a request, and no bug is logged", () => {
    expect(result.trouble).toEqual([]);
  });
});
