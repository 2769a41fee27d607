// The circuits of all providers behind the admission port.

import type { Admission, Permit, Refusal, Verdict } from "../core/admission.ts";
import type { Clock } from "../core/clock.ts";
import type { BreakerPolicy } from "../core/policy.ts";
import type { Target } from "../core/target.ts";
import { CircuitBreaker, type CircuitState } from "./circuit-breaker.ts";
import { ModelCircuits } from "./model-circuits.ts";

/** Wait named in the refusal when all slots of a provider are taken: they free up as calls end. */
const slotRetryAfterMs = 1000;

export interface BreakerTransition {
  readonly providerName: string;
  /** Undefined with `scope: provider`. */
  readonly model: string | undefined;
  readonly from: CircuitState;
  readonly to: CircuitState;
}

/** A provider's circuit as the status page and the gauge show it. */
interface BreakerView {
  readonly providerName: string;
  readonly scope: BreakerPolicy["scope"];
  /** With `scope: model` that of the most recently completed request. */
  readonly state: CircuitState;
  /** Monotonic milliseconds; undefined unless open. */
  readonly openedAt: number | undefined;
  readonly timeoutMs: number;
  /** With `scope: model`, each model that has a circuit. */
  readonly models: readonly { readonly model: string; readonly state: CircuitState }[];
}

export interface Breakers extends Admission {
  /** Providers whose breaker is off are absent. */
  views(): readonly BreakerView[];
  /** Closes the circuits of a provider by hand (behaviour 2.12); nothing for one whose breaker is off. */
  reset(providerName: string): void;
}

interface Guard {
  reset(): void;
  tryAcquire(model: string): Permit | Refusal;
  admits(model: string): boolean;
  view(): BreakerView;
}

const openPermit: Permit = { probe: false, settle() {} };

/** One guard per provider; a disabled breaker or a `failure_threshold` of 0 guards nothing. */
export function createBreakers(options: {
  readonly providers: readonly { readonly name: string; readonly policy: BreakerPolicy }[];
  readonly clock: Clock;
  readonly onTransition: (transition: BreakerTransition) => void;
}): Breakers {
  const guards = new Map<string, Guard>();
  for (const { name, policy } of options.providers) {
    if (!policy.enabled || policy.failureThreshold === 0) continue;
    const guard = policy.scope === "provider" ? providerGuard : modelGuard;
    guards.set(name, guard(name, policy, options.clock, options.onTransition));
  }
  return {
    tryAcquire(target: Target) {
      const guard = guards.get(target.providerName);
      return guard === undefined ? openPermit : guard.tryAcquire(target.model);
    },
    admits: (target) => guards.get(target.providerName)?.admits(target.model) ?? true,
    views: () => [...guards.values()].map((guard) => guard.view()),
    reset: (providerName) => guards.get(providerName)?.reset(),
  };
}

function providerGuard(
  providerName: string,
  policy: BreakerPolicy,
  clock: Clock,
  onTransition: (transition: BreakerTransition) => void,
): Guard {
  const breaker = new CircuitBreaker(policy, clock, (from, to) =>
    onTransition({ providerName, model: undefined, from, to }),
  );
  return {
    reset: () => breaker.reset(),
    tryAcquire: () => breaker.tryAcquire(),
    admits: () => breaker.admits,
    view: () => ({
      providerName,
      scope: "provider",
      state: breaker.state,
      openedAt: breaker.openedAt,
      timeoutMs: policy.timeoutMs,
      models: [],
    }),
  };
}

function modelGuard(
  providerName: string,
  policy: BreakerPolicy,
  clock: Clock,
  onTransition: (transition: BreakerTransition) => void,
): Guard {
  const circuits = new ModelCircuits(policy, clock, (model, from, to) =>
    onTransition({ providerName, model, from, to }),
  );
  let latest: CircuitBreaker | undefined;
  return {
    reset() {
      for (const [, breaker] of circuits.entries()) breaker.reset();
    },
    tryAcquire(model) {
      const breaker = circuits.circuitOf(model);
      if (breaker === undefined) return { refused: "no-breaker-slot", retryAfterMs: slotRetryAfterMs };
      const given = breaker.tryAcquire();
      if ("refused" in given) {
        latest = breaker;
        return given;
      }
      return {
        probe: given.probe,
        settle(verdict: Verdict) {
          given.settle(verdict);
          latest = breaker;
        },
      };
    },
    admits: (model) => circuits.admits(model),
    view: () => ({
      providerName,
      scope: "model",
      state: latest?.state ?? "closed",
      openedAt: latest?.openedAt,
      timeoutMs: policy.timeoutMs,
      models: Array.from(circuits.entries(), ([model, breaker]) => ({ model, state: breaker.state })),
    }),
  };
}
