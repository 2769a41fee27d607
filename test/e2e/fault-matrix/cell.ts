// The cells of the matrix: a fault, a mode, the targets around it, and what the caller does; one generator for every version of it.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { AnswerMode } from "../../../src/upstream-simulator/asked.ts";
import type { FaultDescription } from "../../../src/upstream-simulator/fault.ts";
import { faultsIn } from "../../../src/upstream-simulator/faults.ts";
import { isRetried } from "./consequences.ts";
import { words, type Ending } from "./ending.ts";
import { profiles, type ProfileName, type Resilience } from "./profiles.ts";
import { endingOf } from "./rules.ts";
import { askings, type Asking, type Pair, providerTypeOf, thirdDialect } from "./speakers.ts";
import { pairsOf, placesOf, type Context } from "./surroundings.ts";

/**
 * stays: to the end. leaves at once: as soon as a provider has the request. leaves while held: where the provider has fallen silent.
 * leaves in back-off: between two attempts.
 */
export type Caller = "stays" | "leaves at once" | "leaves while held" | "leaves in back-off";

export const callers: readonly Caller[] = ["stays", "leaves at once", "leaves while held", "leaves in back-off"];

export interface CellTarget {
  readonly providerName: string;
  readonly providerType: string;
  readonly speaks: Dialect;
  /** As the provider knows it; no other cell has it. */
  readonly model: string;
  readonly ending: Ending;
  readonly open: boolean;
  /** Healthy, although its name is that of a faulty model, so that it says the same text. */
  readonly healed: boolean;
}

export interface Cell {
  readonly name: string;
  readonly fault: FaultDescription;
  readonly example: string;
  readonly mode: AnswerMode;
  /** The caller's dialect. */
  readonly asks: Asking;
  /** The faulty provider's. */
  readonly speaks: Dialect;
  readonly context: Context;
  readonly caller: Caller;
  readonly resilience: Resilience;
  readonly profile: ProfileName;
  readonly targets: readonly CellTarget[];
  /** What the caller asks for. */
  readonly model: string;
  /** Also the request's id. */
  readonly virtualModel: string;
}

type Combination = Pick<Cell, "fault" | "example" | "mode" | "asks" | "speaks" | "context" | "caller" | "resilience">;

/** Why a combination cannot be, or undefined when it can. */
function impossible(cell: Cell): string | undefined {
  const { caller, context, mode, resilience, targets } = cell;
  const called = targets.find(({ open }) => !open);
  if (called === undefined) return caller === "stays" ? undefined : "the answer is there before anybody could leave";
  const { ending } = called;
  if (cell.fault.name === "cut-after-first-finish" && cell.asks !== "chat-completions") {
    return "the caller has no way to ask for several choices";
  }
  const isLimited = context === "deadline nearly spent";
  if (isLimited && ending.kind === "whole" && ending.takesMs !== undefined && cell.fault.group === "timing") {
    return "takes about as long as the deadline leaves";
  }
  if (context === "second target says something else" && ending.kind !== "truncated" && ending.kind !== "in-band") {
    return "nothing was delivered that it could differ from";
  }
  const isOnlySecond = context === "second target says something else" || context === "second breaker open";
  switch (caller) {
    case "stays":
      return ending.kind === "endless" && !isLimited ? "nothing but the caller ends it" : undefined;
    case "leaves at once":
      return isOnlySecond ? "the same as with a healthy second target" : undefined;
    case "leaves while held":
      if (isOnlySecond) return "the same as with a healthy second target";
      return ending.holds === undefined ? "the provider never falls silent" : undefined;
    case "leaves in back-off":
      if (isOnlySecond) return "the same as with a healthy second target";
      if (isLimited) return "no wait fits before the deadline";
      return isRetried(ending, mode, profiles.backoff.maxRetryAfterMs, resilience) ? undefined : "there is no back-off";
  }
}

/** Every possible combination. The numbers in names go on from cell to cell, so that no two share a model. */
export function cells(of: {
  readonly contexts: readonly Context[];
  readonly callers: readonly Caller[];
  /** Default: classic. */
  readonly resilience?: Resilience;
  /** What callers speak. Default: each of the three. */
  readonly asks?: readonly Asking[];
  /** For cells that run beside others. Default 1. */
  readonly firstNumber?: number;
}): Cell[] {
  const found: Cell[] = [];
  const { asks: asked = askings, firstNumber = 1, resilience = "classic" } = of;
  for (const context of of.contexts) {
    for (const pair of pairsOf(context)) {
      if (!asked.includes(pair.asks)) continue;
      for (const { fault, example, mode } of formsIn(pair.speaks)) {
        for (const caller of of.callers) {
          const what = { fault, example, mode, ...pair, context, caller, resilience };
          const cell = cellOf(firstNumber + found.length, what);
          if (impossible(cell) === undefined) found.push(cell);
        }
      }
    }
  }
  return found;
}

/** Each form of each fault that this dialect has, in each of its modes. */
export function formsIn(dialect: Dialect): Pick<Cell, "fault" | "example" | "mode">[] {
  return faultsIn(dialect).flatMap((fault) =>
    fault.examplesIn(dialect).flatMap((example) => fault.formsIn(dialect).map((mode) => ({ fault, example, mode }))),
  );
}

function cellOf(number: number, what: Combination): Cell {
  const { example, asks, speaks, context, caller, resilience } = what;
  const targets = targetsOf(number, what);
  const virtualModel = `cell-${number}`;
  const [only] = targets;
  // Stream recovery is a matter of virtual models, also of those with one target.
  const direct = resilience === "classic" && targets.length === 1 && only?.open === false;
  return {
    ...what,
    name: `${resilience}: ${example}, ${asks} from ${speaks}, ${what.mode}, ${context}, caller ${caller} (${virtualModel})`,
    profile: profileOf(what, targets),
    targets,
    model: direct && only !== undefined ? `${only.providerName}/${only.model}` : virtualModel,
    virtualModel,
  };
}

function targetsOf(number: number, what: Combination): CellTarget[] {
  const { fault, example, mode, asks, speaks, context, resilience } = what;
  // A text names its model. Under `strong` one target is to say what another one began to say.
  const isShared = resilience === "strong";
  return placesOf(context, resilience).map(({ answers, open, third }, index): CellTarget => {
    const healed = isShared && answers === "right";
    const own = isShared && answers !== "other" ? `c${number}` : `c${number}t${index + 1}`;
    const model = `${own}.${answers === "fault" || healed ? example : "ok"}`;
    const pair: Pair = { asks, speaks: third ? thirdDialect({ asks, speaks }) : speaks };
    const ending: Ending =
      answers === "fault" ? endingOf(fault, example, mode, pair, resilience, model) : { kind: "whole", said: words };
    const providerType = providerTypeOf(pair);
    const server = serverOf(answers === "fault" && !open, fault);
    const providerName = `${providerType}-${server}${index + 1}`;
    return { providerName, providerType, speaks: pair.speaks, model, ending, open, healed };
  });
}

/** A connection that breaks unanswered looks like a stale one when it was used before; on a server of its own none ever was. */
function serverOf(faulty: boolean, fault: FaultDescription): string {
  return faulty && /^(?:reset|fin)-before-answer$/.test(fault.name) ? "silent" : "main";
}

function profileOf({ context, caller, mode, resilience }: Combination, targets: readonly CellTarget[]): ProfileName {
  if (context === "deadline nearly spent") return "deadline";
  if (caller === "leaves in back-off") return "backoff";
  if (caller === "leaves while held") return "patient";
  const held = targets.map(({ ending }) => ending.holds).find((holds) => holds !== undefined);
  if (resilience === "strong") {
    const givesWay = held === "before-headers" || (held === "before-event" && mode === "stream");
    if (context === "second target healthy" && givesWay) return "giving-way";
    return held === undefined ? "patient" : "quick";
  }
  // Proves the 2 s that an error body gets, where that costs them only once.
  if (held === "in-error-body" && mode === "stream" && context === "alone") return "patient";
  return held === undefined ? "patient" : "quick";
}
