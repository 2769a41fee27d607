// The fault matrix, complete: every form of every fault, both modes, in every surrounding, with a caller who stays or leaves in any phase, under both profiles.

import { expect, test } from "bun:test";
import { callers, cells } from "./cell.ts";
import { runCells } from "./run-cells.ts";
import { contextsOf } from "./surroundings.ts";

const parts = (["classic", "strong"] as const)
  .flatMap((resilience) =>
    contextsOf[resilience].flatMap((context) =>
      callers.map((caller) => {
        return { resilience, context, caller, all: cells({ resilience, contexts: [context], callers: [caller] }) };
      }),
    ),
  )
  .filter(({ all }) => all.length > 0);

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
