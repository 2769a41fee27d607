import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Script, statusFailure } from "../../test/support/fake-provider.ts";
import { createBench, describeTurns } from "../../test/support/gateway-bench.ts";
import { statusList } from "../core/http-status.ts";

type Policy = NonNullable<ConstructorParameters<typeof FakeProvider>[3]>;

const ok: Script = { pieces: ["whole"], buffered: true };
const failing = (status: number, retryAfterMs?: number): Script => ({
  fail: statusFailure(status, retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** Providers a, b, ...; the last policy is that of all the others, too. */
function setUp(
  scripts: readonly (readonly Script[])[],
  options: Parameters<typeof createBench>[2] = {},
  policies: readonly Policy[] = [{}],
) {
  const clock = new FakeClock();
  const providers = scripts.map(
    (script, index) => new FakeProvider("abcdef".charAt(index), clock, script, policies[index] ?? policies.at(-1)),
  );
  const sent = (): number[] => providers.map((provider) => provider.sent.length);
  return { clock, sent, bench: createBench(clock, providers, options) };
}

describe("failover.retries_before_failover", () => {
  const one = { failover: { retriesBeforeFailover: 1 } };

  test("1: one retry at each target but the last, which has all of max_retries", async () => {
    const { clock, bench, sent } = setUp([[failing(503)], [failing(503)], [failing(503)]], one);
    const call = bench.call("a,b,c");
    await clock.advance(60_000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(sent()).toEqual([2, 2, 4]);
    expect(describeTurns(call.record)[0]).toBe("a/m: first 503, retry 503 -> failed");
  });

  test("0: the next target's turn comes at once", async () => {
    const { bench, sent } = setUp([[failing(503)], [ok]], { failover: { retriesBeforeFailover: 0 } });
    expect(await bench.call("a,b").text()).toBe("whole");
    expect(sent()).toEqual([1, 1]);
  });

  test("-1: all of max_retries first", async () => {
    const { clock, bench, sent } = setUp([[failing(503)], [ok]]);
    const call = bench.call("a,b");
    await clock.advance(7000);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([4, 1]);
  });

  test("never adds to max_retries", async () => {
    const { bench, sent } = setUp([[failing(503)], [ok]], { failover: { retriesBeforeFailover: 5 } }, [
      { retry: { maxRetries: 0 } },
    ]);
    expect(await bench.call("a,b").text()).toBe("whole");
    expect(sent()).toEqual([1, 1]);
  });

  test("a Retry-After within its limit is waited out, and the same target answers", async () => {
    const { clock, bench, sent } = setUp([[failing(429, 2000), ok], [ok]], one);
    const call = bench.call("a,b");
    await clock.advance(2000);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([2, 0]);
  });

  test.each([
    ["there is no other target", "a", one],
    ["failover is off", "a,b", { failover: { retriesBeforeFailover: 1, enabled: false } }],
    [
      "this failure would not fail over",
      "a,b",
      { failover: { retriesBeforeFailover: 1, statuses: statusList([500]) } },
    ],
  ] as const)("all retries are made when %s", async (_, model, options) => {
    const { clock, bench, sent } = setUp([[failing(503)], [ok]], options);
    const call = bench.call(model);
    await clock.advance(7000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(sent()).toEqual([4, 0]);
  });

  test("all retries are made while the circuit of the only other target is open", async () => {
    const { clock, bench, sent } = setUp([[failing(503), failing(503), failing(503), ok], [failing(500)]], one, [
      { breaker: { failureThreshold: 1 } },
    ]);
    await bench.call("b").outcome;
    const call = bench.call("a,b");
    await clock.advance(7000);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([4, 1]);
  });
});

describe("resilience.max_attempts_per_request", () => {
  test("6: over all turns, and the answer is the last failure", async () => {
    const { clock, bench, sent } = setUp(
      [[failing(503)], [failing(502)], [failing(504)], [failing(503)]],
      { failover: { retriesBeforeFailover: 1 } },
      [{ maxAttemptsPerRequest: 6 }],
    );
    const call = bench.call("a,b,c,d");
    await clock.advance(60_000);
    expect(await call.outcome).toHaveProperty("status", 504);
    expect(sent()).toEqual([2, 2, 2, 0]);
    expect(bench.turnsStarted).toBe(3);
    expect(call.record.turns).toHaveLength(3);
  });

  test("cuts the retries of a single target: 2 of the 4 it would have", async () => {
    const { clock, bench, sent } = setUp([[failing(503)]], {}, [{ maxAttemptsPerRequest: 2 }]);
    const call = bench.call("a");
    await clock.advance(60_000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect(sent()).toEqual([2]);
  });

  test("1 is one attempt in all", async () => {
    const { bench, sent } = setUp([[failing(503)], [ok]], {}, [{ maxAttemptsPerRequest: 1 }]);
    expect(await bench.call("a,b").outcome).toHaveProperty("status", 503);
    expect(sent()).toEqual([1, 0]);
  });

  test("0 is no cap", async () => {
    const { clock, bench, sent } = setUp([[failing(503)], [failing(503)], [ok]]);
    const call = bench.call("a,b,c");
    await clock.advance(60_000);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([4, 4, 1]);
  });

  test("is each provider's own: one that allows more has its turn when another is passed over", async () => {
    const { clock, bench, sent } = setUp([[failing(503)], [ok], [ok]], {}, [
      { maxAttemptsPerRequest: 0 },
      { maxAttemptsPerRequest: 4, breaker: { failureThreshold: 1 } },
      { maxAttemptsPerRequest: 5 },
    ]);
    const call = bench.call("a,b,c");
    await clock.advance(7000);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([4, 0, 1]);
    expect(describeTurns(call.record)).toHaveLength(2);
    expect(bench.turnsStarted).toBe(2);
  });

  test("a turn that was skipped has used none of them", async () => {
    const { bench, sent } = setUp([[failing(500)], [ok]], {}, [
      { maxAttemptsPerRequest: 1, breaker: { failureThreshold: 1 } },
    ]);
    await bench.call("a").outcome;
    expect(await bench.call("a,b").text()).toBe("whole");
    expect(sent()).toEqual([1, 1]);
  });

  test("a target that is passed over keeps the permit of its probe for somebody else", async () => {
    const { clock, bench, sent } = setUp([[failing(500)], [failing(500), ok]], {}, [
      {},
      { maxAttemptsPerRequest: 1, breaker: { failureThreshold: 1 } },
    ]);
    await bench.call("b").outcome;
    await clock.advance(30_000);
    expect(await bench.call("a,b").outcome).toHaveProperty("status", 500);
    expect(bench.breakerState("b")).toBe("open");
    expect(await bench.call("b").text()).toBe("whole");
    expect(sent()).toEqual([1, 2]);
  });
});

describe("resilience.retry.max_retry_after of 30 s", () => {
  const patient = [{ retry: { maxRetryAfterMs: 30_000 } }];

  test("30 s are waited out", async () => {
    const { clock, bench, sent } = setUp([[failing(429, 30_000), ok], [ok]], {}, patient);
    const call = bench.call("a,b");
    await clock.advance(29_999);
    expect(sent()).toEqual([1, 0]);
    await clock.advance(1);
    expect(await call.text()).toBe("whole");
    expect(sent()).toEqual([2, 0]);
  });

  test("a second more ends the turn at once, and the next target answers", async () => {
    const { bench, sent } = setUp([[failing(429, 31_000)], [ok]], {}, patient);
    expect(await bench.call("a,b").text()).toBe("whole");
    expect(sent()).toEqual([1, 1]);
  });

  test("an exhausted answer carries what the last target asked for", async () => {
    const { clock, bench } = setUp([[failing(429, 31_000)], [failing(503, 1500)]], {}, patient);
    const call = bench.call("a,b");
    await clock.advance(60_000);
    expect(await call.outcome).toMatchObject({ status: 503, retryAfterMs: 1500 });
  });
});
