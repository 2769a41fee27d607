// The fault matrix, complete: every form of every fault, both modes, in every surrounding, with a caller who stays or leaves in any phase, under both profiles; in other dialects than chat completions every form for each pair of them, and of the surroundings a part.

import { expect, test } from "bun:test";
import { type Caller, callers, type Cell, cells, formsIn } from "./cell.ts";
import type { Resilience } from "./profiles.ts";
import { runCells } from "./run-cells.ts";
import { isChatAlone, spread } from "./sample.ts";
import { crossPairs, samePairs } from "./speakers.ts";
import { type Context, contextsOf } from "./surroundings.ts";

/** Of what is neither chat completions alone nor every fault for every pair once: one of so many cells. */
const every = 29;
/** In these each pair of dialects has every form of every fault. */
const wholeContexts: readonly Context[] = ["alone", "alone in another dialect"];

function cellsOf(resilience: Resilience, context: Context, caller: Caller): Cell[] {
  const all = cells({ resilience, contexts: [context], callers: [caller] });
  if (resilience === "classic" && caller === "stays" && wholeContexts.includes(context)) return all;
  return [
    ...all.filter(isChatAlone),
    ...spread(
      all.filter((cell) => !isChatAlone(cell)),
      every,
    ),
  ];
}

const parts = (["classic", "strong"] as const)
  .flatMap((resilience) =>
    contextsOf[resilience].flatMap((context) =>
      callers.map((caller) => ({ resilience, context, caller, all: cellsOf(resilience, context, caller) })),
    ),
  )
  .filter(({ all }) => all.length > 0);

test("every form of every fault is among them for every pair of dialects", () => {
  const all = parts.flatMap((part) => part.all);
  for (const { asks, speaks } of [...samePairs, ...crossPairs]) {
    const ran = new Set(
      all
        .filter((cell) => cell.asks === asks && cell.speaks === speaks)
        .map(({ example, mode }) => `${example} ${mode}`),
    );
    const missing = formsIn(speaks).filter(({ example, mode }) => !ran.has(`${example} ${mode}`));
    // The caller of a stream that never ends has to leave it, and only one of chat completions can ask for several choices.
    const excused = missing.filter(({ fault }) => !/^(?:heartbeats-middle|cut-after-first-finish)$/.test(fault.name));
    expect(excused.map(({ example, mode }) => [asks, speaks, example, mode])).toEqual([]);
  }
});

test.each(parts)(
  "$resilience, $context, caller $caller: every cell ends as the rule table says",
  async ({ resilience, context, caller, all }) => {
    const { wrong, trouble, ms, longestMs } = await runCells(all);
    const seconds = Math.round(ms / 1000);
    console.log(`${resilience}, ${context}, caller ${caller}: ${all.length} cells, ${wrong.size} wrong, ${seconds} s`);
    for (const [kind, longest] of longestMs) console.log(`  ${kind}: ${Math.round(longest)} ms at most`);
    expect([...wrong]).toEqual([]);
    expect(trouble).toEqual([]);
  },
);
