// What the groups of faults are called where people read of them.

import type { FaultGroup } from "./fault.ts";

export const groupTitles: Readonly<Record<FaultGroup, string>> = {
  healthy: "Right answers",
  timing: "Slow answers",
  connection: "Connections that break or fall silent",
  status: "Error statuses",
  "hidden-error": "Errors behind status 200",
  framing: "Broken or unusual HTTP",
  document: "Documents that are no answer, or only just one",
  cut: "Streams that end too early",
  "stream-error": "Errors inside a stream",
  "stream-silence": "Streams that say nothing",
  "stream-event": "Single events that are broken or unusual",
  "stream-format": "Spellings of a stream",
};
