// Cuts an answer at the caller's stop sequences, for models that refuse `stop` (behaviour 3.6).

import { joinBytes } from "../../core/byte-pieces.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { parseObject } from "../sse/event-data.ts";
import { StopMatcher } from "../hub/stop-matcher.ts";

const encoder = new TextEncoder();

/**
 * `reader` with the text of each choice ended before the first of `sequences` and its finish reason set to `stop`. Only `content` counts: tool
 * calls, reasoning, usage and everything else pass. The upstream is read to its end, because usage comes there.
 */
export function emulateStop(reader: AnswerReader, sequences: readonly string[]): AnswerReader {
  const edit = reader.contentType === "text/event-stream" ? new StreamStop(sequences) : new BufferedStop(sequences);
  return {
    contentType: reader.contentType,
    push: (bytes) => edit.step(reader.push(bytes)),
    end: () => edit.step(reader.end()),
    facts: () => reader.facts(),
  };
}

class BufferedStop {
  readonly #sequences: readonly string[];

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  step(step: ReadStep): ReadStep {
    if (step.relay === undefined) return step;
    const answer = parseObject(step.relay);
    if (answer === undefined || !Array.isArray(answer.choices)) return step;
    let cut = false;
    const choices = answer.choices.map((choice: unknown) => {
      if (!isJsonObject(choice) || !isJsonObject(choice.message) || typeof choice.message.content !== "string") {
        return choice;
      }
      const matcher = new StopMatcher(this.#sequences);
      const content = matcher.take(choice.message.content);
      if (!matcher.stopped) return choice;
      cut = true;
      return { ...choice, message: { ...choice.message, content }, finish_reason: "stop" };
    });
    return cut ? { ...step, relay: encoder.encode(JSON.stringify({ ...answer, choices })) } : step;
  }
}

/** Works on what the stream reader relays: whole events. */
class StreamStop {
  readonly #sequences: readonly string[];
  readonly #scanner = new EventScanner();
  readonly #matchers = new Map<number, StopMatcher>();
  /** The latest event with choices; what is held back at a break goes out in its shape. */
  #envelope: JsonObject | undefined;

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  step(step: ReadStep): ReadStep {
    if (step.failure !== undefined) return this.#lastStep(step, step.relay);
    const pieces: Uint8Array[] = [];
    if (step.relay !== undefined) this.#readEvents(this.#scanner.push(step.relay), pieces);
    if (step.complete) this.#readEvents(this.#scanner.finish(), pieces);
    return { ...step, relay: pieces.length === 0 ? undefined : joinBytes(pieces) };
  }

  /** Of an answer that has broken: what is good of it first, for somebody may go on from there. */
  #lastStep(step: ReadStep, relay: Uint8Array = new Uint8Array(0)): ReadStep {
    const broken = step.brokenBytes ?? 0;
    const good: Uint8Array[] = [];
    const rest: Uint8Array[] = [];
    this.#readEvents(this.#scanner.push(relay.subarray(0, relay.length - broken)), good);
    this.#readEvents(this.#scanner.push(relay.subarray(relay.length - broken)), broken > 0 ? rest : good);
    this.#readEvents(this.#scanner.finish(), broken > 0 ? rest : good);
    if (!step.inBand) this.#release(rest);
    const pieces = [...good, ...rest];
    const brokenBytes = rest.reduce((sum, piece) => sum + piece.length, 0);
    return { ...step, relay: pieces.length === 0 ? undefined : joinBytes(pieces), brokenBytes };
  }

  #readEvents(bytes: Uint8Array, pieces: Uint8Array[]): void {
    while (this.#scanner.next()) {
      const { start, end, dataLines } = this.#scanner;
      const event = dataLines === 0 ? undefined : parseObject(this.#scanner.data());
      const edited = event === undefined ? "as-it-is" : this.#edit(event);
      if (edited === "as-it-is") pieces.push(bytes.subarray(start, end));
      else if (edited !== "nothing") pieces.push(encodeEvent(edited));
    }
  }

  #edit(event: JsonObject): JsonObject | "as-it-is" | "nothing" {
    if (!Array.isArray(event.choices) || event.choices.length === 0) return "as-it-is";
    this.#envelope = event;
    let changed = false;
    const choices: unknown[] = [];
    for (const choice of event.choices) {
      const edited = isJsonObject(choice) ? this.#editChoice(choice) : choice;
      if (edited !== choice) changed = true;
      if (edited !== undefined) choices.push(edited);
    }
    if (!changed) return "as-it-is";
    // Usage may come in the event of a choice that has been cut; it stays, the choice does not come back.
    if (choices.length === 0 && !isJsonObject(event.usage)) return "nothing";
    return { ...event, choices };
  }

  /** Undefined: the choice has ended, as far as the caller knows. */
  #editChoice(choice: JsonObject): JsonObject | undefined {
    const matcher = this.#matcherOf(choice);
    if (matcher.stopped) return undefined;
    const delta = isJsonObject(choice.delta) ? choice.delta : {};
    const finishes = choice.finish_reason !== undefined && choice.finish_reason !== null && choice.finish_reason !== "";
    const text = typeof delta.content === "string" ? delta.content : "";
    const passed = matcher.take(text) + (finishes && !matcher.stopped ? matcher.release() : "");
    if (matcher.stopped) return { ...choice, delta: { ...delta, content: passed }, finish_reason: "stop" };
    return passed === text ? choice : { ...choice, delta: { ...delta, content: passed } };
  }

  #matcherOf(choice: JsonObject): StopMatcher {
    const index = typeof choice.index === "number" ? choice.index : 0;
    let matcher = this.#matchers.get(index);
    if (matcher === undefined) this.#matchers.set(index, (matcher = new StopMatcher(this.#sequences)));
    return matcher;
  }

  /** The answer has broken: what could have become a stop sequence was text after all. */
  #release(pieces: Uint8Array[]): void {
    for (const [index, matcher] of this.#matchers) {
      const content = matcher.release();
      if (content === "") continue;
      pieces.push(encodeEvent({ ...this.#envelope, choices: [{ index, delta: { content }, finish_reason: null }] }));
    }
  }
}

function encodeEvent(event: JsonObject): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
}
