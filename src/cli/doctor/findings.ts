// Everything that a run of the doctor found out, as data: the tables and the JSON are two ways to write it down.

import type { AnswerMode } from "../../upstream-simulator/asked.ts";
import type { DurationSetting } from "./durations.ts";
import { type CallOutcome, type Verdict, verdictOf } from "./outcome.ts";

/** first-faulty: the target that comes first is faulty, the others are healthy. all-faulty: every one has the same fault. */
export type Situation = "first-faulty" | "all-faulty";

/** One request. */
export interface Finding {
  readonly model: string;
  readonly situation: Situation;
  readonly family: string;
  readonly fault: string;
  readonly mode: AnswerMode;
  readonly outcome: CallOutcome;
}

/** What the circuit breaker of the first target did. */
export interface BreakerStory {
  readonly model: string;
  readonly target: string;
  /** Sentences, in the order of the events. */
  readonly events: readonly string[];
}

export interface ExaminedModel {
  readonly name: string;
  /** Undefined for a concrete model. */
  readonly strategy: string | undefined;
  readonly failover: boolean;
  /** `provider/model`, in their order. */
  readonly targets: readonly string[];
}

export interface Findings {
  readonly configFile: string | undefined;
  readonly durations: readonly DurationSetting[];
  readonly speed: number;
  readonly notes: readonly string[];
  readonly models: readonly ExaminedModel[];
  readonly findings: readonly Finding[];
  readonly breakers: readonly BreakerStory[];
  /** What the run itself took. */
  readonly tookMs: number;
}

export function countVerdicts(findings: readonly Finding[]): Readonly<Record<Verdict, number>> {
  const counts = { harmless: 0, rescued: 0, honest: 0, endless: 0, wrong: 0 };
  for (const { outcome } of findings) counts[verdictOf(outcome)] += 1;
  return counts;
}
