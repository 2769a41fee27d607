// What surrounds a fault under each profile: the targets in their order, and which combinations can be.

import type { Resilience } from "./profiles.ts";

/** `fault`: the fault. `right`: the same model, healthy. `other`: a healthy model that says something else. */
interface Place {
  readonly answers: "fault" | "right" | "other";
  /** Its breaker is open. */
  readonly open: boolean;
}

const fault: Place = { answers: "fault", open: false };
const right: Place = { answers: "right", open: false };
const other: Place = { answers: "other", open: false };
const open = (place: Place): Place => ({ ...place, open: true });

export type Context =
  | "alone"
  | "second target healthy"
  | "second target says something else"
  | "second breaker open"
  | "all targets faulty"
  | "breaker open"
  | "first breaker open"
  | "deadline nearly spent";

const common = {
  alone: [fault],
  "second target healthy": [fault, right],
  "breaker open": [open(fault)],
  "first breaker open": [open(right), fault],
  "deadline nearly spent": [fault, right],
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

export const contextsOf: Readonly<Record<Resilience, readonly Context[]>> = {
  classic: classicContexts,
  strong: [
    ...classicContexts.slice(0, 2),
    "second target says something else",
    "second breaker open",
    ...classicContexts.slice(2),
  ],
};
