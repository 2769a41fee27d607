// One circuit: closed, open or half-open, told by the verdicts of the turns it let through.

import type { Permit, Refusal, Verdict } from "../core/admission.ts";
import type { Clock } from "../core/clock.ts";

/** The part of the policy that one circuit needs; milliseconds. */
export interface CircuitSettings {
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly timeoutMs: number;
}

export type CircuitState = "closed" | "half-open" | "open";

/** Told once per change, in order. */
export type TransitionListener = (from: CircuitState, to: CircuitState) => void;

/** How soon a caller may ask again while a probe is under way; the probe usually ends long before its lease. */
const probeRetryAfterMs = 1000;

type State =
  | { readonly kind: "closed"; failures: number }
  | { readonly kind: "open"; readonly openedAt: number }
  | { readonly kind: "half-open"; successes: number; probe: CircuitPermit | undefined };

/**
 * The state machine of behaviour 2.5 with the additions of 2.12. Every change of state starts a new generation, and a
 * verdict counts only in the generation that admitted it: a call from before the circuit opened neither closes nor re-opens it.
 */
export class CircuitBreaker {
  readonly #settings: CircuitSettings;
  readonly #clock: Clock;
  readonly #onTransition: TransitionListener;
  #state: State = { kind: "closed", failures: 0 };
  #generation = 0;
  #inFlight = 0;

  constructor(settings: CircuitSettings, clock: Clock, onTransition: TransitionListener) {
    this.#settings = settings;
    this.#clock = clock;
    this.#onTransition = onTransition;
  }

  get state(): CircuitState {
    return this.#state.kind;
  }

  /** Permits given and not settled yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** On the clock's monotonic scale; undefined unless open. */
  get openedAt(): number | undefined {
    return this.#state.kind === "open" ? this.#state.openedAt : undefined;
  }

  /** Whether `tryAcquire` would give a permit now; changes nothing. */
  get admits(): boolean {
    return this.#refusal() === undefined;
  }

  /** A permit or a refusal, at once. An open circuit whose timeout has passed becomes half-open here. */
  tryAcquire(): Permit | Refusal {
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const state = this.#state;
    switch (state.kind) {
      case "closed":
        return this.#admit(undefined);
      case "open": {
        const halfOpen: State = { kind: "half-open", successes: 0, probe: undefined };
        this.#become(halfOpen);
        return this.#admit(halfOpen);
      }
      case "half-open":
        return this.#admit(state);
    }
  }

  #refusal(): Refusal | undefined {
    const state = this.#state;
    switch (state.kind) {
      case "closed":
        return undefined;
      case "open": {
        const left = state.openedAt + this.#settings.timeoutMs - this.#clock.now();
        return left > 0 ? { refused: "circuit-open", retryAfterMs: left } : undefined;
      }
      case "half-open": {
        const holder = state.probe;
        // The lease frees the slot of a probe that never settles: an upstream that accepts and never answers must not wedge us.
        const taken = holder !== undefined && this.#clock.now() < holder.leaseEnd;
        return taken ? { refused: "circuit-open", retryAfterMs: probeRetryAfterMs } : undefined;
      }
    }
  }

  /** Closes it by hand: nothing that was let through before counts any more. */
  reset(): void {
    if (this.#state.kind === "closed") {
      this.#state = { kind: "closed", failures: 0 };
      this.#generation++;
    } else this.#become({ kind: "closed", failures: 0 });
  }

  #admit(halfOpen: Extract<State, { kind: "half-open" }> | undefined): Permit {
    this.#inFlight++;
    const permit = new CircuitPermit(
      this,
      this.#generation,
      halfOpen !== undefined,
      halfOpen === undefined ? 0 : this.#clock.now() + this.#settings.timeoutMs,
    );
    if (halfOpen !== undefined) halfOpen.probe = permit;
    return permit;
  }

  /** Called by a permit, once. */
  settle(permit: CircuitPermit, verdict: Verdict): void {
    this.#inFlight--;
    if (permit.generation !== this.#generation) return;
    const state = this.#state;
    switch (state.kind) {
      case "closed":
        if (verdict === "success") state.failures = 0;
        if (verdict !== "failure") return;
        state.failures++;
        if (state.failures >= this.#settings.failureThreshold) this.#open();
        return;
      case "half-open":
        // A probe that outlived its lease frees nothing: the slot is its successor's by now.
        if (state.probe === permit) state.probe = undefined;
        if (verdict === "failure") this.#open();
        if (verdict !== "success") return;
        state.successes++;
        if (state.successes >= this.#settings.successThreshold) this.#become({ kind: "closed", failures: 0 });
        return;
      case "open":
        // No permit is of an open generation.
        return;
    }
  }

  #open(): void {
    this.#become({ kind: "open", openedAt: this.#clock.now() });
  }

  #become(next: State): void {
    const from = this.#state.kind;
    this.#state = next;
    this.#generation++;
    this.#onTransition(from, next.kind);
  }
}

/** Knows the generation it was given in. */
class CircuitPermit implements Permit {
  readonly probe: boolean;
  readonly generation: number;
  /** End of a probe's hold on the slot, monotonic milliseconds; 0 for other permits. */
  readonly leaseEnd: number;
  readonly #breaker: CircuitBreaker;
  #settled = false;

  constructor(breaker: CircuitBreaker, generation: number, probe: boolean, leaseEnd: number) {
    this.#breaker = breaker;
    this.generation = generation;
    this.probe = probe;
    this.leaseEnd = leaseEnd;
  }

  settle(verdict: Verdict): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#breaker.settle(this, verdict);
  }
}
