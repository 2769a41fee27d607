import { describe, expect, test } from "bun:test";
import { defaultFailover } from "../../test/support/fake-provider.ts";
import { Failure, type FailureOrigin } from "../core/failure.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";
import { nextTurn } from "./next-turn.ts";

const targets: readonly Target[] = ["a", "b", "c", "d"].map((providerName) => ({ providerName, model: "m" }));
const route = { virtualModel: "vm", targets, failover: true, streamRecovery: "off" as const };

function failureOf(origin: FailureOrigin, status = 503): Failure {
  return new Failure({ origin, status, type: "provider_error", message: "x" });
}

/** Turns that ended so, in the order of the targets. */
function turnsOf(...outcomes: readonly Turn["outcome"][]): Turn[] {
  return outcomes.map((outcome, index) => ({
    target: targets[index] ?? { providerName: "z", model: "m" },
    startedAt: 0,
    attempts: [],
    outcome,
    failure: undefined,
    committed: false,
    establishedMs: undefined,
  }));
}

function after(outcomes: readonly Turn["outcome"][], failure: Failure, policy: Partial<FailoverPolicy> = {}): string {
  const next = nextTurn(route, turnsOf(...outcomes), failure, { ...defaultFailover, ...policy }, new Map());
  return next instanceof Failure ? "give-up" : next.providerName;
}

describe("whose turn is next", () => {
  test("the first target's before any failure", () => {
    expect(nextTurn(route, [], undefined, defaultFailover, new Map())).toBe(targets[0]!);
  });

  test("a route without targets is a mistake of ours", () => {
    expect(() => nextTurn({ ...route, targets: [] }, [], undefined, defaultFailover, new Map())).toThrow(
      "a route has at least one target",
    );
  });

  test("the next target's after a failure, and nobody's after the last one", () => {
    const failure = failureOf("status");
    expect(after(["failed"], failure)).toBe("b");
    expect(after(["failed", "failed", "failed"], failure)).toBe("d");
    expect(after(["failed", "failed", "failed", "failed"], failure)).toBe("give-up");
  });

  const ending: Record<FailureOrigin, boolean> = {
    cancelled: true,
    deadline: true,
    drain: true,
    bug: true,
    diverged: true,
    request: false,
    status: false,
    answer: false,
    transport: false,
    timeout: false,
    "circuit-open": false,
    "no-breaker-slot": false,
  };
  for (const origin of Object.keys(ending) as FailureOrigin[]) {
    test(`a second turn that ends with ${origin} ${ending[origin] ? "ends the sweep" : "goes on to the third target"}`, () => {
      expect(after(["failed", "failed"], failureOf(origin))).toBe(ending[origin] ? "give-up" : "c");
    });
  }

  test("only the first turn's failure must be eligible", () => {
    expect(after(["failed"], failureOf("status", 400))).toBe("give-up");
    expect(after(["failed", "failed"], failureOf("status", 400))).toBe("c");
  });

  test("what breaks after its first event is another target's whatever its error's status, unless the content was refused", () => {
    const begun = (failure: Failure): string => {
      const [turn] = turnsOf("truncated");
      if (turn === undefined) throw new Error("no turn");
      turn.attempts.push({
        kind: "first",
        startedAt: 0,
        durationMs: 9,
        firstEventMs: 5,
        outcome: "failed",
        statusCode: 200,
        failure,
      });
      const next = nextTurn(route, [turn], failure, defaultFailover, new Map());
      return next instanceof Failure ? "give-up" : next.providerName;
    };
    expect(begun(failureOf("status", 400))).toBe("b");
    expect(begun(failureOf("status", 401))).toBe("b");
    const refusal = { origin: "status", status: 400, type: "provider_error", message: "x" } as const;
    expect(begun(new Failure({ ...refusal, code: "content_filter" }))).toBe("give-up");
  });

  test("the first turn and skipped ones are no attempt of max_attempts", () => {
    const failure = failureOf("circuit-open");
    expect(after(["failed", "skipped"], failure, { maxAttempts: 1 })).toBe("c");
    expect(after(["skipped", "skipped", "skipped"], failure, { maxAttempts: 1 })).toBe("d");
    expect(after(["failed", "failed"], failure, { maxAttempts: 1 })).toBe("give-up");
    expect(after(["failed", "failed", "skipped"], failure, { maxAttempts: 2 })).toBe("d");
  });
});
