// Runs every scenario with one SDK: straight at the upstream, and through the gateway in the three surroundings.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SimulatedGateway } from "../../support/simulated-gateway.ts";
import type { Answered, CallerDialect, Mode, Outcome, SdkDriver } from "./driver.ts";
import { undocumentedMembers } from "./documented-members.ts";
import { type Failing, failing } from "./failures.ts";
import { memberPaths } from "./member-paths.ts";
import { answering, type Otherwise, type Scenario } from "./scenarios.ts";
import { type Chain, chainName, type ProviderName, sdkGateway } from "./sdk-gateway.ts";

/** The provider that speaks the caller's dialect, and those that do not. */
const homes: Readonly<Record<CallerDialect, { readonly own: ProviderName; readonly others: readonly ProviderName[] }>> =
  {
    "chat-completions": { own: "openai", others: ["anthropic", "gemini"] },
    responses: { own: "openai", others: ["anthropic", "gemini", "chat"] },
    messages: { own: "anthropic", others: ["openai", "gemini"] },
  };

const bothModes: readonly Mode[] = ["buffered", "stream"];
/** How the first target of a chain fails before anything of an answer came, and the status that this is told with. */
const startFaults: Readonly<Record<Mode, Readonly<Record<string, number>>>> = {
  buffered: { "status-503": 503, "hidden-429": 429, "reset-before-answer": 502, html: 502 },
  stream: { "error-first-429": 429, "status-529": 529, "stream-empty": 502, "event-malformed-first": 502 },
};

interface Case<Described> {
  readonly scenario: Described;
  readonly mode: Mode;
  readonly targets: readonly ProviderName[];
  readonly chains: readonly Chain[];
}

/** `every`: all targets and chains with every scenario, not one of each. */
export function describeSdk(driver: SdkDriver, every: boolean): void {
  const { own, others } = homes[driver.dialect];
  const answerCases = answering.filter((each) => canAsk(driver, each)).flatMap(casesOf);
  const failCases = failing.filter((each) => canAsk(driver, each)).flatMap(casesOf);
  const straightAnswers = new Map<string, Promise<Outcome>>();
  let gateway: SimulatedGateway;

  function casesOf<Described extends Scenario | Failing>(scenario: Described, place: number): Case<Described>[] {
    return (scenario.modes ?? bothModes).map((mode, turn) => {
      const at = place + turn;
      const chains = chainsOf(own, others, mode);
      return {
        scenario,
        mode,
        targets: every ? others : pick(others, at),
        chains: every ? chains : pick(chains, at),
      };
    });
  }

  beforeAll(async () => {
    const models = [...answerCases, ...failCases].map(({ scenario }) => scenario.model);
    const chains = answerCases.flatMap(({ scenario, chains: all }) =>
      all.map((chain) => ({ ...chain, model: scenario.model })),
    );
    gateway = await sdkGateway(models, chains);
  });
  afterAll(() => gateway.stop());

  /** Each scenario once in each mode. */
  function straight({ scenario, mode }: Case<Scenario | Failing>): Promise<Outcome> {
    const key = `${scenario.name} ${mode}`;
    const known = straightAnswers.get(key);
    if (known !== undefined) return known;
    const where = { origin: gateway.simulator(own).origin, model: scenario.model };
    const asked = driver.ask(where, askOf(scenario), mode);
    straightAnswers.set(key, asked);
    return asked;
  }

  const through = ({ scenario, mode }: Case<Scenario | Failing>, model: string): Promise<Outcome> =>
    driver.ask({ origin: gateway.url, model }, askOf(scenario), mode);
  const lastBody = (provider: ProviderName): string =>
    new TextDecoder().decode(gateway.simulator(provider).calls.at(-1)?.body);

  describe("straight", () => {
    test.each(named(answerCases))("%s", async (_, each) => {
      const { answered, thrown } = await straight(each);
      expect(thrown).toBeUndefined();
      expect(answered).toMatchObject(told(driver, each.scenario.answer ?? {}));
    });
  });

  describe("a target of the caller's dialect", () => {
    test.each(named(answerCases))("%s", async (_, each) => {
      const expected = await driver.ask(
        { origin: gateway.simulator(own).origin, model: each.scenario.model },
        askOf(each.scenario),
        each.mode,
      );
      const sent = lastBody(own);
      expect(await through(each, `${own}/${each.scenario.model}`)).toEqual(expected);
      expect(lastBody(own)).toBe(sent);
      for (const text of each.scenario.reaches ?? []) expect(sent).toContain(text);
    });

    test.each(named(failCases))("%s", async (_, each) => {
      const outcome = await through(each, `${own}/${each.scenario.model}`);
      expectFailure(driver, each.scenario, outcome);
      const expected = await straight(each);
      switch (each.scenario.straight) {
        case "same":
          expect(outcome).toEqual(expected);
          break;
        case "same-class":
          expect(broadly(outcome)).toEqual(broadly(expected));
          break;
        case "worse":
          expect(outcome).not.toEqual(expected);
      }
    });
  });

  describe("a target of another dialect", () => {
    test.each(named(answerCases))("%s", async (_, each) => {
      for (const target of each.targets) {
        const outcome = await through(each, `${target}/${each.scenario.model}`);
        const otherwise = each.scenario.otherwise?.[target];
        expectTranslated(outcome, await straight(each), otherwise);
        if (driver.givesWholeObjects === true) expectWhole(outcome, await straight(each), each.scenario.mayLack ?? []);
        if (otherwise !== undefined && "refusedWith" in otherwise) continue;
        expect(undocumentedMembers(target, lastBody(target))).toEqual([]);
        for (const text of each.scenario.reaches ?? []) expect(lastBody(target)).toContain(text);
      }
    });

    test.each(named(failCases))("%s", async (_, each) => {
      for (const target of each.targets) {
        if (target === "gemini" && each.scenario.notGemini === true) continue;
        expectFailure(driver, each.scenario, await through(each, `${target}/${each.scenario.model}`));
      }
    });
  });

  describe("failover", () => {
    test.each(named(answerCases))("%s", async (_, each) => {
      for (const chain of each.chains) {
        const outcome = await through(each, chainName(chain, each.scenario.model));
        const expected = await straight(each);
        const [first, last] = [each.scenario.otherwise?.[chain.from], each.scenario.otherwise?.[chain.to]];
        // What the first target cannot honour is the caller's mistake; when only the last one cannot, the first one's failure is told.
        if (first !== undefined && "refusedWith" in first) expectTranslated(outcome, expected, first);
        else if (last !== undefined && "refusedWith" in last) {
          expect(outcome.thrown?.status).toBe(startFaults[each.mode][chain.fault]);
        } else if (chain.to === own) expect(outcome).toEqual(expected);
        else expectTranslated(outcome, expected, last);
      }
    });
  });
}

function expectTranslated(outcome: Outcome, straight: Outcome, otherwise: Otherwise | undefined): void {
  if (otherwise !== undefined && "refusedWith" in otherwise) {
    expect(outcome.thrown).toMatchObject({ status: 400, message: expect.stringContaining(otherwise.refusedWith) });
    return;
  }
  expect(outcome.thrown).toBeUndefined();
  expect(outcome.answered).toEqual({ ...straight.answered, ...otherwise?.answer } as Answered);
}

/** The SDKs' types promise what a translated answer must therefore have, too. */
function expectWhole(outcome: Outcome, straight: Outcome, mayLack: readonly string[]): void {
  if (outcome.thrown !== undefined || straight.thrown !== undefined) return;
  const given = new Set(memberPaths(outcome.object));
  const missing = memberPaths(straight.object).filter((path) => !given.has(path));
  expect(missing.filter((path) => !mayLack.some((start) => path.startsWith(start)))).toEqual([]);
}

function expectFailure(driver: SdkDriver, { status, says, retryAfter, text = "" }: Failing, outcome: Outcome): void {
  expect(outcome.answered).toBeUndefined();
  expect(outcome.thrown?.message).toContain(says);
  expect(outcome.thrown?.text).toBe(text);
  if (status === undefined) return;
  expect(outcome.thrown).toMatchObject({ status, kind: driver.errorClass(status) });
  expect(outcome.thrown?.retryAfter).toBe(retryAfter);
}

/** Everything but the body of an error. */
function broadly({ thrown }: Outcome): unknown {
  if (thrown === undefined) return undefined;
  const { body, ...rest } = thrown;
  return { ...rest, hasBody: body !== undefined };
}

function chainsOf(own: ProviderName, others: readonly ProviderName[], mode: Mode): Chain[] {
  const pairs = others.flatMap((other, at) => {
    const [from, to] = [other, others[(at + 1) % others.length] ?? other];
    return [
      { from, to: own },
      { from: own, to: other },
      { from, to },
    ];
  });
  return pairs.map((pair, at) => ({ ...pair, fault: pick(Object.keys(startFaults[mode]), at)[0] ?? "" }));
}

function pick<Value>(values: readonly Value[], at: number): readonly Value[] {
  const start = at % values.length;
  return values.slice(start, start + 1);
}

function askOf(scenario: Scenario | Failing) {
  return "ask" in scenario ? (scenario.ask ?? {}) : {};
}

function canAsk({ dialect, lacks = [] }: SdkDriver, scenario: Scenario | Failing): boolean {
  const ask = askOf(scenario);
  const parts = (ask.turns ?? []).flatMap((turn) => (turn.from === "user" ? turn.parts.map(({ kind }) => kind) : []));
  const wanted: readonly string[] = [...Object.keys(ask), ...parts];
  return scenario.callers?.includes(dialect) !== false && !lacks.some((each) => wanted.includes(each));
}

function told({ untold = [] }: SdkDriver, answer: Partial<Answered>): Partial<Answered> {
  return Object.fromEntries(Object.entries(answer).filter(([member]) => !untold.some((each) => each === member)));
}

function named<Described extends Scenario | Failing>(
  cases: readonly Case<Described>[],
): (readonly [name: string, each: Case<Described>])[] {
  return cases.map((each) => [`${each.scenario.name}, ${each.mode}`, each]);
}
