// The three questions asked of a failure: may it be retried, does it count, may it fail over.

import type { Verdict } from "./admission.ts";
import { isContentRefusal } from "./content-refusal.ts";
import type { Failure } from "./failure.ts";
import { isListed, isStatusEntry, statusEntryMatches } from "./http-status.ts";
import type { BreakerPolicy, FailoverPolicy, RetryPolicy } from "./policy.ts";

/**
 * Transport errors and the listed statuses, hidden ones included (owner's page "Ausfallsicherheit"). Not local timeouts,
 * and not answers that cannot be used: the same target gives the same again (behaviour 2.11.5).
 */
export function mayRetry(failure: Failure, policy: RetryPolicy): boolean {
  switch (failure.origin) {
    case "transport":
      return true;
    case "status":
      return isListed(failure.status, policy.retryOnStatuses);
    case "request":
    case "answer":
    case "timeout":
    case "diverged":
    case "circuit-open":
    case "no-breaker-slot":
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
      return false;
  }
}

/**
 * What a failed turn says about the provider's health (behaviour 2.5). A status outside the list is a success: the provider
 * answered. A probe refused with 401 or 403 decides nothing, for the key at fault is ours.
 */
export function verdictOfFailure(failure: Failure, policy: BreakerPolicy, probe: boolean): Verdict {
  switch (failure.origin) {
    case "transport":
    case "timeout":
      return "failure";
    case "status":
    case "answer":
      if (isListed(failure.status, policy.failureOnStatuses)) return "failure";
      return probe && (failure.status === 401 || failure.status === 403) ? "none" : "success";
    case "request":
    case "diverged":
    case "circuit-open":
    case "no-breaker-slot":
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
      return "none";
  }
}

/**
 * A listed status, or a phrase each of whose words is in the code or message; a numeric word bounds the status (owner's page "Failover").
 * Never a refusal by content policy, whatever is listed (behaviour 2.12).
 */
export function mayFailOver(failure: Failure, policy: FailoverPolicy): boolean {
  switch (failure.origin) {
    case "status":
    case "answer":
    case "transport":
    case "timeout":
    case "circuit-open":
    case "no-breaker-slot":
    case "request":
      return (
        (isListed(failure.status, policy.statuses) || matchesPhrase(failure, policy.phrases)) &&
        !isContentRefusal(failure)
      );
    case "diverged":
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
      return false;
  }
}

function matchesPhrase(failure: Failure, phrases: FailoverPolicy["phrases"]): boolean {
  const text = `${failure.code ?? ""} ${failure.message}`.toLowerCase();
  return phrases.some((words) =>
    words.every((word) => (isStatusEntry(word) ? statusEntryMatches(word, failure.status) : text.includes(word))),
  );
}
