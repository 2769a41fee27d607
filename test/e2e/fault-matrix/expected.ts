// What a cell must show, derived from its targets' endings and the consequences of these.

import type { Cell, CellTarget } from "./cell.ts";
import { counts, failsOver, isRetried } from "./consequences.ts";
import type { Ending, Failed } from "./ending.ts";
import { maxRetries, profiles } from "./profiles.ts";

export interface ExpectedAttempt {
  readonly target: string;
  readonly turn: number;
  readonly kind: "first" | "retry" | "failover";
  readonly outcome: "succeeded" | "failed" | "skipped" | "cancelled";
  /** Any of these in the log. */
  readonly statuses: readonly (number | null)[];
  readonly code: string | number | null;
}

/** What the caller ends with. `left`: nobody was there any more. */
type Final = Answered | Left | { readonly kind: "failed"; readonly target: CellTarget; readonly ending: Failed };

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

export interface Expected {
  readonly final: Final;
  readonly attempts: readonly ExpectedAttempt[];
  /** Models whose breaker, which opens at the first failure, is open afterwards. */
  readonly open: readonly string[];
}

const circuitOpen: Failed = { kind: "failed", cause: "status", status: 503, code: "circuit_open" };
const deadlinePassed: Failed = { kind: "failed", cause: "timeout", status: 504, code: "request_timeout" };

export function expected(cell: Cell): Expected {
  const { mode, caller, profile, targets } = cell;
  const { maxRetryAfterMs } = profiles[profile];
  const attempts: ExpectedAttempt[] = [];
  const open: string[] = [];
  let final: Final | undefined;
  for (const [index, target] of targets.entries()) {
    const turn = index + 1;
    const note = (
      kind: ExpectedAttempt["kind"],
      outcome: ExpectedAttempt["outcome"],
      statuses: ExpectedAttempt["statuses"],
      code: ExpectedAttempt["code"],
    ): void => {
      attempts.push({ target: `${target.providerName}/${target.model}`, turn, kind, outcome, statuses, code });
    };
    const firstKind = index === 0 ? "first" : "failover";
    if (target.open) {
      note(firstKind, "skipped", [503], "circuit_open");
      open.push(target.model);
      final = { kind: "failed", target, ending: circuitOpen };
      continue;
    }
    const ending = profile === "deadline" ? underDeadline(target.ending) : target.ending;
    if (caller === "leaves while held" || (caller === "leaves at once" && ending.kind === "endless")) {
      // What was relayed has its status; what was only waited for has at most that of the headers.
      note(firstKind, "cancelled", [null, 200, 499, statusOf(ending)], "request_canceled");
      final = { kind: "left", target, ending: target.ending };
      break;
    }
    if (ending.kind === "endless") throw new Error(`nothing ends ${cell.name}`);
    const noRetryFits = caller === "leaves in back-off" || profile === "deadline";
    const count = isRetried(ending, mode, maxRetryAfterMs) && !noRetryFits ? 1 + maxRetries : 1;
    for (let attempt = 0; attempt < count; attempt++) {
      note(attempt > 0 ? "retry" : firstKind, outcomeOf(ending), loggedStatuses(ending), codeOf(ending));
    }
    if (caller === "leaves in back-off") {
      final = { kind: "left", target, ending };
      break;
    }
    if (counts(ending) && !(profile === "deadline" && wasCut(target.ending))) open.push(target.model);
    if (ending.kind !== "failed") {
      final = { kind: ending.kind, target, ending };
      break;
    }
    final = { kind: "failed", target, ending };
    // The first turn decides whether there is a sweep (2.11.4); a deadline that has passed ends everything.
    if (ending === deadlinePassed || (index === 0 && !failsOver(ending))) break;
  }
  if (final === undefined) throw new Error(`a cell without targets: ${cell.name}`);
  return { final, attempts, open };
}

/** Whether the deadline is what ends it. */
function wasCut(ending: Ending): boolean {
  return ending.kind !== "whole" && ending.holds !== undefined;
}

function underDeadline(ending: Ending): Ending {
  if (!wasCut(ending)) return ending;
  if (ending.kind === "failed") return deadlinePassed;
  return ending.kind === "endless" ? { kind: "truncated", said: ending.said, broke: "silence" } : ending;
}

function statusOf(ending: Ending): number {
  return ending.kind === "failed" ? ending.status : 200;
}

function outcomeOf(ending: Ending): "succeeded" | "failed" {
  return ending.kind === "whole" ? "succeeded" : "failed";
}

/** A broken connection has no status unless its headers came. */
function loggedStatuses(ending: Ending): readonly (number | null)[] {
  if (ending.kind !== "failed") return [200];
  return ending.cause === "transport" ? [null, 200] : [ending.status];
}

/** The log tells why a stream broke; the caller's event says `stream_incomplete` whatever it was. */
const loggedCodes = { ended: "stream_incomplete", connection: null, silence: "request_timeout", told: null } as const;

/** Of an in-band error its own, which may be any. */
function codeOf(ending: Ending): string | number | null {
  switch (ending.kind) {
    case "whole":
    case "endless":
      return null;
    case "truncated":
      return loggedCodes[ending.broke];
    case "in-band":
    case "failed":
      return ending.code;
  }
}
