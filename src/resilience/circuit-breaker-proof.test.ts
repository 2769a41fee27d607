import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ReferenceBreaker, type ReferencePermit } from "../../test/support/breaker-reference.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import type { Permit, Verdict } from "../core/admission.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

const settings = { failureThreshold: 2, successThreshold: 2, timeoutMs: 4 };
const maxOpenPermits = 3;

/** `settle` takes the open permit at `index`; `again` repeats the last settled one with another verdict. */
type Command =
  | { readonly kind: "acquire" }
  | { readonly kind: "settle"; readonly index: number; readonly verdict: Verdict }
  | { readonly kind: "again"; readonly verdict: Verdict }
  | { readonly kind: "tick"; readonly ms: number };

const verdicts: readonly Verdict[] = ["success", "failure", "none"];

/** A slow answer is a failure, a cancelled call has no verdict: what differs for the breaker is the verdict alone. */
function commandsFor(openPermits: number, anySettled: boolean): Command[] {
  const commands: Command[] = [
    { kind: "tick", ms: 1 },
    { kind: "tick", ms: 3 },
    { kind: "tick", ms: 4 },
  ];
  if (openPermits < maxOpenPermits) commands.push({ kind: "acquire" });
  for (let index = 0; index < openPermits; index++) {
    for (const verdict of verdicts) commands.push({ kind: "settle", index, verdict });
  }
  if (anySettled) for (const verdict of verdicts) commands.push({ kind: "again", verdict });
  return commands;
}

/** Runs the real breaker and the model side by side and compares everything that can be seen after each command. */
class Pair {
  readonly clock = new FakeClock();
  readonly model = new ReferenceBreaker(settings);
  readonly changes: string[] = [];
  readonly real = new CircuitBreaker(settings, this.clock, (from, to) => this.changes.push(`${from}>${to}`));
  readonly open: { readonly real: Permit; readonly model: ReferencePermit }[] = [];
  #last: { readonly real: Permit; readonly model: ReferencePermit } | undefined;

  get anySettled(): boolean {
    return this.#last !== undefined;
  }

  run(command: Command): void {
    const before = this.model.state;
    switch (command.kind) {
      case "tick":
        this.clock.tick(command.ms);
        break;
      case "acquire":
        this.#acquire();
        break;
      case "settle":
        [this.#last] = this.open.splice(command.index % Math.max(1, this.open.length), 1);
        this.#settle(command.verdict);
        break;
      case "again":
        this.#settle(command.verdict);
        break;
    }
    const after = this.model.state;
    if (this.real.state !== after) throw new Error(`state ${this.real.state}, expected ${after}`);
    // A bad probe's circuit goes through no state in between, and an open one becomes half-open only by admitting a probe.
    const change = this.changes.pop();
    if (change !== (before === after ? undefined : `${before}>${after}`)) throw new Error(`transition ${change}`);
    if (this.real.inFlight !== this.open.length) throw new Error(`in flight ${this.real.inFlight}`);
  }

  #acquire(): void {
    const given = this.real.tryAcquire();
    const expected = this.model.acquire(this.clock.now());
    if ("refused" in given) {
      if (expected !== undefined) throw new Error("refused although a call may go");
      if (given.retryAfterMs <= 0) throw new Error("a refusal without a time");
      return;
    }
    if (expected === undefined) throw new Error("admitted although the circuit refuses");
    if (given.probe !== expected.probe) throw new Error(`probe ${given.probe}`);
    this.open.push({ real: given, model: expected });
    const now = this.clock.now();
    const liveProbes = this.open.filter(
      ({ model }) => model.probe && model.since === this.model.period && now < model.leaseEnd,
    );
    if (liveProbes.length > 1) throw new Error("two probes with a live lease");
  }

  #settle(verdict: Verdict): void {
    if (this.#last === undefined) return;
    this.#last.real.settle(verdict);
    this.model.settle(this.#last.model, verdict, this.clock.now());
  }

  /** Never stuck: once nobody settles any more, time alone lets the next call through. */
  assertNotStuck(): void {
    this.clock.tick(settings.timeoutMs);
    if ("refused" in this.real.tryAcquire()) throw new Error("stuck");
  }

  /** All that decides the future, with times relative to now. */
  key(): string {
    const now = this.clock.now();
    const { state, failures, successes, openedAt, slot, period } = this.model;
    const ageOf = (time: number): number => Math.min(Math.max(time - now, 0), settings.timeoutMs);
    const permit = ({ model }: { model: ReferencePermit }): string =>
      `${model.since === period ? "now" : "past"}${model.probe ? ageOf(model.leaseEnd) : "-"}${model === slot ? "S" : ""}`;
    const opened = state === "open" ? ageOf(openedAt + settings.timeoutMs) : "-";
    const lost = slot !== undefined && this.open.every(({ model }) => model !== slot) ? ageOf(slot.leaseEnd) : "-";
    return [state, failures, successes, opened, lost, this.anySettled, ...this.open.map(permit).toSorted()].join("|");
  }
}

function replay(commands: readonly Command[]): Pair {
  const pair = new Pair();
  for (const command of commands) pair.run(command);
  return pair;
}

describe("the circuit breaker does what its model of 40 lines says", () => {
  test("in every sequence of commands to depth 12", () => {
    let frontier: (readonly Command[])[] = [[]];
    const seen = new Set<string>([new Pair().key()]);
    let steps = 0;
    for (let depth = 1; depth <= 12; depth++) {
      const next: (readonly Command[])[] = [];
      for (const path of frontier) {
        const at = replay(path);
        for (const command of commandsFor(at.open.length, at.anySettled)) {
          const longer = [...path, command];
          const pair = replay(longer);
          steps++;
          const key = pair.key();
          if (seen.has(key)) continue;
          seen.add(key);
          next.push(longer);
          replay(longer).assertNotStuck();
        }
      }
      frontier = next;
    }
    // The space is closed well before depth 12: what is new there would be new for ever.
    expect(steps).toBeGreaterThan(1000);
    expect(seen.size).toBeGreaterThan(100);
  });

  const command: fc.Arbitrary<Command> = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Command>({ kind: "acquire" }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("settle" as const),
        index: fc.nat(7),
        verdict: fc.constantFrom(...verdicts),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), verdict: fc.constantFrom(...verdicts) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("tick" as const), ms: fc.nat(6) }) },
  );

  test("in 100,000 random sequences of up to 50 commands", () => {
    let sequences = 0;
    fc.assert(
      fc.property(fc.array(command, { maxLength: 50, size: "max" }), (commands) => {
        replay(commands).assertNotStuck();
        sequences++;
      }),
      { numRuns: 100_000, seed: 20_261_130 },
    );
    expect(sequences).toBe(100_000);
  });
});
