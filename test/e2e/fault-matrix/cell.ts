// The cells of the matrix: a fault, a mode, the targets around it, and what the caller does; one generator for every version of it.

import type { AnswerMode } from "../../../src/upstream-simulator/asked.ts";
import type { FaultDescription } from "../../../src/upstream-simulator/fault.ts";
import { faults } from "../../../src/upstream-simulator/faults.ts";
import { isRetried } from "./consequences.ts";
import { words, type Ending } from "./ending.ts";
import { profiles, type ProfileName } from "./profiles.ts";
import { endingOf } from "./rules.ts";

/** What surrounds the fault: `fault` and `right` are targets in their order, `open` ones have an open breaker. */
const surroundings = {
  alone: [{ answers: "fault", open: false }],
  "second target healthy": [
    { answers: "fault", open: false },
    { answers: "right", open: false },
  ],
  "all targets faulty": [
    { answers: "fault", open: false },
    { answers: "fault", open: false },
  ],
  "breaker open": [{ answers: "fault", open: true }],
  "first breaker open": [
    { answers: "right", open: true },
    { answers: "fault", open: false },
  ],
  "deadline nearly spent": [
    { answers: "fault", open: false },
    { answers: "right", open: false },
  ],
} as const;

export type Context = keyof typeof surroundings;

export const contexts: readonly Context[] = [
  "alone",
  "second target healthy",
  "all targets faulty",
  "breaker open",
  "first breaker open",
  "deadline nearly spent",
];

/**
 * stays: to the end. leaves at once: as soon as a provider has the request. leaves while held: where the provider has fallen silent.
 * leaves in back-off: between two attempts.
 */
export type Caller = "stays" | "leaves at once" | "leaves while held" | "leaves in back-off";

export const callers: readonly Caller[] = ["stays", "leaves at once", "leaves while held", "leaves in back-off"];

export interface CellTarget {
  readonly providerName: string;
  /** As the provider knows it; no other target of any cell has it. */
  readonly model: string;
  readonly ending: Ending;
  readonly open: boolean;
}

export interface Cell {
  readonly name: string;
  readonly fault: FaultDescription;
  readonly example: string;
  readonly mode: AnswerMode;
  readonly context: Context;
  readonly caller: Caller;
  readonly profile: ProfileName;
  readonly targets: readonly CellTarget[];
  /** What the caller asks for. */
  readonly model: string;
  /** Also the request's id. */
  readonly virtualModel: string;
}

/** Why a combination cannot be, or undefined when it can. */
function impossible(cell: Cell): string | undefined {
  const { caller, context, mode, targets } = cell;
  const called = targets.find(({ open }) => !open);
  if (called === undefined) return caller === "stays" ? undefined : "the answer is there before anybody could leave";
  const { ending } = called;
  const isLimited = context === "deadline nearly spent";
  if (isLimited && ending.kind === "whole" && ending.takesMs !== undefined && cell.fault.group === "timing") {
    return "takes about as long as the deadline leaves";
  }
  switch (caller) {
    case "stays":
      return ending.kind === "endless" && !isLimited ? "nothing but the caller ends it" : undefined;
    case "leaves at once":
      return undefined;
    case "leaves while held":
      return ending.holds === undefined ? "the provider never falls silent" : undefined;
    case "leaves in back-off":
      if (isLimited) return "no wait fits before the deadline";
      return isRetried(ending, mode, profiles.backoff.maxRetryAfterMs) ? undefined : "there is no back-off";
  }
}

/** Every possible combination. The numbers in names go on from cell to cell, so that no two share a model. */
export function cells(of: {
  readonly contexts: readonly Context[];
  readonly callers: readonly Caller[];
  /** For cells that run beside others. Default 1. */
  readonly firstNumber?: number;
}): Cell[] {
  const found: Cell[] = [];
  const { firstNumber = 1 } = of;
  for (const fault of faults) {
    for (const example of fault.examples) {
      for (const mode of fault.modes) {
        for (const context of of.contexts) {
          for (const caller of of.callers) {
            const cell = cellOf(firstNumber + found.length, { fault, example, mode, context, caller });
            if (impossible(cell) === undefined) found.push(cell);
          }
        }
      }
    }
  }
  return found;
}

function cellOf(number: number, what: Pick<Cell, "fault" | "example" | "mode" | "context" | "caller">): Cell {
  const { fault, example, mode, context, caller } = what;
  const targets = surroundings[context].map(({ answers, open }, index): CellTarget => {
    const model = `c${number}t${index + 1}.${answers === "right" ? "ok" : example}`;
    const ending: Ending = answers === "right" ? { kind: "whole", said: words } : endingOf(fault, example, mode, model);
    return { providerName: `${serverOf(answers === "fault" && !open, fault)}${index + 1}`, model, ending, open };
  });
  const virtualModel = `cell-${number}`;
  const [only] = targets;
  const direct = targets.length === 1 && only?.open === false;
  return {
    ...what,
    name: `${example}, ${mode}, ${context}, caller ${caller} (${virtualModel})`,
    profile: profileOf(context, caller, mode, targets),
    targets,
    model: direct && only !== undefined ? `${only.providerName}/${only.model}` : virtualModel,
    virtualModel,
  };
}

/** A connection that breaks unanswered looks like a stale one when it was used before; on a server of its own none ever was. */
function serverOf(faulty: boolean, fault: FaultDescription): string {
  return faulty && /^(?:reset|fin)-before-answer$/.test(fault.name) ? "silent" : "main";
}

function profileOf(context: Context, caller: Caller, mode: AnswerMode, targets: readonly CellTarget[]): ProfileName {
  if (context === "deadline nearly spent") return "deadline";
  if (caller === "leaves in back-off") return "backoff";
  if (caller === "leaves while held") return "patient";
  const held = targets.map(({ ending }) => ending.holds).find((holds) => holds !== undefined);
  // Proves the 2 s that an error body gets, where that costs them only once.
  if (held === "in-error-body" && mode === "stream" && context === "alone") return "patient";
  return held === undefined ? "patient" : "quick";
}
