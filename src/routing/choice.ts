// The order in which the targets behind a virtual model get their turn, worked out as far as can be before any request.

import type { Target } from "../core/target.ts";
import type { Strategy } from "../core/virtual-model.ts";

/** Whether an order begins with this choice or has it further back: only the first one moves a rotation that counts. */
export type Role = "first" | "later";

/** A concrete model, or a virtual model with everything behind it. */
export interface Choice {
  /** The order for one request; never empty, no target twice. */
  next(role: Role): readonly Target[];
  /** The order of every request, when no rotation is behind it. */
  readonly fixed: readonly Target[] | undefined;
  /** `next` gives always one of the same few arrays. */
  readonly stable: boolean;
  /** What it begins with when no rotation has moved. */
  readonly first: Target;
  /** USD per million tokens, input and output together; infinite when nothing behind it has a price. */
  cheapest(): number;
}

export function concreteChoice(target: Target, priceOf: (target: Target) => number | undefined): Choice {
  const order = Object.freeze([target]);
  return { next: () => order, fixed: order, stable: true, first: target, cheapest: () => priceOf(target) ?? Infinity };
}

/** Gives the place whose turn it is among the legs of one virtual model. */
export type Rotate = (role: Role) => number;

/**
 * The first leg as the strategy says, then the others in listed order, each by its own strategy (page "Failover").
 * `rotate` is asked by `round_robin` only.
 */
export function balancedChoice(legs: readonly [Choice, ...Choice[]], strategy: Strategy, rotate: Rotate): Choice {
  const [only] = legs;
  if (legs.length === 1) return only;
  const cheapest = () => Math.min(...legs.map((leg) => leg.cheapest()));
  const fixedLegs = legs.every(({ fixed }) => fixed !== undefined);
  const startingWith = (index: number, role: Role) => joinOrders(legs, index, role);
  if (strategy === "round_robin") {
    const orders = fixedLegs ? legs.map((_, index) => Object.freeze(startingWith(index, "first"))) : undefined;
    return {
      next(role) {
        const index = rotate(role);
        return orders?.[index] ?? startingWith(index, role);
      },
      fixed: undefined,
      stable: fixedLegs,
      first: only.first,
      cheapest,
    };
  }
  const index = strategy === "cost" ? indexOfCheapest(legs) : 0;
  const fixed = fixedLegs ? Object.freeze(startingWith(index, "first")) : undefined;
  return {
    next: (role) => fixed ?? startingWith(index, role),
    fixed,
    stable: fixedLegs,
    first: (legs[index] ?? only).first,
    cheapest,
  };
}

/** One leg's targets, then those of the others in listed order, each target once. `ahead` begins the order when it is given. */
export function joinOrders(
  legs: readonly Choice[],
  firstIndex: number | undefined,
  role: Role,
  ahead?: Target,
): readonly Target[] {
  const order: Target[] = ahead === undefined ? [] : [ahead];
  const first = firstIndex === undefined ? undefined : legs[firstIndex];
  if (first !== undefined) addNew(order, first.next(role));
  legs.forEach((leg, index) => {
    if (index !== firstIndex) addNew(order, leg.next("later"));
  });
  return order;
}

/** Targets come from one pool, so the same target is the same object. */
function addNew(order: Target[], more: readonly Target[]): void {
  for (const target of more) if (!order.includes(target)) order.push(target);
}

/** An unpriced leg never goes before a priced one; without any price the first listed wins (behaviour 1.8). */
function indexOfCheapest(legs: readonly Choice[]): number {
  let best = 0;
  let bestPrice = Infinity;
  legs.forEach((leg, index) => {
    const price = leg.cheapest();
    if (price < bestPrice) {
      best = index;
      bestPrice = price;
    }
  });
  return best;
}
