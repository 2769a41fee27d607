import { expect, test } from "bun:test";
import { attempt, plainUsage, turn } from "../../test/support/request-record.ts";
import type { AnswerFacts } from "./model-request.ts";
import { thrownAwayParts } from "./thrown-away.ts";

const north = { providerName: "north", model: "m" };
const south = { providerName: "south", model: "m" };
const untold: AnswerFacts = { usage: undefined, emptyReason: undefined };
const broken = (facts: AnswerFacts, events: number) => ({ ...attempt(), thrownAway: { facts, events } });

test("an answer that broke without a word about its usage had the prompt of the whole one, and a token for each event", () => {
  const turns = [turn({ target: north, attempts: [broken(untold, 7)] }), turn({ target: south })];
  expect(thrownAwayParts(turns, plainUsage)).toMatchObject([
    {
      target: north,
      facts: {
        usage: {
          inputTokens: plainUsage.inputTokens,
          outputTokens: 7,
          totalTokens: plainUsage.inputTokens + 7,
          caveat: "estimated: the stream broke before the provider told what it used",
        },
      },
    },
  ]);
});

test("what it told counts, and zeros tell nothing", () => {
  const told: AnswerFacts = { usage: { ...plainUsage, outputTokens: 3 }, emptyReason: undefined };
  const zeros: AnswerFacts = {
    usage: { ...plainUsage, inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    emptyReason: "no_usage",
  };
  const turns = [turn({ target: north, attempts: [broken(told, 9), broken(zeros, 2)] })];
  expect(thrownAwayParts(turns, plainUsage).map(({ facts }) => facts.usage?.outputTokens)).toEqual([3, 2]);
});

test("without a whole answer nothing is made up, and turns that threw nothing away have no part", () => {
  expect(thrownAwayParts([turn({ target: north, attempts: [broken(untold, 7)] })], undefined)).toEqual([
    { target: north, facts: untold },
  ]);
  expect(thrownAwayParts([turn()], plainUsage)).toEqual([]);
});
