// What is sent through: every fault of the simulator in all its forms, and some that pass or that only one model has.

import { nearest } from "../../config/did-you-mean.ts";
import type { Dialect } from "../../core/chat-request.ts";
import type { AnswerMode } from "../../upstream-simulator/asked.ts";
import type { FaultDescription } from "../../upstream-simulator/fault.ts";
import { faultsIn } from "../../upstream-simulator/faults.ts";
import { groupTitles } from "../../upstream-simulator/group-titles.ts";
import { readModelName } from "../../upstream-simulator/model-name.ts";

const dialects: readonly Dialect[] = ["chat-completions", "responses", "messages", "gemini"];

/** Those that any dialect has, those of chat completions first. */
const descriptions: readonly FaultDescription[] = [...new Set(dialects.flatMap(faultsIn))];

/** One way in which a provider misbehaves. */
export interface TestedFault {
  /** What the simulator is told. */
  readonly word: string;
  /** The heading in the table. */
  readonly family: string;
  /** Those in which a provider of this dialect can show it. */
  modesIn(dialect: Dialect): readonly AnswerMode[];
  readonly description: FaultDescription;
}

/** Gone at the next attempt. */
const passing = [
  "status-429@1~retry-after=2",
  "status-500@1",
  "status-503@1",
  "reset-before-answer@1",
  "fin-in-headers@1",
  "hidden-503@1",
];

/** What another model may well answer, and what none should be asked for again. */
const refusals = [
  "status-400~code=context_length_exceeded~message=This%20model's%20maximum%20context%20length%20is%208192%20tokens",
  "status-413~message=Request%20too%20large",
  "status-400~code=content_filter~message=The%20content%20was%20filtered",
  "status-404~code=model_not_found~message=The%20model%20does%20not%20exist",
  "status-401~code=invalid_api_key~message=Incorrect%20API%20key%20provided",
];

/** Long enough to matter to real limits. */
const slowMs = 30_000;

/** The shortest and the longest time between two signs of life of a provider that never gets any further. */
const beatMs = { shortest: 20, longest: 15_000 };

/**
 * All of them, in the order of the table. `idleLimitMs`: how long a stream may be silent, 0 = as long as it likes; a provider that keeps
 * a stream alive for ever says something twice within it.
 */
export function allFaults(idleLimitMs: number): TestedFault[] {
  const longest = idleLimitMs === 0 ? beatMs.longest : Math.min(beatMs.longest, Math.floor(idleLimitMs / 2));
  const beat = Math.max(beatMs.shortest, longest);
  const listed = descriptions.flatMap((description) => [
    ...new Map(
      dialects.flatMap((dialect) => formsIn(description, dialect, beat)).map((form) => [form.word, form]),
    ).values(),
  ]);
  return [
    ...passing.map((word) => named(word, "Once, then healthy")),
    ...refusals.map((word) => named(word, "Requests that one model refuses")),
    ...listed,
  ];
}

function formsIn(description: FaultDescription, dialect: Dialect, beat: number): readonly TestedFault[] {
  const family = groupTitles[description.group];
  return wordsOf(description, dialect, beat).map((word) => ({
    word,
    family,
    modesIn: (other) => (wordsOf(description, other, beat).includes(word) ? description.formsIn(other) : []),
    description,
  }));
}

function wordsOf({ name, examplesIn }: FaultDescription, dialect: Dialect, beat: number): readonly string[] {
  if (name === "slow-first" || name === "slow-body") return [`${name}-${slowMs}`];
  const beats = ["heartbeats", "heartbeats-middle", "heartbeats-after-finish", "heartbeats-after-done"];
  return name === "informational-endless" || beats.includes(name) ? [`${name}-${beat}`] : examplesIn(dialect);
}

function named(word: string, family: string): TestedFault {
  const instruction = readModelName(word);
  if (instruction === undefined) throw new Error(`the simulator knows no fault named ${word}`);
  const { fault } = instruction;
  return { word, family, modesIn: (dialect) => fault.formsIn(dialect), description: fault };
}

/**
 * Those that `--fault` names: all forms of a fault (`status`), one form of it (`status-503`), or anything else that the simulator understands
 * (`status-503@2`). Everything when nothing is named; a sentence when a name means nothing.
 */
export function chosenFaults(names: readonly string[], all: readonly TestedFault[]): readonly TestedFault[] | string {
  if (names.length === 0) return all;
  const chosen = new Map<string, TestedFault>();
  for (const name of names) {
    const forms = all.filter(({ word, description }) => word === name || description.name === name);
    const found = forms.length > 0 ? forms : spelled(name);
    if (found.length === 0) {
      const near = nearest(name, [...descriptions.map((fault) => fault.name), ...all.map(({ word }) => word)]);
      const hint = near === undefined ? "docs/failure-modes.md lists them" : `did you mean "${near}"?`;
      return `the simulator knows no fault named "${name}"; ${hint}`;
    }
    for (const fault of found) chosen.set(fault.word, fault);
  }
  return [...chosen.values()];
}

function spelled(word: string): TestedFault[] {
  const instruction = readModelName(word);
  return instruction === undefined ? [] : [named(word, groupTitles[instruction.fault.group])];
}
