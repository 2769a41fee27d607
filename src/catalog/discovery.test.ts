import { describe, expect, test } from "bun:test";
import { FakeClock, settle } from "../../test/support/fake-clock.ts";
import type { Cancellation } from "../core/cancellation.ts";
import type { ListedModel } from "../core/inventory.ts";
import { createDiscovery, type Discovery, type DiscoveryOptions } from "./discovery.ts";

function models(...ids: string[]): ListedModel[] {
  return ids.map((id) => ({ id, created: undefined, ownedBy: undefined }));
}

/** An upstream whose next answers a test decides: ids, an error, or silence. */
class FakeUpstream {
  answer: readonly string[] | Error | "hang" = [];
  calls = 0;
  signal: Cancellation | undefined;

  list = (signal: Cancellation): Promise<readonly ListedModel[]> => {
    this.calls++;
    this.signal = signal;
    if (this.answer === "hang") return new Promise(() => {});
    return this.answer instanceof Error ? Promise.reject(this.answer) : Promise.resolve(models(...this.answer));
  };
}

const refused = new Error("connection refused");

function setUp(
  upstreams: Readonly<Record<string, FakeUpstream>>,
  options: Partial<Omit<DiscoveryOptions, "providers">> & {
    configured?: Readonly<Record<string, readonly string[]>>;
  } = {},
) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const discovery = createDiscovery({
    mode: "fallback",
    refreshIntervalMs: 3_600_000,
    recheckIntervalMs: 60_000,
    clock,
    log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    providers: Object.entries(upstreams).map(([name, upstream]) => ({
      name,
      type: "openai",
      configuredModels: (options.configured?.[name] ?? []).map((id) => ({
        id,
        price: undefined,
        contextWindow: undefined,
        supportsPrefill: undefined,
      })),
      list: upstream.list,
    })),
    ...options,
  });
  return { clock, lines, discovery };
}

/** `a fresh x,y` per provider, with `!` where the last listing failed. */
function state(discovery: Discovery): string {
  return discovery
    .snapshot()
    .providers.map((provider) =>
      `${provider.providerName} ${provider.state}${provider.lastError === undefined ? "" : "!"} ${provider.models.map(({ id }) => id).join(",")}`.trim(),
    )
    .join(" | ");
}

function upstream(answer: FakeUpstream["answer"]): FakeUpstream {
  const made = new FakeUpstream();
  made.answer = answer;
  return made;
}

describe("first listing", () => {
  const table: readonly (readonly [
    mode: DiscoveryOptions["mode"],
    answer: FakeUpstream["answer"],
    configured: readonly string[],
    expected: string,
  ])[] = [
    ["fallback", ["x", "y"], [], "a fresh x,y"],
    ["fallback", ["x", "x", ""], [], "a fresh x"],
    ["fallback", ["x"], ["c"], "a fresh x"],
    ["fallback", [], ["c"], "a configured c"],
    ["fallback", [], [], "a fresh"],
    ["fallback", refused, ["c"], "a configured! c"],
    ["fallback", refused, [], "a failed!"],
    ["merge", ["x", "c"], ["c", "d"], "a fresh x,c,d"],
    ["merge", refused, ["c"], "a configured! c"],
    ["merge", refused, [], "a failed!"],
    ["allowlist", ["x"], ["c"], "a configured c"],
    ["allowlist", ["x"], [], "a configured"],
  ];
  for (const [mode, answer, configured, expected] of table) {
    test(`${mode}: ${answer instanceof Error ? "failure" : `[${String(answer)}]`} with [${configured.join()}] configured is "${expected}"`, async () => {
      const { discovery } = setUp({ a: upstream(answer) }, { mode, configured: { a: configured } });
      discovery.start();
      await settle();
      expect(state(discovery)).toBe(expected);
    });
  }

  test("until it has ended a provider is pending, with what is configured", () => {
    const { discovery } = setUp({ a: upstream(["x"]), b: upstream(["y"]) }, { configured: { b: ["c"] } });
    expect(state(discovery)).toBe("a pending | b pending c");
  });

  test("allowlist never asks an upstream, not even on demand", async () => {
    const a = upstream(["x"]);
    const { discovery, clock } = setUp({ a }, { mode: "allowlist" });
    discovery.start();
    await discovery.recheck("a");
    await clock.advance(10_000_000);
    expect(a.calls).toBe(0);
    await discovery.pending();
  });

  test("keeps created and owner as listed, with the times of the listing", async () => {
    const { discovery, clock } = setUp({ a: upstream(["x"]) });
    discovery.start();
    await settle();
    expect(discovery.snapshot().providers[0]).toEqual({
      providerName: "a",
      providerType: "openai",
      models: [{ id: "x", created: undefined, ownedBy: undefined }],
      state: "fresh",
      lastFetchAt: clock.wallNow(),
      lastSuccessAt: clock.wallNow(),
      lastError: undefined,
    });
  });
});

describe("independence", () => {
  test("a provider that hangs holds up none of the others, and counts as failed after its limit", async () => {
    const hanging = upstream("hang");
    const { discovery, clock } = setUp({ hanging, refusing: upstream(refused), good: upstream(["x"]) });
    discovery.start();
    await settle();
    expect(state(discovery)).toBe("hanging pending | refusing failed! | good fresh x");
    await clock.advance(10_000);
    expect(state(discovery)).toBe("hanging failed! | refusing failed! | good fresh x");
    expect(hanging.signal?.reason).toBe("deadline");
    expect(discovery.snapshot().providers[0]?.lastError).toBe("no model list within 10000 ms");
  });

  test("a list function that throws at once is a failed listing", async () => {
    const bad = new FakeUpstream();
    bad.list = () => {
      throw new Error("no route");
    };
    const { discovery } = setUp({ bad, good: upstream(["x"]) });
    discovery.start();
    await settle();
    expect(state(discovery)).toBe("bad failed! | good fresh x");
  });

  test("pending resolves when the last first listing has ended", async () => {
    const { discovery, clock } = setUp({ a: upstream("hang"), b: upstream(["x"]) }, { listTimeoutMs: 500 });
    let resolved = false;
    void discovery.pending().then(() => (resolved = true));
    discovery.start();
    await clock.advance(499);
    expect(resolved).toBe(false);
    await clock.advance(1);
    expect(resolved).toBe(true);
  });

  test("a snapshot in hand never changes, and every listing makes a new one", async () => {
    const a = upstream(["x"]);
    const { discovery, clock } = setUp({ a });
    const versions: number[] = [];
    const end = discovery.onChange(() => versions.push(discovery.snapshot().version));
    const first = discovery.snapshot();
    discovery.start();
    await settle();
    await clock.advance(3_600_000);
    expect(first.providers[0]?.state).toBe("pending");
    expect(versions).toEqual([2, 3]);
    end();
    await clock.advance(3_600_000);
    expect(versions).toEqual([2, 3]);
    expect(Object.isFrozen(discovery.snapshot().providers[0]?.models)).toBe(true);
  });
});

describe("failing later", () => {
  async function running(answers: Readonly<Record<string, readonly string[]>>, configured = {}) {
    const upstreams = Object.fromEntries(Object.entries(answers).map(([name, ids]) => [name, upstream(ids)]));
    const all = setUp(upstreams, { configured });
    all.discovery.start();
    await settle();
    return { ...all, upstreams };
  }

  test("one of two goes stale with its models kept, and returns within a re-check interval", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"], b: ["y"] });
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    expect(state(discovery)).toBe("a stale! x | b fresh y");
    upstreams.a!.answer = ["x", "z"];
    await clock.advance(60_000);
    expect(state(discovery)).toBe("a fresh x,z | b fresh y");
  });

  test("re-checks ask the failed provider only", async () => {
    const { clock, upstreams } = await running({ a: ["x"], b: ["y"] });
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    const before = [upstreams.a!.calls, upstreams.b!.calls];
    await clock.advance(180_000);
    expect([upstreams.a!.calls - before[0]!, upstreams.b!.calls - before[1]!]).toEqual([3, 0]);
  });

  test("all at once: the previous inventory stays, with the error beside it", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"], b: ["y"] });
    upstreams.a!.answer = refused;
    upstreams.b!.answer = "hang";
    await clock.advance(3_600_000);
    expect(state(discovery)).toBe("a fresh! x | b fresh y");
    await clock.advance(10_000);
    expect(state(discovery)).toBe("a fresh! x | b fresh! y");
  });

  test("after all at once, the first that returns shows the others to be down", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"], b: ["y"] });
    upstreams.a!.answer = refused;
    upstreams.b!.answer = refused;
    await clock.advance(3_600_000);
    upstreams.b!.answer = ["y"];
    await clock.advance(60_000);
    expect(state(discovery)).toBe("a stale! x | b fresh y");
  });

  test("one that was already stale stays hidden when the last one fails, too", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"], b: ["y"] });
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    upstreams.b!.answer = refused;
    await clock.advance(3_600_000);
    expect(state(discovery)).toBe("a stale! x | b fresh! y");
  });

  test("the only provider keeps its inventory", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"] });
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    expect(state(discovery)).toBe("a fresh! x");
  });

  test("a configured list takes over from the discovered one", async () => {
    const { discovery, clock, upstreams } = await running({ a: ["x"], b: ["y"] }, { a: ["c"] });
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    expect(state(discovery)).toBe("a configured! c | b fresh y");
  });

  test("log lines tell of changes only", async () => {
    const { lines, clock, upstreams } = await running({ a: ["x"] });
    await clock.advance(3_600_000);
    upstreams.a!.answer = refused;
    await clock.advance(3_600_000);
    await clock.advance(300_000);
    upstreams.a!.answer = ["x", "y"];
    await clock.advance(60_000);
    expect(lines).toEqual([
      'info models discovered {"provider":"a","models":1}',
      'warn model discovery failed {"provider":"a","error":"connection refused"}',
      'info model discovery works again {"provider":"a","models":2}',
    ]);
  });
});

describe("on demand", () => {
  test("is one listing for many callers, and at most one in 10 s", async () => {
    const a = upstream(["x"]);
    const { discovery, clock } = setUp({ a });
    discovery.start();
    await settle();
    a.answer = ["x", "new"];
    await Promise.all([discovery.recheck("a"), discovery.recheck("a"), discovery.recheck("a")]);
    expect(a.calls).toBe(2);
    expect(state(discovery)).toBe("a fresh x,new");
    await clock.advance(9999);
    await discovery.recheck("a");
    expect(a.calls).toBe(2);
    await clock.advance(1);
    await discovery.recheck("a");
    expect(a.calls).toBe(3);
  });

  test("waits for a listing that is under way instead of beginning another", async () => {
    const a = upstream("hang");
    const { discovery, clock } = setUp({ a });
    discovery.start();
    let ended = false;
    void discovery.recheck("a").then(() => (ended = true));
    await clock.advance(9999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect(ended).toBe(true);
    expect(a.calls).toBe(1);
  });

  test("of a provider that is not registered is nothing", async () => {
    await setUp({ a: upstream(["x"]) }).discovery.recheck("nobody");
  });
});

describe("stopping", () => {
  test("cancels what is under way, leaves no timer, and changes nothing any more", async () => {
    const a = upstream("hang");
    const { discovery, clock } = setUp({ a });
    discovery.start();
    discovery.stop();
    await settle();
    expect(a.signal?.reason).toBe("drain");
    expect(clock.pending).toBe(0);
    expect(state(discovery)).toBe("a pending");
    await discovery.pending();
    await discovery.recheck("a");
    expect(a.calls).toBe(1);
  });

  test("intervals of 0 are off", async () => {
    const a = upstream(refused);
    const { discovery, clock } = setUp({ a }, { refreshIntervalMs: 0, recheckIntervalMs: 0 });
    discovery.start();
    await settle();
    expect(clock.pending).toBe(0);
    await clock.advance(10_000_000);
    expect(a.calls).toBe(1);
  });
});
