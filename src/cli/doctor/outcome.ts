// What became of one request, in the few ways that matter to its caller.

import { waitText } from "./duration-text.ts";

/** Attempts as the providers counted them, and the time as it would really have passed. */
interface Effort {
  readonly attempts: number;
  readonly ms: number;
}

export type CallOutcome = Effort &
  (
    | {
        readonly kind: "whole";
        /** `provider/model`. */
        readonly from: string;
        /** Who began a stream that `from` brought to its end; undefined when it was the same. */
        readonly begunBy: string | undefined;
      }
    /** A status and the envelope, before anything else was sent. */
    | {
        readonly kind: "error";
        readonly status: number;
        readonly type: string;
        readonly code: string | number | null;
        readonly message: string;
        /** As sent. */
        readonly retryAfter: string | undefined;
      }
    /** A stream that broke and says so: our own `stream_incomplete`, or the provider's error event. */
    | { readonly kind: "cut"; readonly code: string | number | null; readonly message: string }
    /** Nothing but the caller ended it. `begun`: the stream gave signs of life. */
    | { readonly kind: "endless"; readonly begun: boolean }
    /** What must never happen. */
    | { readonly kind: "wrong"; readonly why: string }
  );

/** harmless: a whole answer without anybody's help. rescued: a whole answer at a later attempt or from another target. */
export type Verdict = "harmless" | "rescued" | "honest" | "endless" | "wrong";

export function verdictOf(outcome: CallOutcome): Verdict {
  switch (outcome.kind) {
    case "whole":
      return outcome.attempts > 1 ? "rescued" : "harmless";
    case "error":
    case "cut":
      return "honest";
    case "endless":
      return "endless";
    case "wrong":
      return "wrong";
  }
}

/**
 * Equal for outcomes that a table need not tell apart: all but the time and the words of a message, and which of its own statuses a provider
 * told.
 */
export function outcomeKey(outcome: CallOutcome, fault: string): string {
  const { kind, attempts } = outcome;
  switch (outcome.kind) {
    case "whole":
      return JSON.stringify([kind, outcome.from, outcome.begunBy, attempts]);
    case "error":
      return JSON.stringify([
        kind,
        tellsStatus(fault, outcome.status) ? "told" : outcome.status,
        outcome.type,
        attempts,
      ]);
    case "cut":
      return JSON.stringify([kind, outcome.code === incomplete, attempts]);
    case "endless":
      return JSON.stringify([kind, outcome.begun]);
    case "wrong":
      return JSON.stringify([kind, outcome.why]);
  }
}

/** Whether the status is the one that the provider itself told: `hidden-503` tells 503. */
function tellsStatus(fault: string, status: number): boolean {
  return fault
    .replace(/[@~].*/s, "")
    .split("-")
    .includes(String(status));
}

const incomplete = "stream_incomplete";
const shownStatuses = 4;

/** The first few, and how many there are beside them. */
export function listText(items: readonly (string | number)[], most: number): string {
  // "and 1 more" would take the room of the one.
  const shown = items.length === most + 1 ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** One text for outcomes of the same key; they are at least one. */
export function outcomeText(outcomes: readonly CallOutcome[]): string {
  const [first] = outcomes;
  if (first === undefined) throw new Error("there is an outcome to tell");
  const times = outcomes.map(({ ms }) => ms);
  const effort = `${first.attempts === 1 ? "1 attempt" : `${first.attempts} attempts`}, ${waitText(Math.min(...times), Math.max(...times))}`;
  switch (first.kind) {
    case "whole": {
      const begun = first.begunBy === undefined ? "" : ` (begun by ${first.begunBy})`;
      return `whole answer from ${first.from}${begun} (${effort})`;
    }
    case "error": {
      const statuses = new Set(outcomes.flatMap((outcome) => (outcome.kind === "error" ? [outcome.status] : [])));
      return `error ${listText([...statuses], shownStatuses)} ${first.type}: ${first.message} (${effort})`;
    }
    case "cut":
      return `stream: cut, said so: ${first.code === incomplete ? incomplete : "an error event"} (${effort})`;
    case "endless":
      return first.begun
        ? "stream: goes on until the caller or the deadline ends it"
        : "no answer: no limit ever ends the wait";
    case "wrong":
      return `WRONG: ${first.why} (${effort})`;
  }
}
