// What a cell has to show: the end that the caller sees, the attempts in the log, and the breakers afterwards.

import type { CellTarget } from "./cell.ts";
import type { Ending, Failed } from "./ending.ts";

export interface ExpectedAttempt {
  readonly target: string;
  readonly turn: number;
  readonly kind: "first" | "retry" | "failover" | "recovery";
  readonly outcome: "succeeded" | "failed" | "skipped" | "cancelled";
  /** Any of these in the log. */
  readonly statuses: readonly (number | null)[];
  readonly code: string | number | null;
}

/** What the caller ends with. `left`: nobody was there any more. */
export type Final = Answered | Left | { readonly kind: "failed"; readonly target: CellTarget; readonly ending: Failed };

export interface Answered {
  readonly kind: "whole" | "truncated" | "in-band";
  readonly target: CellTarget;
  readonly ending: Exclude<Ending, Failed>;
}

export interface Left {
  readonly kind: "left";
  readonly target: CellTarget;
  readonly ending: Ending;
}

/** Of going on with a broken stream at another target. */
export type RecoveryOutcome = "recovered" | "impossible" | "diverged" | "exhausted";

export interface Expected {
  readonly final: Final;
  readonly attempts: readonly ExpectedAttempt[];
  /** Targets whose breaker, which opens at the first failure, is open afterwards: `provider/model`. */
  readonly open: readonly string[];
  /** Undefined: there was nothing to recover. */
  readonly recovery: RecoveryOutcome | undefined;
  /** Attempts that had been made when the headers went out. */
  readonly attemptsInHeaders: number;
  /** The final error carries `x-should-retry: false`. */
  readonly advisesNoRetry: boolean;
}
