import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { Failure, type FailureOrigin } from "../core/failure.ts";
import type { Turn } from "../core/turn.ts";
import { createRequestHealth } from "./request-health.ts";

function turn(model: string, outcome: Turn["outcome"], origin?: FailureOrigin, status = 500): Turn {
  return {
    target: { providerName: "p", model },
    startedAt: 0,
    attempts: [],
    outcome,
    failure: origin && new Failure({ origin, status, type: "provider_error", message: "failed" }),
    committed: false,
    establishedMs: undefined,
  };
}

function setUp() {
  const clock = new FakeClock();
  return { clock, health: createRequestHealth(clock) };
}

describe("request health", () => {
  const counted: readonly (readonly [Turn["outcome"], FailureOrigin | undefined, requests: number, errors: number])[] =
    [
      ["succeeded", undefined, 1, 0],
      ["failed", "status", 1, 1],
      ["failed", "answer", 1, 1],
      ["failed", "transport", 1, 1],
      ["failed", "timeout", 1, 1],
      ["failed", undefined, 1, 1],
      ["truncated", "answer", 1, 1],
      ["failed", "request", 0, 0],
      ["failed", "deadline", 0, 0],
      ["truncated", "drain", 0, 0],
      ["failed", "bug", 0, 0],
      ["skipped", "circuit-open", 0, 0],
      ["skipped", "no-breaker-slot", 0, 0],
      ["cancelled", "cancelled", 0, 0],
      ["running", undefined, 0, 0],
    ];
  for (const [outcome, origin, requests, errors] of counted) {
    test(`a turn that ${outcome}${origin === undefined ? "" : ` (${origin})`} is ${requests} request and ${errors} error`, () => {
      const { health } = setUp();
      health.turnEnd(turn("m", outcome, origin));
      expect(health.ofProvider("p")).toMatchObject({ requests, errors });
    });
  }

  test("sums up its models, busiest first", () => {
    const { health } = setUp();
    health.turnEnd(turn("b", "succeeded"));
    health.turnEnd(turn("a", "failed", "status", 404));
    health.turnEnd(turn("c", "succeeded"));
    health.turnEnd(turn("c", "failed", "timeout"));
    expect(health.ofProvider("p")).toEqual({
      windowSeconds: 600,
      requests: 4,
      errors: 2,
      models: [
        { model: "c", requests: 2, errors: 1 },
        { model: "a", requests: 1, errors: 1 },
        { model: "b", requests: 1, errors: 0 },
      ],
      degraded: false,
    });
  });

  test("a provider without outcomes is empty and fine", () => {
    expect(setUp().health.ofProvider("p")).toEqual({
      windowSeconds: 600,
      requests: 0,
      errors: 0,
      models: [],
      degraded: false,
    });
  });

  const degraded: readonly (readonly [successes: number, errors: number, expected: boolean])[] = [
    [0, 2, false],
    [0, 3, true],
    [3, 3, true],
    [4, 3, false],
    [97, 96, false],
    [96, 96, true],
  ];
  for (const [successes, errors, expected] of degraded) {
    test(`${errors} errors beside ${successes} successes of one model are ${expected ? "" : "not "}degraded`, () => {
      const { health } = setUp();
      for (let count = 0; count < successes; count++) health.turnEnd(turn("m", "succeeded"));
      for (let count = 0; count < errors; count++) health.turnEnd(turn("m", "failed", "status", 400));
      expect(health.ofProvider("p").degraded).toBe(expected);
    });
  }

  test("errors of two models are not added up for degraded", () => {
    const { health } = setUp();
    for (const model of ["a", "b", "a", "b"]) health.turnEnd(turn(model, "failed", "status"));
    expect(health.ofProvider("p").degraded).toBe(false);
  });

  test("an outcome is forgotten after ten minutes, and not before nine and a half", () => {
    const { clock, health } = setUp();
    clock.tick(29_999);
    health.turnEnd(turn("m", "succeeded"));
    clock.tick(570_000);
    expect(health.ofProvider("p").requests).toBe(1);
    clock.tick(30_000);
    expect(health.ofProvider("p")).toMatchObject({ requests: 0, models: [] });
  });

  test("old outcomes go while new ones come, also after a long silence", () => {
    const { clock, health } = setUp();
    for (let minute = 0; minute < 30; minute++) {
      health.turnEnd(turn("m", "succeeded"));
      clock.tick(60_000);
    }
    expect(health.ofProvider("p").requests).toBe(9);
    clock.tick(86_400_000);
    health.turnEnd(turn("m", "succeeded"));
    expect(health.ofProvider("p").requests).toBe(1);
  });

  test("keeps 1024 models, the ones used last", () => {
    const { health } = setUp();
    for (let index = 0; index < 1024; index++) health.turnEnd(turn(`m${index}`, "succeeded"));
    health.turnEnd(turn("m0", "succeeded"));
    health.turnEnd(turn("new", "succeeded"));
    const models = health.ofProvider("p").models.map(({ model }) => model);
    expect(models).toHaveLength(1024);
    expect(models).toContain("m0");
    expect(models).toContain("new");
    expect(models).not.toContain("m1");
  });
});
