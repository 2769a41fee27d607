// The form of the rule table: which faults, how each mode ends, and why.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { AnswerMode } from "../../../src/upstream-simulator/asked.ts";
import type { FaultDescription } from "../../../src/upstream-simulator/fault.ts";
import type { Ending } from "./ending.ts";
import type { Resilience } from "./profiles.ts";
import type { Asking, Pair } from "./speakers.ts";

/** One form of a fault. */
export interface Form {
  /** The name of the example, `cut-after-4~end=fin`. */
  readonly example: string;
  /** What follows the fault's name, without settings: `4`. */
  readonly word: string;
  /** The provider's. */
  readonly dialect: Dialect;
  /** The caller speaks another one. */
  readonly isTranslated: boolean;
  readonly asks: Asking;
  /** A setting such as `end`. */
  setting(name: string): string | undefined;
}

/** A form's ending, told from the form when the forms differ. The model is the whole name as the provider sees it. */
type Decision = Ending | ((form: Form, model: string) => Ending);

/** By mode. */
interface Decisions {
  readonly buffered?: Decision;
  readonly stream?: Decision;
  /** Of one attempt under `resilience.profile: strong`, where that is something else. */
  readonly strongStream?: Decision;
}

export interface Rule extends Decisions {
  /** Names of faults. */
  readonly faults: readonly string[];
  /** Instead of what is said for all, where the provider speaks this dialect. */
  readonly where?: Partial<Record<Dialect, Decisions>>;
  /** Where it is written, or what was decided where nothing is. */
  readonly because: string;
}

export function formOf(fault: FaultDescription, example: string, { asks, speaks }: Pair): Form {
  const [spoken = "", ...settings] = example.split("~");
  const values = new Map(
    settings.map((text) => {
      const [name = "", value = ""] = text.split("=");
      return [name, value] as const;
    }),
  );
  return {
    example,
    word: spoken.slice(fault.name.length + 1),
    dialect: speaks,
    isTranslated: asks !== speaks,
    asks,
    setting: (name) => values.get(name),
  };
}

export function decide(rule: Rule, form: Form, mode: AnswerMode, model: string, resilience: Resilience): Ending {
  const own = rule.where?.[form.dialect] ?? {};
  const decision = mode === "stream" ? streamDecision(rule, own, resilience) : (own.buffered ?? rule.buffered);
  if (decision === undefined) throw new Error(`no rule says how ${form.example} ends, ${form.dialect} ${mode}`);
  return typeof decision === "function" ? decision(form, model) : decision;
}

function streamDecision(rule: Rule, own: Decisions, resilience: Resilience): Decision | undefined {
  const stream = own.stream ?? rule.stream;
  if (resilience === "classic") return stream;
  return own.strongStream ?? (own.stream === undefined ? rule.strongStream : undefined) ?? stream;
}
