import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import type { Permit, Refusal, Verdict } from "../core/admission.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

const settings = { failureThreshold: 5, successThreshold: 2, timeoutMs: 30_000 };

function setUp() {
  const clock = new FakeClock();
  const changes: string[] = [];
  const breaker = new CircuitBreaker(settings, clock, (from, to) => changes.push(`${from}>${to}`));
  const acquire = (): Permit => {
    const given = breaker.tryAcquire();
    if ("refused" in given) throw new Error(`refused: ${JSON.stringify(given)}`);
    return given;
  };
  const refusal = (): Refusal => {
    const given = breaker.tryAcquire();
    if (!("refused" in given)) throw new Error("admitted");
    return given;
  };
  const run = (verdict: Verdict, times = 1): void => {
    for (let n = 0; n < times; n++) acquire().settle(verdict);
  };
  const openIt = (): void => run("failure", 5);
  return { clock, breaker, changes, acquire, refusal, run, openIt };
}

describe("closed", () => {
  test("a success resets the count: four failures, a success and four failures leave it closed", () => {
    const { breaker, run } = setUp();
    run("failure", 4);
    run("success");
    run("failure", 4);
    expect(breaker.state).toBe("closed");
    run("failure");
    expect(breaker.state).toBe("open");
  });

  test("a verdict of none changes nothing", () => {
    const { breaker, run } = setUp();
    run("failure", 4);
    run("none", 100);
    run("failure");
    expect(breaker.state).toBe("open");
  });

  test("a permit counts once, whatever it is told later", () => {
    const { breaker, acquire, run } = setUp();
    run("failure", 3);
    const permit = acquire();
    permit.settle("failure");
    permit.settle("failure");
    permit.settle("success");
    expect(breaker.state).toBe("closed");
    expect(breaker.inFlight).toBe(0);
    run("failure");
    expect(breaker.state).toBe("open");
  });
});

describe("open", () => {
  test("refuses at once with the time that is left", () => {
    const { clock, openIt, refusal } = setUp();
    openIt();
    clock.tick(10_000);
    expect(refusal()).toEqual({ refused: "circuit-open", retryAfterMs: 20_000 });
  });

  test("one millisecond before the timeout it refuses, at the timeout it admits exactly one probe", () => {
    const { clock, breaker, openIt, refusal, acquire } = setUp();
    openIt();
    clock.tick(29_999);
    expect(refusal().retryAfterMs).toBe(1);
    clock.tick(1);
    expect(acquire().probe).toBe(true);
    expect(breaker.state).toBe("half-open");
    for (let n = 0; n < 10_000; n++) expect(breaker.tryAcquire()).toHaveProperty("refused");
  });

  test("late failures of calls from before do not move the moment it half-opens", () => {
    const { clock, acquire, openIt } = setUp();
    const old = Array.from({ length: 10 }, () => acquire());
    openIt();
    for (const permit of old) {
      clock.tick(1000);
      permit.settle("failure");
    }
    clock.tick(20_000);
    expect(acquire().probe).toBe(true);
  });

  test("a wall clock that jumps an hour back or forth changes nothing", () => {
    const { clock, openIt, refusal, acquire } = setUp();
    openIt();
    clock.shiftWall(3_600_000);
    expect(refusal().retryAfterMs).toBe(30_000);
    clock.shiftWall(-7_200_000);
    clock.tick(30_000);
    expect(acquire().probe).toBe(true);
  });
});

describe("half-open", () => {
  test("two good probes close it and zero the counters", () => {
    const { clock, breaker, openIt, acquire, run, changes } = setUp();
    openIt();
    clock.tick(30_000);
    acquire().settle("success");
    expect(breaker.state).toBe("half-open");
    acquire().settle("success");
    expect(breaker.state).toBe("closed");
    run("failure", 4);
    expect(breaker.state).toBe("closed");
    expect(changes).toEqual(["closed>open", "open>half-open", "half-open>closed"]);
  });

  test("a bad probe opens it again for the whole, unchanged timeout", () => {
    const { clock, breaker, openIt, acquire, refusal } = setUp();
    openIt();
    for (let round = 0; round < 3; round++) {
      clock.tick(30_000);
      acquire().settle("failure");
      expect(breaker.state).toBe("open");
      expect(refusal().retryAfterMs).toBe(30_000);
    }
  });

  test("a probe without a verdict frees its slot and leaves the state", () => {
    const { clock, breaker, openIt, acquire } = setUp();
    openIt();
    clock.tick(30_000);
    acquire().settle("none");
    expect(breaker.state).toBe("half-open");
    expect(acquire().probe).toBe(true);
  });

  test("a probe that never settles loses its slot after the timeout", () => {
    const { clock, openIt, acquire, refusal } = setUp();
    openIt();
    clock.tick(30_000);
    acquire();
    clock.tick(29_999);
    expect(refusal().refused).toBe("circuit-open");
    clock.tick(1);
    expect(acquire().probe).toBe(true);
    expect(refusal().refused).toBe("circuit-open");
  });

  test("a late verdict counts while the same half-open period lasts, and frees nobody else's slot", () => {
    const { clock, breaker, openIt, acquire, refusal } = setUp();
    openIt();
    clock.tick(30_000);
    const slow = acquire();
    clock.tick(30_000);
    const second = acquire();
    slow.settle("success");
    expect(breaker.state).toBe("half-open");
    expect(refusal().refused).toBe("circuit-open");
    second.settle("success");
    expect(breaker.state).toBe("closed");
  });

  test("a late failure of the same period opens it again", () => {
    const { clock, breaker, openIt, acquire } = setUp();
    openIt();
    clock.tick(30_000);
    const slow = acquire();
    clock.tick(30_000);
    acquire().settle("success");
    slow.settle("failure");
    expect(breaker.state).toBe("open");
  });

  test("a verdict of an earlier half-open period changes nothing in a later one", () => {
    const { clock, breaker, openIt, acquire, refusal } = setUp();
    openIt();
    clock.tick(30_000);
    const first = acquire();
    clock.tick(30_000);
    acquire().settle("failure");
    clock.tick(30_000);
    const current = acquire();
    first.settle("success");
    first.settle("failure");
    expect(breaker.state).toBe("half-open");
    expect(refusal().refused).toBe("circuit-open");
    current.settle("success");
    expect(breaker.state).toBe("half-open");
  });

  test("calls admitted while closed neither close nor open it", () => {
    const { clock, breaker, openIt, acquire } = setUp();
    const good = acquire();
    const bad = acquire();
    openIt();
    clock.tick(30_000);
    const probe = acquire();
    good.settle("success");
    bad.settle("failure");
    expect(breaker.state).toBe("half-open");
    probe.settle("success");
    acquire().settle("success");
    expect(breaker.state).toBe("closed");
  });
});

describe("a reset by hand", () => {
  test("closes an open circuit at once, and one that is half-open", () => {
    const { clock, breaker, changes, openIt, acquire } = setUp();
    openIt();
    breaker.reset();
    expect(breaker.state).toBe("closed");
    openIt();
    clock.tick(30_000);
    acquire();
    breaker.reset();
    expect(changes).toEqual(["closed>open", "open>closed", "closed>open", "open>half-open", "half-open>closed"]);
  });

  test("makes a closed circuit forget its failures, without a change that is told", () => {
    const { breaker, changes, run } = setUp();
    run("failure", 4);
    breaker.reset();
    run("failure", 4);
    expect(breaker.state).toBe("closed");
    expect(changes).toEqual([]);
  });

  test("lets nothing count that was let through before", () => {
    const { breaker, acquire, run } = setUp();
    const early = acquire();
    run("failure", 4);
    breaker.reset();
    run("failure", 4);
    early.settle("failure");
    expect(breaker.state).toBe("closed");
    expect(breaker.inFlight).toBe(0);
  });

  test("lets no probe of a half-open period count that ended before the reset", () => {
    const { clock, breaker, openIt, acquire, run } = setUp();
    openIt();
    clock.tick(30_000);
    const slow = acquire();
    clock.tick(30_000);
    run("success", 2);
    breaker.reset();
    run("failure", 4);
    slow.settle("failure");
    expect(breaker.state).toBe("closed");
  });
});
