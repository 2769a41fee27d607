// One way in which an upstream answers: its name, what it is, and the steps that make it.

import type { Dialect } from "../core/chat-request.ts";
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
  /** In chat completions. Asked for in another mode, the simulator refuses with 400. */
  readonly modes: readonly AnswerMode[];
  /** What may follow the name and a hyphen; matches the empty text where nothing must follow. */
  readonly parameters: RegExp;
  /** Model names that together show every form in chat completions. */
  readonly examples: readonly string[];
  /** Whether a reader that keeps to the standards gets a whole and usable answer in the end, in chat completions. */
  readonly whole: boolean;
  /** `examples`, with those that show forms which only this dialect's longer sequences of events have. */
  examplesIn(dialect: Dialect): readonly string[];
  /** The modes in which the fault has a form in this dialect; none where it makes no sense there. */
  formsIn(dialect: Dialect): readonly AnswerMode[];
  /** As `whole`, for this dialect. */
  wholeIn(dialect: Dialect): boolean;
}

export interface Fault extends FaultDescription {
  /** `values` is the match of `parameters`. */
  plan(asked: Asked, values: readonly (string | undefined)[]): readonly Step[];
}

export const bothModes: readonly AnswerMode[] = ["buffered", "stream"];

export const allDialects: readonly Dialect[] = ["chat-completions", "responses", "messages", "gemini"];
/** For what only chat completions have: choices, `[DONE]`, usage in chunks. */
export const chatOnly: readonly Dialect[] = ["chat-completions"];

/** What an entry of a group's list says; the rest has a usual value. */
export interface FaultEntry {
  readonly name: string;
  readonly sentence: string;
  /** Default: nothing may follow. */
  readonly parameters?: RegExp;
  /** Default: the bare name. */
  readonly examples?: readonly string[];
  /** More of them, for other dialects than chat completions. Default: none. */
  readonly furtherExamples?: readonly string[];
  /** Default: the group's. */
  readonly modes?: readonly AnswerMode[];
  /** Default: all of them. */
  readonly dialects?: readonly Dialect[];
  /** Default false. A list: in these dialects. */
  readonly whole?: boolean | readonly Dialect[];
  readonly plan: Fault["plan"];
}

/** A group's list. */
export function faultGroup(group: FaultGroup, modes: readonly AnswerMode[], entries: readonly FaultEntry[]): Fault[] {
  return entries.map(({ dialects = allDialects, whole = false, furtherExamples = [], ...entry }) => {
    const own = entry.modes ?? modes;
    const wholeDialects = typeof whole === "boolean" ? (whole ? dialects : []) : whole;
    const formsIn: Fault["formsIn"] = (dialect) => (dialects.includes(dialect) ? own : []);
    const wholeIn: Fault["wholeIn"] = (dialect) => wholeDialects.includes(dialect);
    const examples = entry.examples ?? [entry.name];
    return {
      group,
      parameters: /^$/,
      ...entry,
      examples,
      modes: formsIn("chat-completions"),
      whole: wholeIn("chat-completions"),
      examplesIn: (dialect) => (dialect === "chat-completions" ? examples : [...examples, ...furtherExamples]),
      formsIn,
      wholeIn,
    };
  });
}

/** An optional whole number; its five digits keep every answer within what a process can hold. */
export const oneNumber = /^(\d{0,5})$/;

/** A parameter as a number, or what it is when it was left out. */
export function numberOr(text: string | undefined, otherwise: number): number {
  return text === undefined || text === "" ? otherwise : Number(text);
}
