// The rules of what only other dialects than chat completions can show.

import { whole } from "./ending.ts";
import type { Rule } from "./rule.ts";

export const dialectRules: readonly Rule[] = [
  {
    faults: ["redacted-reasoning"],
    buffered: whole("done thinking"),
    stream: whole("done thinking"),
    because: "Thoughts that are not shown are the provider's own state (4.4).",
  },
  {
    faults: ["call-with-id"],
    buffered: whole(""),
    stream: whole(""),
    because: "An answer without text is an answer (2.9).",
  },
  {
    faults: ["finish-unknown"],
    buffered: whole("so it ends"),
    stream: whole(),
    because: "A new value of a known field changes nothing about the text (1.16).",
  },
  {
    faults: [
      ...["done-marker", "events-unnamed", "sequence-missing", "sequence-gaps", "output-missing", "deltas-missing"],
      ...["block-stop-missing", "delta-unknown"],
    ],
    stream: whole(),
    because: "Habits of compatible servers: nothing of the answer is missing.",
  },
];
