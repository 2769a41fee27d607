// One way in which an upstream answers: its name, what it is, and the steps that make it.

import type { AnswerMode, Asked } from "./asked.ts";
import type { Step } from "./step.ts";

export type FaultGroup =
  | "healthy"
  | "connection"
  | "timing"
  | "status"
  | "hidden-error"
  | "framing"
  | "document"
  | "cut"
  | "stream-error"
  | "stream-silence"
  | "stream-event"
  | "stream-format";

/** What tests, tables and `doctor` need to know of a fault. */
export interface FaultDescription {
  /** The word in a model name. */
  readonly name: string;
  readonly sentence: string;
  readonly group: FaultGroup;
  /** Asked for in another mode, the simulator refuses with 400. */
  readonly modes: readonly AnswerMode[];
  /** What may follow the name and a hyphen; matches the empty text where nothing must follow. */
  readonly parameters: RegExp;
  /** Model names that together show every form. */
  readonly examples: readonly string[];
  /** Whether a reader that keeps to the standards gets a whole and usable answer in the end. */
  readonly whole: boolean;
}

export interface Fault extends FaultDescription {
  /** `values` is the match of `parameters`. */
  plan(asked: Asked, values: readonly (string | undefined)[]): readonly Step[];
}

export const bothModes: readonly AnswerMode[] = ["buffered", "stream"];

/** What an entry of a group's list says; the rest has a usual value. */
export interface FaultEntry {
  readonly name: string;
  readonly sentence: string;
  /** Default: nothing may follow. */
  readonly parameters?: RegExp;
  /** Default: the bare name. */
  readonly examples?: readonly string[];
  /** Default: the group's. */
  readonly modes?: readonly AnswerMode[];
  /** Default false. */
  readonly whole?: boolean;
  readonly plan: Fault["plan"];
}

/** A group's list. */
export function faultGroup(group: FaultGroup, modes: readonly AnswerMode[], entries: readonly FaultEntry[]): Fault[] {
  return entries.map((entry) => ({
    group,
    modes,
    parameters: /^$/,
    examples: [entry.name],
    whole: false,
    ...entry,
  }));
}

/** An optional whole number; its five digits keep every answer within what a process can hold. */
export const oneNumber = /^(\d{0,5})$/;

/** A parameter as a number, or what it is when it was left out. */
export function numberOr(text: string | undefined, otherwise: number): number {
  return text === undefined || text === "" ? otherwise : Number(text);
}
