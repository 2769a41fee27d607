// What SDKs do by themselves around a call: leaving, timing out, trying again, being refused before any provider is asked.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import { eventually } from "../../support/eventually.ts";
import { type SimulatedGateway, simulatedGateway } from "../../support/simulated-gateway.ts";
import type { CallerDialect, Outcome, SdkDriver, Where } from "./driver.ts";
import { drivers } from "./drivers.ts";

const key = "sk-master";
const slow = "slow-first-20000";
const paced = "paced-5-500";
const alive = "heartbeats-20";
/** Each SDK with a provider has a name of its own, which heals after one call. */
const healing = (driver: SdkDriver, provider: string): string =>
  `${driver.name.replaceAll(/\W/g, "-")}-${provider}.status-503@1~retry-after-ms=30`;

const block = { type: "openai", api_key: "k" };
const providers: Readonly<Record<string, { readonly type: string; readonly api_key: string }>> = {
  openai: block,
  anthropic: { ...block, type: "anthropic" },
  gemini: { ...block, type: "gemini" },
};
const own: Readonly<Record<CallerDialect, string>> = {
  "chat-completions": "openai",
  responses: "openai",
  messages: "anthropic",
};

let gateway: SimulatedGateway;
beforeAll(async () => {
  const listed = (provider: string): string[] => [
    ...["ok", slow, paced, alive],
    ...drivers.map((driver) => healing(driver, provider)),
  ];
  gateway = await simulatedGateway(
    {
      providers: Object.fromEntries(
        Object.entries(providers).map(([name, each]) => [name, { ...each, listed: listed(name) }]),
      ),
      resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } },
    },
    { GOMODEL_MASTER_KEY: key, BODY_SIZE_LIMIT: "16K" },
  );
});
afterAll(() => gateway.stop());

describe.each(drivers)("$name", (driver) => {
  const through = (model: string, more: Partial<Where> = {}): Where => ({ origin: gateway.url, model, key, ...more });
  const straight = (model: string, more: Partial<Where> = {}): Where => ({
    ...through(model, more),
    origin: gateway.simulator(own[driver.dialect]).origin,
  });
  const kindOf = ({ thrown }: Outcome): string | undefined => thrown?.kind;

  /** Leaves as soon as the provider has been called; the class that is thrown, and how long the provider's connection was open after it. */
  async function leave(
    provider: string,
    where: (signal: AbortSignal) => Where,
  ): Promise<readonly [string | undefined, number]> {
    const simulator = gateway.simulator(provider);
    const before = simulator.calls.length;
    const leaving = new AbortController();
    const asked = driver.ask(where(leaving.signal), {}, "buffered");
    await eventually("the provider has been called", () => simulator.calls.length > before);
    leaving.abort();
    return [kindOf(await asked), await simulator.waitForClosed(before, 2000)];
  }

  describe.each(Object.keys(providers))("at %s", (provider) => {
    test("aborting a whole answer is thrown as straight, and closes the connection to the provider", async () => {
      const home = own[driver.dialect];
      const [expected] = await leave(home, (signal) => straight(slow, { signal }));
      const [kind, openMs] = await leave(provider, (signal) => through(`${provider}/${slow}`, { signal }));
      expect(kind).toBe(expected);
      expect(openMs).toBeLessThan(1000);
    });

    test.each([paced, alive])(
      "the SDK's timeout in a stream of %s closes the connection to the provider",
      async (model) => {
        const simulator = gateway.simulator(provider);
        const before = simulator.calls.length;
        const { thrown } = await driver.ask(
          through(`${provider}/${model}`, { signal: AbortSignal.timeout(60) }),
          {},
          "stream",
        );
        expect(thrown).toBeDefined();
        expect(await simulator.waitForClosed(before, 2000)).toBeLessThan(1000);
      },
    );

    test("aborting a stream after pieces of it came is thrown as straight, and closes the connection", async () => {
      const abortAt = async (where: (more: Partial<Where>) => Where): Promise<Outcome> => {
        const leaving = new AbortController();
        let pieces = 0;
        const pieceArrived = (): void => {
          if (++pieces === 8) leaving.abort();
        };
        return driver.ask(where({ signal: leaving.signal, pieceArrived }), {}, "stream");
      };
      const expected = await abortAt((more) => straight(paced, more));
      const simulator = gateway.simulator(provider);
      const before = simulator.calls.length;
      const outcome = await abortAt((more) => through(`${provider}/${paced}`, more));
      expect(kindOf(outcome)).toBe(kindOf(expected));
      const text = outcome.thrown?.text ?? "";
      expect(text).not.toBe("");
      expect(answerText(paced, 500)).toStartWith(text);
      expect(await simulator.waitForClosed(before, 2000)).toBeLessThan(1000);
    });

    test("the SDK's own timeout is thrown as straight", async () => {
      const expected = await driver.ask(straight(slow, { timeoutMs: 40 }), {}, "buffered");
      const outcome = await driver.ask(through(`${provider}/${slow}`, { timeoutMs: 40 }), {}, "buffered");
      expect(kindOf(outcome)).toBe(kindOf(expected));
    });

    test("the SDK's own retry waits as long as the provider says and gets the answer", async () => {
      const model = healing(driver, provider);
      const outcome = await driver.ask(through(`${provider}/${model}`, { retries: 1 }), {}, "buffered");
      expect(outcome.answered?.text).toBe(answerText(model));
      expect(gateway.called(provider).filter((each) => each === model)).toHaveLength(2);
    });
  });

  describe("what is refused before a provider is asked", () => {
    const calls = (): number => Object.keys(providers).flatMap((provider) => gateway.called(provider)).length;

    test.each([
      ["a wrong key", { key: "sk-wrong" }, {}, 401, "invalid master key"],
      ["an unknown model", { model: "nobody-has-it" }, {}, 400, "unsupported model: nobody-has-it"],
      ["a body over the limit", {}, { system: "x".repeat(17_000) }, 413, "BODY_SIZE_LIMIT"],
    ] as const)("%s", async (_, where, ask, status, says) => {
      const before = calls();
      for (const mode of ["buffered", "stream"] as const) {
        const { thrown } = await driver.ask(through("openai/ok", where), ask, mode);
        expect(thrown).toMatchObject({
          status,
          kind: driver.errorClass(status),
          message: expect.stringContaining(says),
        });
      }
      expect(calls()).toBe(before);
    });
  });
});
