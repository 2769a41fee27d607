import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, type Script, statusFailure, transportFailure } from "../../test/support/fake-provider.ts";
import { createBench, describeTurns } from "../../test/support/gateway-bench.ts";
import { Failure, invalidRequest } from "../core/failure.ts";
import { statusList } from "../core/http-status.ts";
import type { ModelRequest } from "../core/model-request.ts";

const ok: Script = { pieces: ["whole"], buffered: true };
const failing = (status: number, message?: string): Script => ({
  fail: statusFailure(status, message === undefined ? {} : { message }),
});

function setUp(
  scripts: Record<string, Script>,
  options: Parameters<typeof createBench>[2] = {},
  policy: ConstructorParameters<typeof FakeProvider>[3] = { retry: { maxRetries: 0 } },
) {
  const clock = new FakeClock();
  const providers = Object.entries(scripts).map(([name, script]) => new FakeProvider(name, clock, [script], policy));
  const sent = (name: string): number => providers.find((provider) => provider.name === name)?.sent.length ?? -1;
  return { clock, sent, providers, bench: createBench(clock, providers, options) };
}

describe("failover", () => {
  test("goes to the next target in order and stops at the first success", async () => {
    const { bench, sent } = setUp({ a: failing(503), b: failing(500), c: ok, d: ok });
    const call = bench.call("a,b,c,d");
    expect(await call.text()).toBe("whole");
    expect(describeTurns(call.record)).toEqual([
      "a/m: first 503 -> failed",
      "b/m: failover 500 -> failed",
      "c/m: failover 200 -> succeeded",
    ]);
    expect(call.record.answeredBy).toEqual({ providerName: "c", model: "m" });
    expect(sent("d")).toBe(0);
  });

  test("retries run before it, and each target has its own", async () => {
    const { clock, bench, sent } = setUp({ a: failing(503), b: failing(503) }, {}, { retry: { maxRetries: 2 } });
    const call = bench.call("a,b");
    await clock.advance(6000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect([sent("a"), sent("b")]).toEqual([3, 3]);
  });

  test("an error that is not eligible ends it at the first target", async () => {
    const { bench, sent } = setUp({ a: failing(400), b: ok });
    expect(await bench.call("a,b").outcome).toHaveProperty("status", 400);
    expect(sent("b")).toBe(0);
  });

  test("goes on past a backup whose error is not eligible, and answers the last error", async () => {
    const { bench } = setUp({ a: failing(500), b: failing(400), c: failing(404) });
    const call = bench.call("a,b,c");
    expect(await call.outcome).toHaveProperty("status", 404);
    expect(call.record.turns).toHaveLength(3);
  });

  test("a backup that cannot be asked this way is passed over: no attempt, no verdict, and not what the caller is told", async () => {
    const { bench, providers, sent } = setUp({ a: failing(500), b: ok, c: ok }, { failover: { maxAttempts: 1 } });
    const [, unasked] = providers;
    if (unasked === undefined) throw new Error("there are three");
    unasked.prepare = () => {
      throw invalidRequest("`n` is not supported by provider b", { param: "n" });
    };
    const call = bench.call("a,b,c");
    expect(await call.text()).toBe("whole");
    expect(describeTurns(call.record)).toEqual([
      "a/m: first 500 -> failed",
      "b/m: -> skipped",
      "c/m: failover 200 -> succeeded",
    ]);
    expect(await bench.call("a,b").outcome).toHaveProperty("status", 500);
    expect(sent("b")).toBe(0);
  });

  test("a phrase makes a 4xx eligible", async () => {
    const { bench } = setUp({ a: failing(400, "The model 'x' was not found"), b: ok });
    expect(await bench.call("a,b").text()).toBe("whole");
  });

  test.each([
    [0, ["a", "b", "c"]],
    [1, ["a", "b"]],
    [2, ["a", "b", "c"]],
    [5, ["a", "b", "c"]],
  ])("max_attempts %d tries %p", async (maxAttempts, tried) => {
    const { bench } = setUp({ a: failing(500), b: failing(501), c: failing(502) }, { failover: { maxAttempts } });
    const call = bench.call("a,b,c");
    expect(await call.outcome).toHaveProperty("status", 499 + tried.length);
    expect(call.record.turns.map(({ target }) => target.providerName)).toEqual(tried);
  });

  test("switched off globally or by the route, the first target's error is the answer", async () => {
    for (const options of [{ failover: { enabled: false } }, { routeFailover: false }]) {
      const { bench, sent } = setUp({ a: failing(503), b: ok }, options);
      expect(await bench.call("a,b").outcome).toHaveProperty("status", 503);
      expect(sent("b")).toBe(0);
    }
  });

  test("switched off, the retries at the chosen target stay", async () => {
    const { clock, bench, sent } = setUp({ a: failing(503), b: ok }, { failover: { enabled: false } }, {});
    const call = bench.call("a,b");
    await clock.advance(7000);
    expect(await call.outcome).toHaveProperty("status", 503);
    expect([sent("a"), sent("b")]).toEqual([4, 0]);
  });

  test("embeddings never fail over", async () => {
    const { bench, sent } = setUp({ a: failing(503), b: ok });
    expect(await bench.call("a,b", { operation: "embeddings" }).outcome).toHaveProperty("status", 503);
    expect(sent("b")).toBe(0);
  });

  test("a transport error fails over when its 502 is listed, and only then", async () => {
    const refused: Script = { fail: transportFailure() };
    expect(await setUp({ a: refused, b: ok }).bench.call("a,b").text()).toBe("whole");
    const bench = setUp({ a: refused, b: ok }, { failover: { statuses: statusList([429]), phrases: [] } }).bench;
    expect(await bench.call("a,b").outcome).toHaveProperty("status", 502);
  });
});

describe("an open breaker", () => {
  const openA = async (extra: Record<string, Script>, options: Parameters<typeof createBench>[2] = {}) => {
    const bench = setUp({ a: failing(500), ...extra }, options);
    for (let n = 0; n < 5; n++) await bench.bench.call("a").outcome;
    expect(bench.bench.breakerState("a")).toBe("open");
    expect(bench.sent("a")).toBe(5);
    return bench;
  };

  test("answers at once with the exact text, the code and the time that is left", async () => {
    const { clock, bench, sent } = await openA({});
    await clock.advance(10_000);
    const failure = await bench.call("a").outcome;
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      status: 503,
      code: "circuit_open",
      message: "circuit breaker is open - provider a temporarily unavailable",
      retryAfterMs: 20_000,
    });
    expect(sent("a")).toBe(5);
  });

  test("skips its target without a call, which uses up no attempt", async () => {
    const { bench } = await openA({ b: failing(500), c: ok }, { failover: { maxAttempts: 2 } });
    const call = bench.call("b,a,c");
    expect(await call.text()).toBe("whole");
    expect(describeTurns(call.record)).toEqual([
      "b/m: first 500 -> failed",
      "a/m: -> skipped",
      "c/m: failover 200 -> succeeded",
    ]);
  });

  test("its 503 is the last error when nothing else is left", async () => {
    const { bench } = await openA({ b: failing(500) });
    expect(await bench.call("b,a").outcome).toMatchObject({ status: 503, code: "circuit_open" });
  });

  test("does not hide the error of the backup that used up max_attempts", async () => {
    const { bench } = await openA({ b: failing(500), c: failing(502) }, { failover: { maxAttempts: 1 } });
    expect(await bench.call("b,c,a").outcome).toHaveProperty("status", 502);
  });

  test("a probe is one attempt, without retries", async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [{ fail: statusFailure(503) }], { retry: { maxRetries: 3 } });
    const bench = createBench(clock, [provider]);
    for (let n = 0; n < 5; n++) {
      const call = bench.call("a");
      await clock.advance(7000);
      await call.outcome;
    }
    expect(provider.sent).toHaveLength(20);
    await clock.advance(30_000);
    expect(await bench.call("a").outcome).toMatchObject({ status: 503, message: "upstream said 503" });
    expect(provider.sent).toHaveLength(21);
    expect(bench.breakerState("a")).toBe("open");
  });

  test("every started turn ends, so that nothing stays in flight", async () => {
    const { bench } = await openA({ b: ok });
    await bench.call("a,b").text();
    expect(bench.turnsEnded).toHaveLength(bench.turnsStarted);
  });
});

test("whose the request was is told to every target but the one that it was meant for", async () => {
  const clock = new FakeClock();
  const told: unknown[] = [];
  const providers = ["a", "b"].map((name) => {
    const provider = new FakeProvider(name, clock, [name === "a" ? { fail: statusFailure(500) } : ok]);
    const prepare = provider.prepare.bind(provider);
    return Object.assign(provider, {
      unmarkedIssuer: () => `issuer of ${name}`,
      prepare(request: ModelRequest, model: string, firstIssuer?: unknown) {
        told.push([name, firstIssuer]);
        return prepare(request, model);
      },
    });
  });
  await createBench(clock, providers).call("a,b").outcome;
  expect(told).toEqual([
    ["a", undefined],
    ["b", "issuer of a"],
  ]);
});

describe("a mistake of ours", () => {
  test("in preparing a call is a 500, frees the permit and gives no verdict", async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [ok], { breaker: { failureThreshold: 1 } });
    provider.prepare = () => {
      throw new TypeError("oops");
    };
    const bench = createBench(clock, [provider]);
    for (let n = 0; n < 3; n++) {
      expect(await bench.call("a").outcome).toMatchObject({ status: 500, message: "an unexpected error occurred" });
    }
    expect(bench.breakerState("a")).toBe("closed");
  });

  test("in reading what an answer used leaves no turn open and no permit unsettled", async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [ok]);
    const prepare = provider.prepare.bind(provider);
    provider.prepare = (request, model) => {
      const call = prepare(request, model);
      return {
        async send(options) {
          const answer = await call.send(options);
          answer.reader.facts = () => {
            throw new TypeError("oops");
          };
          return answer;
        },
      };
    };
    const bench = createBench(clock, [provider]);
    const call = bench.call("a");
    await call.outcome;
    expect(bench.turnsEnded).toHaveLength(1);
    expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> succeeded"]);
  });

  test("at the moment of commit is a 500, ends the turn once without a verdict, and closes the answer's body", async () => {
    const clock = new FakeClock();
    const providers = ["a", "b"].map(
      (name) =>
        new FakeProvider(name, clock, [{ pieces: ["one", 1000, "FIN", "DONE"] }], { breaker: { failureThreshold: 1 } }),
    );
    // The dialect of the bench throws when it is asked to follow a stream.
    const bench = createBench(clock, providers, { streamRecovery: "continue" });
    const call = bench.call("a,b", { stream: true });
    expect(await call.outcome).toMatchObject({ status: 500, origin: "bug" });
    expect(bench.turnsEnded).toHaveLength(1);
    expect(call.record.turns).toMatchObject([{ outcome: "truncated", attempts: [{ outcome: "failed" }] }]);
    expect([bench.breakerState("a"), providers[0]?.cancelled]).toEqual(["closed", 1]);
  });

  test("a field that the provider cannot honour is the caller's 400 and no verdict", async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider("a", clock, [ok], { breaker: { failureThreshold: 1 } });
    provider.prepare = () => {
      throw new Failure({ origin: "request", status: 400, type: "invalid_request_error", message: "no logprobs here" });
    };
    const bench = createBench(clock, [provider]);
    expect(await bench.call("a").outcome).toMatchObject({ status: 400, message: "no logprobs here" });
    expect(bench.breakerState("a")).toBe("closed");
  });
});
