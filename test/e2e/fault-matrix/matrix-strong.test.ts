// The fault matrix under `resilience.profile: strong`, short: one form of every way to end, in the surroundings where the profile decides something.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cells, type Cell } from "./cell.ts";
import { expected } from "./expected.ts";
import { runCells, type MatrixResult } from "./run-cells.ts";
import { isChatAlone, oneOfEachKind } from "./sample.ts";
import type { Context } from "./surroundings.ts";

const contexts: readonly Context[] = [
  "alone",
  "second target healthy",
  "second target says something else",
  "second breaker open",
  "all targets faulty",
];

const everywhere = cells({ resilience: "strong", contexts, callers: ["stays"], firstNumber: 20_000 });

describe("what strong promises, by the rule table", () => {
  const always = ["finish reason delivered", "reasoning delivered", "tool call delivered"];
  const ofCaller = "status of the caller's own request";
  const unlike = "text that the second target does not say";

  test.each([
    ["chat-completions", [...always, "several choices delivered", ofCaller, unlike]],
    ["responses", [...always, ofCaller]],
    ["messages", [...always, ofCaller]],
  ] as const)(
    "a healthy second target makes every answer of %s whole, except to what the caller has to change and to what cannot be gone on with",
    (asks, kinds) => {
      const reasons = new Map<string, string[]>();
      for (const cell of everywhere) {
        if (cell.context !== "second target healthy" || cell.asks !== asks) continue;
        if (expected(cell).final.kind === "whole") continue;
        const reason = reasonOf(cell);
        reasons.set(reason, [...(reasons.get(reason) ?? []), cell.example]);
      }
      expect(new Set(reasons.keys())).toEqual(new Set(kinds));
      expect(reasons.get(unlike) ?? ["finish-error"]).toEqual(["finish-error"]);
    },
  );
});

function reasonOf({ targets }: Cell): string {
  const ending = targets[0]?.ending;
  if (ending?.kind === "failed") {
    return ending.status >= 400 && ending.status < 500 ? "status of the caller's own request" : `a ${ending.status}`;
  }
  const obstacle = ending?.kind === "truncated" || ending?.kind === "in-band" ? ending.obstacle : undefined;
  return obstacle === undefined ? "text that the second target does not say" : `${obstacle} delivered`;
}

describe("every cell ends as the rule table says", () => {
  const all = oneOfEachKind(everywhere.filter(isChatAlone));
  let result: MatrixResult;
  beforeAll(async () => {
    result = await runCells(all);
  }, 120_000);
  afterAll(() => {
    console.log(`${result.cells} cells under strong, ${result.wrong.size} wrong, ${Math.round(result.ms / 1000)} s`);
  });

  test.each(contexts)("%s", (context) => {
    const names = new Set(all.filter((cell) => cell.context === context).map(({ name }) => name));
    expect(names.size).toBeGreaterThan(0);
    expect([...result.wrong].filter(([name]) => names.has(name))).toEqual([]);
  });

  test("each outcome of a recovery is among them", () => {
    const outcomes = new Set(all.map((cell) => expected(cell).recovery ?? "none"));
    expect(outcomes).toEqual(new Set(["none", "recovered", "impossible", "diverged", "exhausted"]));
  });

  test("no connection is left, nothing is thrown past a request, and no bug is logged", () => {
    expect(result.trouble).toEqual([]);
  });
});
