// What a cell must show, derived from its targets' endings and the consequences of these.

import type { Cell, CellTarget } from "./cell.ts";
import { counts, failsOver, isRetried } from "./consequences.ts";
import type { Ending, Failed } from "./ending.ts";
import type { Expected, ExpectedAttempt, Final, RecoveryOutcome } from "./expectation.ts";
import { expectedRecovery } from "./expected-recovery.ts";
import { codeOf, loggedStatuses, outcomeOf } from "./logged.ts";
import { maxRetries, profiles, strongRules } from "./profiles.ts";

const circuitOpen: Failed = { kind: "failed", cause: "status", status: 503, code: "circuit_open" };
const deadlinePassed: Failed = { kind: "failed", cause: "timeout", status: 504, code: "request_timeout" };

export function expected(cell: Cell): Expected {
  const { mode, caller, profile, resilience, targets } = cell;
  const { maxRetryAfterMs } = profiles[profile];
  const isStrong = resilience === "strong";
  const attempts: ExpectedAttempt[] = [];
  const open = targets.filter((target) => target.open).map(({ providerName, model }) => `${providerName}/${model}`);
  let final: Final | undefined;
  let recovery: RecoveryOutcome | undefined;
  let attemptsInHeaders: number | undefined;
  for (const [index, target] of targets.entries()) {
    const name = `${target.providerName}/${target.model}`;
    const made = madeOf(attempts);
    if (isStrong && made >= strongRules.maxAttempts) break;
    const note = (
      kind: ExpectedAttempt["kind"],
      outcome: ExpectedAttempt["outcome"],
      statuses: ExpectedAttempt["statuses"],
      code: ExpectedAttempt["code"],
    ): void => {
      attempts.push({ target: name, turn: index + 1, kind, outcome, statuses, code });
    };
    const firstKind = index === 0 ? "first" : "failover";
    if (target.open) {
      note(firstKind, "skipped", [503], "circuit_open");
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
    const retried = isRetried(ending, mode, maxRetryAfterMs, resilience) && !noRetryFits;
    const count = retried ? 1 + retriesOf(cell, index, made) : 1;
    for (let attempt = 0; attempt < count; attempt++) {
      note(attempt > 0 ? "retry" : firstKind, outcomeOf(ending), loggedStatuses(ending), codeOf(ending));
    }
    if (caller === "leaves in back-off") {
      final = { kind: "left", target, ending };
      break;
    }
    const isCut = profile === "deadline" && wasCut(target.ending);
    if (counts(ending) && !isCut) open.push(name);
    if (ending.kind !== "failed") {
      attemptsInHeaders = madeOf(attempts);
      final = { kind: ending.kind, target, ending };
      if (isStrong && targets.length > 1 && ending.kind !== "whole") {
        const rescue = expectedRecovery(cell, index, ending, isCut);
        ({ final, outcome: recovery } = rescue);
        attempts.push(...rescue.attempts);
        open.push(...rescue.open);
      }
      break;
    }
    final = { kind: "failed", target, ending };
    // The first turn decides whether there is a sweep (2.11.4); a deadline that has passed ends everything.
    if (ending === deadlinePassed || (index === 0 && !failsOver(ending, resilience))) break;
  }
  if (final === undefined) throw new Error(`a cell without targets: ${cell.name}`);
  const made = madeOf(attempts);
  return {
    final,
    attempts,
    open,
    recovery,
    attemptsInHeaders: attemptsInHeaders ?? made,
    advisesNoRetry: isStrong && final.kind === "failed" && isIncurable(cell, final.ending, made),
  };
}

function madeOf(attempts: readonly ExpectedAttempt[]): number {
  return attempts.filter(({ outcome }) => outcome !== "skipped").length;
}

/** All of them; under `strong` one while another target is left, and never more attempts than a request may have. */
function retriesOf({ resilience, targets }: Cell, index: number, made: number): number {
  if (resilience === "classic") return maxRetries;
  const retries = isAnotherLeft(targets, index) ? strongRules.retriesBeforeFailover : maxRetries;
  return Math.min(retries, strongRules.maxAttempts - made - 1);
}

/** One that would be called. */
export function isAnotherLeft(targets: readonly CellTarget[], index: number): boolean {
  return targets.slice(index + 1).some(({ open }) => !open);
}

/** SDKs wait out so much, and a wish that the gateway did not wait out is theirs to follow. */
const longestSdkWaitMs = 60_000;

/** It was retried, or is one of those that another target is asked for, in vain; what is the caller's own is theirs to judge (2.12). */
function isIncurable({ profile, resilience }: Cell, ending: Failed, made: number): boolean {
  if (made <= 1 && !failsOver(ending, resilience)) return false;
  const asksMs = ending.asksMs ?? 0;
  return asksMs <= profiles[profile].maxRetryAfterMs || asksMs > longestSdkWaitMs;
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
