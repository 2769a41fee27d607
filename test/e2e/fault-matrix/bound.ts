// How long a cell may take under `strong`: its own waits by the limits of its profile, and what a busy machine adds.

import type { Cell, CellTarget } from "./cell.ts";
import type { Expected } from "./expectation.ts";
import { isAnotherLeft } from "./expected.ts";
import { profiles } from "./profiles.ts";

/** An error body is read for so long (2.12). */
const errorBodyMs = 2000;
/** After a finish reason (decision 8). */
const graceMs = 5000;

/** Milliseconds that the attempts take at most, one after the other, and the waits between them. */
export function attemptsMs(cell: Cell, { attempts }: Expected): number {
  const { backoffMs, deadlineMs } = profiles[cell.profile];
  if (deadlineMs > 0) return deadlineMs;
  if (cell.caller !== "stays") return 0;
  let sumMs = 0;
  for (const [index, target] of cell.targets.entries()) {
    const name = `${target.providerName}/${target.model}`;
    const made = attempts.filter((attempt) => attempt.target === name && attempt.outcome !== "skipped").length;
    sumMs += made * (attemptMs(cell, target, isAnotherLeft(cell.targets, index)) + backoffMs + (asksMs(target) ?? 0));
  }
  return sumMs;
}

function asksMs({ ending }: CellTarget): number | undefined {
  return ending.kind === "failed" ? ending.asksMs : undefined;
}

function attemptMs({ mode, profile }: Cell, { ending }: CellTarget, isAnother: boolean): number {
  const { limitMs, firstEventMs, answerMs } = profiles[profile];
  switch (ending.holds) {
    case undefined:
      return ending.takesMs ?? 0;
    case "before-headers":
      if (!isAnother) return limitMs;
      return mode === "stream" ? firstEventMs : answerMs;
    case "before-event":
      return isAnother ? firstEventMs : limitMs;
    case "in-error-body":
      return Math.min(limitMs, errorBodyMs);
    case "in-body":
    case "relaying":
      return limitMs;
    case "after-finish":
      return Math.min(limitMs, graceMs);
  }
}

/** Under which cells are summed up. */
export function kindOf({ context, mode, resilience, targets }: Cell): string {
  const ending = targets.find(({ open }) => !open)?.ending;
  const how =
    ending === undefined ? "refused" : `${ending.kind}${ending.holds === undefined ? "" : ` ${ending.holds}`}`;
  return `${resilience}, ${context}, ${mode}, ${how}`;
}
