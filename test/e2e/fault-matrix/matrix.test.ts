// The fault matrix, short: every form of every fault in chat completions, alone, with a healthy second target, and with all targets faulty.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faults, faultsIn } from "../../../src/upstream-simulator/faults.ts";
import { cells, formsIn } from "./cell.ts";
import { runCells, type MatrixResult } from "./run-cells.ts";
import { decidesIn, rules } from "./rules.ts";
import { dialects } from "./speakers.ts";

describe("the rule table", () => {
  test("speaks of every fault once, and of nothing else", () => {
    const names = new Set(dialects.flatMap((dialect) => faultsIn(dialect).map(({ name }) => name)));
    expect(rules.flatMap((rule) => rule.faults).toSorted()).toEqual([...names].toSorted());
  });

  test.each(dialects)("says of %s how each fault ends in all the modes that it has there", (dialect) => {
    const silent = formsIn(dialect).filter(({ fault, mode }) => !decidesIn(fault, mode, dialect));
    expect(silent.map(({ example, mode }) => [example, mode])).toEqual([]);
  });
});

describe("every cell ends as the rule table says", () => {
  const contexts = ["alone", "second target healthy", "all targets faulty"] as const;
  const asks = ["chat-completions"] as const;
  const all = [
    ...cells({ contexts, asks, callers: ["stays"] }),
    // What only the caller can end.
    ...cells({ contexts, asks, callers: ["leaves while held"], firstNumber: 10_000 }).filter(
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
    expect(result.cells).toBe(formsIn("chat-completions").length * contexts.length);
  });

  test("no connection is left, nothing is thrown past a request, and no bug is logged", () => {
    expect(result.trouble).toEqual([]);
  });
});
