// Parts of the matrix: what takes seconds in `npm test`, and what the complete one takes of surroundings in other dialects.

import type { Cell } from "./cell.ts";

/** The first form of each way in which a provider's answer ends, for every group of faults, pair of dialects, mode and context. */
export function oneOfEachKind(of: readonly Cell[]): Cell[] {
  const kinds = new Map<string, Cell>();
  for (const cell of of) {
    const { said: _, ...ending } = { said: undefined, ...cell.targets[0]?.ending };
    const kind = JSON.stringify([
      cell.resilience,
      cell.fault.group,
      cell.asks,
      cell.speaks,
      cell.mode,
      cell.context,
      ending,
    ]);
    if (!kinds.has(kind)) kinds.set(kind, cell);
  }
  return [...kinds.values()];
}

/** Every so many-th, so that each context and pair of dialects gets other faults than its neighbours. A prime number meets all of them by turns. */
export function spread(of: readonly Cell[], every: number): Cell[] {
  return of.filter((_, index) => index % every === 0);
}

export const isChatAlone = ({ asks, speaks }: Cell): boolean => asks === "chat-completions" && speaks === asks;
