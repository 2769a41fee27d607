// What a caller must get of a stream that breaks off somewhere, worked out again from the rules with patterns and JSON.parse alone.

/** How the provider's connection ended. */
export type Ending = "end" | "reset";

/**
 * refused: nothing was worth committing to, the caller gets an error answer instead.
 * whole: the answer with its terminal. told: the provider's own error event is the last one. broken: one error event of ours is.
 */
export interface Expected {
  readonly kind: "refused" | "whole" | "told" | "broken";
  /** In latin1, without the error event of ours. */
  readonly delivered: string;
  /** Of the error answer, when refused. */
  readonly status: number | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const done = "data: [DONE]\n\n";
const mark = "\u{EF}\u{BB}\u{BF}";

/** `text` is what arrived, in latin1. `cutUsageEvent`: the caller did not ask for the event that has usage and no choices. */
export function expectedDelivery(text: string, ending: Ending, cutUsageEvent: boolean): Expected {
  const before = new Reading(text, false, cutUsageEvent);
  // After the last finish reason the way in which the connection ends makes no difference.
  const conclusion = before.conclusion;
  if (conclusion !== undefined) return conclusion;
  if (ending === "reset" && !before.finished) return before.breakOff();
  return new Reading(text, true, cutUsageEvent).atEnd();
}

class Reading {
  readonly #cutUsageEvent: boolean;
  readonly #open = new Set<number>();
  readonly #finished = new Set<number>();
  readonly #tail: string;
  #delivered = "";
  #started = false;
  conclusion: Expected | undefined;

  constructor(text: string, isAll: boolean, cutUsageEvent: boolean) {
    this.#cutUsageEvent = cutUsageEvent;
    const { events, tail } = splitEvents(text, isAll);
    this.#tail = tail;
    for (const event of events) {
      this.#take(event);
      if (this.conclusion !== undefined) return;
    }
  }

  get finished(): boolean {
    return this.#finished.size > 0 && this.#open.size === 0;
  }

  breakOff(): Expected {
    return this.#conclude(this.#started ? "broken" : "refused", 502);
  }

  atEnd(): Expected {
    if (this.conclusion === undefined) this.#takeTail();
    if (this.conclusion !== undefined) return this.conclusion;
    if (!this.finished) return this.breakOff();
    this.#delivered += done;
    return this.#conclude("whole");
  }

  #take(event: string): void {
    const values = dataLines(event);
    const data = values.join("\n").trim();
    if (values.length === 0) {
      if (this.#started) this.#delivered += event;
    } else if (data === "[DONE]") {
      if (!this.#started) this.breakOff();
      else {
        this.#delivered += values.length === 1 && values[0] === "[DONE]" ? event : done;
        this.#conclude("whole");
      }
    } else if (data !== "") this.#takeObject(event, data);
  }

  #takeObject(event: string, data: string): void {
    const wasStarted = this.#started;
    const { kind, status } = judge(data, /^event: ?error$/m.test(event.replaceAll("\r", "\n")));
    if (kind === "good") {
      if (!this.#note(data)) return;
      this.#started = true;
      this.#delivered += event;
      return;
    }
    if (wasStarted) this.#delivered += event;
    this.#conclude(!wasStarted ? "refused" : kind === "error" ? "told" : "broken", status);
  }

  /** The last event without its blank line counts when it ends the answer, for better or worse. */
  #takeTail(): void {
    const data = dataLines(this.#tail).join("\n").trim();
    const whole = this.#tail + (this.#tail.endsWith("\n") ? "\n" : "\n\n");
    if (data === "[DONE]") {
      if (!this.#started) this.breakOff();
      else {
        this.#delivered += done;
        this.#conclude("whole");
      }
      return;
    }
    if (parse(data) === undefined) return;
    const { kind, status } = judge(data, false);
    if (kind !== "good") {
      if (this.#started) this.#delivered += whole;
      this.#conclude(!this.#started ? "refused" : kind === "error" ? "told" : "broken", status);
    } else if (this.#note(data) && this.finished) this.#delivered += whole;
  }

  /** False: the usage event that the caller did not ask for. */
  #note(data: string): boolean {
    const parsed = parse(data);
    const choices = choicesOf(parsed);
    for (const { index, finish_reason: reason } of choices) {
      const choice = typeof index === "number" ? index : 0;
      if (typeof reason === "string" && reason !== "") {
        this.#finished.add(choice);
        this.#open.delete(choice);
      } else if (!this.#finished.has(choice)) this.#open.add(choice);
    }
    const isUsageEvent = isObject(parsed?.["usage"]) && Array.isArray(parsed["choices"]) && choices.length === 0;
    return !(isUsageEvent && this.#cutUsageEvent);
  }

  #conclude(kind: Expected["kind"], status = 502): Expected {
    this.conclusion = { kind, delivered: this.#delivered, status: kind === "refused" ? status : undefined };
    return this.conclusion;
  }
}

/** `isAll`: nothing follows, so a CR at the end is a line end; before that it may be half of one, unless the stream uses nothing but CRs. */
function splitEvents(text: string, isAll: boolean): { readonly events: string[]; readonly tail: string } {
  const events: string[] = [];
  const body = text.startsWith(mark) ? mark.length : 0;
  let from = 0;
  let hasLines = false;
  let lastEnd = "";
  for (const { 1: line = "", 2: lineEnd = "", index } of text.slice(body).matchAll(/([^\r\n]*)(\r\n|\r|\n)/g)) {
    const to = body + index + line.length + lineEnd.length;
    const isHalf = lineEnd === "\r" && to === text.length && !isAll;
    if (isHalf && !(line === "" && hasLines && lastEnd === "\r")) break;
    if (line !== "") hasLines = true;
    else if (hasLines) {
      events.push(text.slice(from, to));
      from = to;
      hasLines = false;
    }
    lastEnd = lineEnd;
  }
  return { events, tail: text.slice(from) };
}

function dataLines(event: string): string[] {
  return event
    .replace(new RegExp(`^${mark}`), "")
    .split(/\r\n|\r|\n/)
    .filter((line) => /^data(:|$)/.test(line))
    .map((line) => line.replace(/^data:? ?/, ""));
}

/** error: says so in its data. mute: an error that a client would not see in its data. */
function judge(data: string, isNamedError: boolean): { kind: "good" | "error" | "mute"; status: number } {
  if (!/^\{[^]*\}$/.test(data)) return { kind: "mute", status: 502 };
  const parsed = parse(data);
  if (parsed === undefined) return { kind: "good", status: 200 };
  const own = parsed["object"] === "error" ? parsed : undefined;
  const error = parsed["error"] ?? own;
  if (error !== undefined) return { kind: "error", status: statusOf(error) };
  if (isNamedError) return { kind: "mute", status: statusOf(parsed) };
  const isBroken = choicesOf(parsed).some(({ finish_reason: reason }) => reason === "error");
  return isBroken ? { kind: "mute", status: 502 } : { kind: "good", status: 200 };
}

function statusOf(error: unknown): number {
  const code = isObject(error) ? Number(error["code"]) : Number.NaN;
  return code >= 400 && code <= 599 ? code : 502;
}

function choicesOf(parsed: Json | undefined): readonly Json[] {
  const choices = parsed?.["choices"];
  return Array.isArray(choices) ? choices.filter(isObject) : [];
}

function parse(data: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data, "latin1").toString());
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
