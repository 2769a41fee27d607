// A part of the matrix that takes seconds: of what ends in the same way one form.

import type { Cell } from "./cell.ts";

/** The first form of each way in which a provider's answer ends, for every group of faults, pair of dialects, mode and context. */
export function oneOfEachKind(of: readonly Cell[]): Cell[] {
  const kinds = new Map<string, Cell>();
  for (const cell of of) {
    const { said: _, ...ending } = { said: undefined, ...cell.targets[0]?.ending };
    const kind = JSON.stringify([cell.fault.group, cell.asks, cell.speaks, cell.mode, cell.context, ending]);
    if (!kinds.has(kind)) kinds.set(kind, cell);
  }
  return [...kinds.values()];
}
