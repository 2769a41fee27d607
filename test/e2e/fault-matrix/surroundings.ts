// What surrounds a fault under each profile: the targets in their order, and which combinations can be.

import type { Resilience } from "./profiles.ts";
import { crossPairs, type Pair, samePairs } from "./speakers.ts";

/** `fault`: the fault. `right`: the same model, healthy. `other`: a healthy model that says something else. */
interface Place {
  readonly answers: "fault" | "right" | "other";
  /** Its breaker is open. */
  readonly open: boolean;
  /** It speaks what neither the caller nor the faulty one does. */
  readonly third: boolean;
}

const fault: Place = { answers: "fault", open: false, third: false };
const right: Place = { answers: "right", open: false, third: false };
const other: Place = { answers: "other", open: false, third: false };
const third: Place = { answers: "right", open: false, third: true };
const open = (place: Place): Place => ({ ...place, open: true });

export type Context =
  | "alone"
  | "second target healthy"
  | "second target says something else"
  | "second breaker open"
  | "all targets faulty"
  | "breaker open"
  | "first breaker open"
  | "deadline nearly spent"
  | "alone in another dialect"
  | "second target in a third dialect";

const common = {
  alone: [fault],
  "second target healthy": [fault, right],
  "breaker open": [open(fault)],
  "first breaker open": [open(right), fault],
  "deadline nearly spent": [fault, right],
  "alone in another dialect": [fault],
  "second target in a third dialect": [fault, third],
} as const;

/** Three faulty targets under `strong`: with the retries of each they want more attempts than a request may have. */
const surroundings: Readonly<Record<Resilience, Partial<Record<Context, readonly Place[]>>>> = {
  classic: { ...common, "all targets faulty": [fault, fault] },
  strong: {
    ...common,
    "second target says something else": [fault, other],
    "second breaker open": [fault, open(right)],
    "all targets faulty": [fault, fault, fault],
  },
};

/** Nothing for a context that the profile does not have. */
export function placesOf(context: Context, resilience: Resilience): readonly Place[] {
  return surroundings[resilience][context] ?? [];
}

const classicContexts: readonly Context[] = [
  "alone",
  "second target healthy",
  "all targets faulty",
  "breaker open",
  "first breaker open",
  "deadline nearly spent",
];

/** Where the faulty target does not speak what the caller speaks. */
const crossContexts: readonly Context[] = ["alone in another dialect", "second target in a third dialect"];

export const contextsOf: Readonly<Record<Resilience, readonly Context[]>> = {
  classic: [...classicContexts, ...crossContexts],
  strong: [
    ...classicContexts.slice(0, 2),
    "second target says something else",
    "second breaker open",
    ...classicContexts.slice(2),
    ...crossContexts,
  ],
};

/** All callers, each with all the dialects that a faulty provider can have there. */
export function pairsOf(context: Context): readonly Pair[] {
  return crossContexts.includes(context) ? crossPairs : samePairs;
}
