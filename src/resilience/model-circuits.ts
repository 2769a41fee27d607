// The circuits of one provider with `scope: model`: one per model, bounded in number.

import type { Clock } from "../core/clock.ts";
import { CircuitBreaker, type CircuitSettings, type CircuitState } from "./circuit-breaker.ts";

/** Circuits one provider may hold (owner's page "Ausfallsicherheit"). */
const maxCircuits = 1024;
/** A closed circuit that was idle for so long is dropped when a new model is looked up. */
const idleLimitMs = 10 * 60_000;

interface Entry {
  readonly breaker: CircuitBreaker;
  lastUsed: number;
}

/** Only closed circuits without a call in flight are ever dropped. */
export class ModelCircuits {
  readonly #settings: CircuitSettings;
  readonly #clock: Clock;
  readonly #onTransition: (model: string, from: CircuitState, to: CircuitState) => void;
  /** In order of last use, oldest first: a used entry moves to the end. */
  readonly #entries = new Map<string, Entry>();
  /** The model whose entry is the last one: moving it for every call would make the map a new table every few of them. */
  #newest: string | undefined;

  constructor(
    settings: CircuitSettings,
    clock: Clock,
    onTransition: (model: string, from: CircuitState, to: CircuitState) => void,
  ) {
    this.#settings = settings;
    this.#clock = clock;
    this.#onTransition = onTransition;
  }

  /** The circuit of `model`, made when there is room; undefined when every slot is active or not closed. */
  circuitOf(model: string): CircuitBreaker | undefined {
    const now = this.#clock.now();
    const known = this.#entries.get(model);
    if (known !== undefined) {
      known.lastUsed = now;
      if (this.#newest !== model) {
        this.#entries.delete(model);
        this.#entries.set(model, known);
        this.#newest = model;
      }
      return known.breaker;
    }
    this.#dropIdle(now);
    if (this.#entries.size >= maxCircuits && !this.#dropOldest()) return undefined;
    const breaker = new CircuitBreaker(this.#settings, this.#clock, (from, to) => this.#onTransition(model, from, to));
    this.#entries.set(model, { breaker, lastUsed: now });
    this.#newest = model;
    return breaker;
  }

  /** Whether `model` would be let through now. Makes no circuit and drops none; what is used is not touched. */
  admits(model: string): boolean {
    const known = this.#entries.get(model);
    if (known !== undefined) return known.breaker.admits;
    return this.#entries.size < maxCircuits || [...this.#entries.values()].some(droppable);
  }

  *entries(): IterableIterator<readonly [model: string, breaker: CircuitBreaker]> {
    for (const [model, entry] of this.#entries) yield [model, entry.breaker];
  }

  #dropIdle(now: number): void {
    for (const [model, entry] of this.#entries) {
      if (now - entry.lastUsed < idleLimitMs) return;
      if (droppable(entry)) this.#entries.delete(model);
    }
  }

  #dropOldest(): boolean {
    for (const [model, entry] of this.#entries) {
      if (!droppable(entry)) continue;
      this.#entries.delete(model);
      return true;
    }
    return false;
  }
}

function droppable(entry: Entry): boolean {
  return entry.breaker.state === "closed" && entry.breaker.inFlight === 0;
}
