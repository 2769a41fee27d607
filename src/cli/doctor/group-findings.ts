// Faults of one family that end alike, buffered and streaming, share a row of the table; what harms nobody shares one family.

import type { Finding } from "./findings.ts";
import { isAtOnce } from "./duration-text.ts";
import { type CallOutcome, outcomeKey, verdictOf } from "./outcome.ts";

export interface FindingRow {
  /** In the order of the list. */
  readonly faults: readonly string[];
  /** Empty where none of the faults has that form. */
  readonly buffered: readonly CallOutcome[];
  readonly stream: readonly CallOutcome[];
}

export interface FindingFamily {
  readonly family: string;
  readonly rows: readonly FindingRow[];
}

interface FaultEnds {
  readonly family: string;
  buffered: CallOutcome | undefined;
  stream: CallOutcome | undefined;
}

/** Everything that callers get whole, at once and without anybody's help. */
const harmless = "Harmless";

/** `findings` are of one model and one situation. Families and rows come in the order in which they appear, the harmless ones last. */
export function groupFindings(findings: readonly Finding[]): FindingFamily[] {
  const byFault = new Map<string, FaultEnds>();
  for (const { fault, family, mode, outcome } of findings) {
    const ends = byFault.get(fault) ?? { family, buffered: undefined, stream: undefined };
    ends[mode] = outcome;
    byFault.set(fault, ends);
  }
  const families = new Map<string, Map<string, { faults: string[]; buffered: CallOutcome[]; stream: CallOutcome[] }>>();
  const isHarmless = ([, ends]: readonly [string, FaultEnds]): boolean =>
    [ends.buffered, ends.stream].every(
      (outcome) => outcome === undefined || (verdictOf(outcome) === "harmless" && isAtOnce(outcome.ms)),
    );
  const all = [...byFault];
  const ordered = [...all.filter((one) => !isHarmless(one)), ...all.filter(isHarmless)];
  for (const one of ordered) {
    const [fault, { buffered, stream }] = one;
    const family = isHarmless(one) ? harmless : one[1].family;
    const rows = families.get(family) ?? new Map();
    families.set(family, rows);
    const key = [buffered, stream]
      .map((outcome) => (outcome === undefined ? "" : outcomeKey(outcome, fault)))
      .join("\n");
    const row = rows.get(key) ?? { faults: [], buffered: [], stream: [] };
    rows.set(key, row);
    row.faults.push(fault);
    if (buffered !== undefined) row.buffered.push(buffered);
    if (stream !== undefined) row.stream.push(stream);
  }
  return [...families].map(([family, rows]) => ({ family, rows: [...rows.values()] }));
}
