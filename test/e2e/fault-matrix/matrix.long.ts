// The fault matrix, complete: every form of every fault, both modes, in every surrounding, with a caller who stays or leaves in any phase.

import { expect, test } from "bun:test";
import { callers, cells, contexts } from "./cell.ts";
import { runCells } from "./run-cells.ts";

const parts = contexts
  .flatMap((context) =>
    callers.map((caller) => ({ context, caller, all: cells({ contexts: [context], callers: [caller] }) })),
  )
  .filter(({ all }) => all.length > 0);

test.each(parts)(
  "$context, caller $caller: every cell ends as the rule table says",
  async ({ context, caller, all }) => {
    const { wrong, trouble, ms } = await runCells(all);
    console.log(`${context}, caller ${caller}: ${all.length} cells, ${wrong.size} wrong, ${Math.round(ms / 1000)} s`);
    expect([...wrong]).toEqual([]);
    expect(trouble).toEqual([]);
  },
);
