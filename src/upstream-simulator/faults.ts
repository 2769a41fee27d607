// Every way in which the simulator answers, in one list.

import type { Dialect } from "../core/chat-request.ts";
import type { Fault, FaultDescription } from "./fault.ts";
import { connectionFaults } from "./faults/connection.ts";
import { cutFaults } from "./faults/cuts.ts";
import { dialectOnlyFaults } from "./faults/dialect-only.ts";
import { documentFaults, pageFaults } from "./faults/documents.ts";
import { encodingFaults } from "./faults/encodings.ts";
import { framingFaults } from "./faults/framing.ts";
import { headFaults } from "./faults/heads.ts";
import { healthyAnswers } from "./faults/healthy.ts";
import { hiddenErrors } from "./faults/hidden-errors.ts";
import { statusFaults } from "./faults/statuses.ts";
import { streamErrors } from "./faults/stream-errors.ts";
import { streamEventFaults } from "./faults/stream-events.ts";
import { streamFormats } from "./faults/stream-formats.ts";
import { streamSilences } from "./faults/stream-silence.ts";
import { timingFaults } from "./faults/timing.ts";

const all: readonly Fault[] = [
  ...healthyAnswers,
  ...timingFaults,
  ...connectionFaults,
  ...statusFaults,
  ...hiddenErrors,
  ...framingFaults,
  ...headFaults,
  ...encodingFaults,
  ...documentFaults,
  ...pageFaults,
  ...cutFaults,
  ...streamErrors,
  ...streamSilences,
  ...streamEventFaults,
  ...streamFormats,
  ...dialectOnlyFaults,
];

/** Those with a form in this dialect. */
export function faultsIn(dialect: Dialect): readonly FaultDescription[] {
  return all.filter((fault) => fault.formsIn(dialect).length > 0);
}

/** Those of chat completions: what the fault matrix, the documentation and `doctor` go through. */
export const faults: readonly FaultDescription[] = faultsIn("chat-completions");

/** Second names: the right answers are variants of `ok` as well. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ...all
    .filter(({ group, name }) => group === "healthy" && name !== "ok")
    .map(({ name }) => [`ok-${name}`, name] as const),
  ["ok-length", "finish-length"],
  ["ok-empty", "no-content"],
]);

const longestNameFirst = all.toSorted((a, b) => b.name.length - a.name.length);

/** The fault that a word such as `status-503-html` means, and the match of its parameters. */
export function findFault(spoken: string): { fault: Fault; values: readonly (string | undefined)[] } | undefined {
  const word = otherNames.get(spoken) ?? spoken;
  for (const fault of longestNameFirst) {
    if (!word.startsWith(fault.name)) continue;
    const rest = word.slice(fault.name.length);
    if (rest !== "" && !rest.startsWith("-")) continue;
    const values = fault.parameters.exec(rest.slice(1));
    if (values !== null && rest !== "-") return { fault, values };
  }
  return undefined;
}
