// Targets that may be asked to go on from a text, whatever they make of that; what a rescue uses and costs; whose circuit it opens.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { type RescueGateway, rescueGateway } from "../support/rescue-gateway.ts";

const cut = "cut-after-41~words=60";
const withUsage = { stream_options: { include_usage: true } };
const priced = (id: string, price: number) => ({
  id,
  metadata: { pricing: { input_per_mtok: price, output_per_mtok: 10 * price } },
});

let gateway: RescueGateway;

beforeAll(async () => {
  gateway = await rescueGateway(
    {
      "goes-on": [
        ["a/goes-on", cut],
        ["p/goes-on", "ok-60~prefill=go-on"],
      ],
      "goes-on-elsewhere": [
        ["a/goes-on-elsewhere", "cut-after-7"],
        ["p/other", "ok-12~prefill=go-on"],
      ],
      echoes: [
        ["a/echoes", cut],
        ["p/echoes", "ok-60~prefill=echo"],
      ],
      refuses: [
        ["a/refuses", cut],
        ["p/refuses", "ok-60~prefill=refuse"],
      ],
      ignores: [
        ["a/ignores", cut],
        ["p/ignores", "ok-60"],
      ],
      billed: [
        ["a/billed", "cut-after-7"],
        ["p/billed", "ok-12~prefill=go-on"],
      ],
    },
    {
      config: {
        logging: { enabled: true, flush_interval: "10ms" },
      },
    },
  );
});
afterAll(() => gateway.stop());

/** The texts that `p` was given to go on from; null where it was asked afresh. */
function prefills(model: string): (string | null)[] {
  return gateway
    .simulator("p")
    .calls.filter((call) => call.model === model)
    .map(({ body }) => {
      const { messages } = JSON.parse(Buffer.from(body).toString()) as {
        messages: { role: string; content: string }[];
      };
      const last = messages.at(-1);
      return last?.role === "assistant" ? last.content : null;
    });
}

describe("a target that is asked to go on", () => {
  test.each([
    ["and does: no word comes twice", "goes-on", [answerText("goes-on", 40)]],
    ["and sends the text back first: it is asked afresh", "echoes", [answerText("echoes", 40), null]],
    ["and refuses that: it is asked afresh", "refuses", [answerText("refuses", 40), null]],
    ["and starts anew all the same: it is asked afresh", "ignores", [answerText("ignores", 40), null]],
  ] as const)("%s", async (_, name, asked) => {
    const seen = await gateway.stream(name);
    expect(seen).toMatchObject({
      text: answerText(name, 60),
      ids: [`chatcmpl-simulated-${name}`],
      roles: 1,
      finishes: 1,
      terminals: 1,
      error: undefined,
    });
    expect(seen.ms).toBeLessThan(1500);
    expect(prefills(name)).toEqual([...asked]);
  });

  test("and is another model goes on in its own words", async () => {
    const seen = await gateway.stream("goes-on-elsewhere");
    expect(seen.text).toBe(
      `${answerText("goes-on-elsewhere", 6)} [other]${answerText("goes-on-elsewhere", 12).slice(answerText("goes-on-elsewhere", 7).length)}`,
    );
    expect(seen).toMatchObject({ ids: ["chatcmpl-simulated-goes-on-elsewhere"], finishes: 1, terminals: 1 });
  });
});

test("the caller who asks for usage gets the sum of both turns, and the row has it too", async () => {
  const id = crypto.randomUUID();
  const seen = await gateway.stream("billed", withUsage, { headers: { "x-request-id": id } });
  // 12 words: 6 of the first one, whose prompt is estimated at 11, and 6 behind a prompt of 11 and the 6 words given.
  expect(seen.usage).toMatchObject({ prompt_tokens: 28, completion_tokens: 12, total_tokens: 40, estimated: true });
  let row;
  for (let count = 1; row === undefined; count++) {
    row = (await gateway.rows(count)).find((each) => each.request_id === id);
  }
  expect(row.usage).toMatchObject({ input_tokens: 28, output_tokens: 12, total_tokens: 40 });
  expect(row.data.attempts.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
    "first a/billed",
    "recovery p/billed",
  ]);
});

test("each turn costs its own provider's price, and the circuit of the one that broke it opens", async () => {
  await using costly = await rescueGateway(
    {
      v: [
        ["a/m", "cut-after-7"],
        ["b/m", "ok-12"],
      ],
    },
    {
      config: {
        providers: {
          a: { listed: ["m"], models: [priced("m", 1)] },
          b: { listed: ["m"], models: [priced("m", 100)] },
        },
        resilience: { circuit_breaker: { failure_threshold: 2 } },
        logging: { enabled: true, flush_interval: "10ms" },
      },
    },
  );
  const circuits = async () => (await costly.status()).providers.map((each) => each.circuit_breaker?.state);
  expect((await costly.stream("v")).text).toBe(answerText("m", 12));
  const [row] = await costly.rows(1);
  // 11 and 6 tokens at 1 and 10, 11 and 12 tokens at 100 and 1000 dollars for a million.
  expect(row?.usage?.total_cost).toBeCloseTo((11 + 60 + 1100 + 12_000) / 1e6, 12);
  expect(row?.usage).toMatchObject({ input_tokens: 22, output_tokens: 18 });
  expect(await circuits()).toEqual(["closed", "closed"]);
  expect((await costly.stream("v")).terminals).toBe(1);
  expect(await circuits()).toEqual(["open", "closed"]);
  expect((await costly.stream("v")).text).toBe(answerText("m", 12));
  expect(costly.called("a").length).toBe(2);
});
