import { describe, expect, test } from "bun:test";
import { defaultBreaker, defaultFailover, defaultRetry } from "../../test/support/fake-provider.ts";
import { Failure, type FailureOrigin } from "../core/failure.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Route } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";
import { goesOnAfter, nextTurn } from "./next-turn.ts";

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

/** So many attempts are in the last of these turns. */
function withAttempts(turns: readonly Turn[], count: number): readonly Turn[] {
  const attempt = { kind: "first", startedAt: 0, durationMs: 0, firstEventMs: undefined } as const;
  const failed = { ...attempt, outcome: "failed", statusCode: 503, failure: undefined } as const;
  turns.at(-1)?.attempts.push(...Array.from({ length: count }, () => ({ ...failed })));
  return turns;
}

/** Providers that allow so many attempts of one request. */
function capped(caps: Readonly<Record<string, number>>) {
  const resilienceOf = (most: number) => ({
    retry: defaultRetry,
    breaker: defaultBreaker,
    maxAttemptsPerRequest: most,
  });
  return new Map(Object.entries(caps).map(([name, most]) => [name, { resilience: resilienceOf(most) }]));
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
    const begun = (failure: Failure, streamRecovery: Route["streamRecovery"] = "continue"): string => {
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
      const next = nextTurn({ ...route, streamRecovery }, [turn], failure, defaultFailover, new Map());
      return next instanceof Failure ? "give-up" : next.providerName;
    };
    expect(begun(failureOf("status", 400))).toBe("b");
    expect(begun(failureOf("status", 401))).toBe("b");
    expect(begun(failureOf("status", 401), "buffer")).toBe("b");
    expect(begun(failureOf("status", 401), "off")).toBe("give-up");
    const refusal = { origin: "status", status: 400, type: "provider_error", message: "x" } as const;
    expect(begun(new Failure({ ...refusal, code: "content_filter" }))).toBe("give-up");
  });

  test("what fails before its first event must be eligible, also where streams are recovered", () => {
    for (const streamRecovery of ["off", "continue", "buffer"] as const) {
      const failure = failureOf("status", 400);
      const turns = withAttempts(turnsOf("failed"), 1);
      expect(nextTurn({ ...route, streamRecovery }, turns, failure, defaultFailover, new Map())).toBe(failure);
    }
  });

  test("the first turn and skipped ones are no attempt of max_attempts", () => {
    const failure = failureOf("circuit-open");
    expect(after(["failed", "skipped"], failure, { maxAttempts: 1 })).toBe("c");
    expect(after(["skipped", "skipped", "skipped"], failure, { maxAttempts: 1 })).toBe("d");
    expect(after(["failed", "failed"], failure, { maxAttempts: 1 })).toBe("give-up");
    expect(after(["failed", "failed", "skipped"], failure, { maxAttempts: 2 })).toBe("d");
  });
});

describe("targets whose provider allows no further attempt", () => {
  const failure = failureOf("status");
  const next = (attempts: number, caps: Record<string, number>): Target | Failure =>
    nextTurn(route, withAttempts(turnsOf("failed"), attempts), failure, defaultFailover, capped(caps));

  test("are passed over", () => {
    expect(next(4, { b: 4, c: 5, d: 0 })).toBe(targets[2]!);
    expect(next(5, { b: 4, c: 5, d: 0 })).toBe(targets[3]!);
    expect(next(3, { b: 4, c: 5, d: 0 })).toBe(targets[1]!);
  });

  test("leave the failure when there is no other", () => {
    expect(next(4, { b: 4, c: 4, d: 4 })).toBe(failure);
  });

  test("are no turn: the one after the last turn's target is next", () => {
    const turns = [...turnsOf("failed"), { ...turnsOf("failed")[0]!, target: targets[2]! }];
    expect(nextTurn(route, turns, failure, defaultFailover, capped({}))).toBe(targets[3]!);
  });
});

describe("whether another target is left", () => {
  const timeout = failureOf("timeout", 504);
  const left = (details: {
    turns?: readonly Turn[];
    failure?: Failure;
    attempts?: number;
    policy?: Partial<FailoverPolicy>;
    caps?: Record<string, number>;
    closed?: readonly string[];
    route?: typeof route;
  }): boolean =>
    goesOnAfter(
      details.failure ?? timeout,
      details.attempts ?? 1,
      details.route ?? route,
      details.turns ?? turnsOf("running"),
      {
        failover: { ...defaultFailover, ...details.policy },
        providers: capped(details.caps ?? {}),
        admission: { admits: ({ providerName }) => (details.closed ?? ["a", "b", "c", "d"]).includes(providerName) },
      },
    );

  test.each([
    [true, "during the first turn", {}],
    [true, "during the third turn", { turns: turnsOf("failed", "failed", "running") }],
    [false, "during the last turn", { turns: turnsOf("failed", "failed", "failed", "running") }],
    [false, "with failover off", { policy: { enabled: false } }],
    [false, "for a virtual model that only distributes", { route: { ...route, failover: false } }],
    [false, "for a route of one target", { route: { ...route, targets: targets.slice(0, 1) } }],
    [false, "when the failure would not fail over", { failure: failureOf("status", 400) }],
    [
      true,
      "in a later turn, when it would not",
      { failure: failureOf("status", 400), turns: turnsOf("failed", "running") },
    ],
    [true, "with max_attempts to go", { policy: { maxAttempts: 1 } }],
    [
      false,
      "when max_attempts end with this turn",
      { policy: { maxAttempts: 1 }, turns: turnsOf("failed", "running") },
    ],
    [true, "when only the last one's circuit is closed", { closed: ["a", "d"] }],
    [false, "when all other circuits are open", { closed: ["a"] }],
    [true, "when one may have an attempt more", { attempts: 5, caps: { b: 5, c: 6, d: 5 } }],
    [false, "when none may", { attempts: 6, caps: { b: 5, c: 6, d: 6 } }],
    [
      false,
      "when the one that may has an open circuit",
      { attempts: 5, caps: { b: 5, c: 6, d: 5 }, closed: ["b", "d"] },
    ],
  ] as const)("%p %s", (expected, _, details) => {
    expect(left(details)).toBe(expected);
  });
});
