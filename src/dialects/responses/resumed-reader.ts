// Reads the Responses answer of another target after a break, and gives of it what the caller has not had yet.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import type { ResumedReader, ResumeState } from "../../core/stream-recovery.ts";
import { divergedAnswer, repeatedPrefill } from "../answers/unusable-answer.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { TextJoin } from "../recovery/text-join.ts";
import { isDoneData, parseObject } from "../sse/event-data.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { readContent } from "./event-content.ts";
import type { EventContent } from "./event-content.ts";
import { type Delivered, ResumedWriter } from "./resumed-writer.ts";

export interface ResumeOptions extends Delivered {
  readonly reader: AnswerReader;
}

type TextContent = Extract<EventContent, { readonly kind: "text" }>;

/** Works on what the answer's own reader relays: whole events. */
export class ResumedResponse implements ResumedReader {
  readonly contentType: string;
  readonly #options: ResumeOptions;
  readonly #scanner = new EventScanner();
  readonly #join: TextJoin;
  readonly #writer: ResumedWriter;
  /** Asked to go on: events whose text may still turn out to be the delivered one once more. */
  #held: JsonObject[] = [];
  #failure: Failure | undefined;
  #state: ResumeState = "catching-up";
  #textPieces = 0;

  constructor(options: ResumeOptions) {
    this.#options = options;
    this.contentType = options.reader.contentType;
    this.#join = new TextJoin(options.deliveredText, options.rule);
    this.#writer = new ResumedWriter(options);
  }

  get state(): ResumeState {
    return this.#state;
  }

  /** Pieces of text that the answer has had so far, repeated ones too. */
  get textPieces(): number {
    return this.#textPieces;
  }

  push(bytes: Uint8Array): ReadStep {
    return this.#step(this.#options.reader.push(bytes));
  }

  end(): ReadStep {
    return this.#step(this.#options.reader.end());
  }

  breakOff(message: string, code: string): Uint8Array {
    return this.#writer.breakOff(message, code);
  }

  facts(): ReturnType<AnswerReader["facts"]> {
    return this.#options.reader.facts();
  }

  #step(step: ReadStep): ReadStep {
    if (this.#failure === undefined) {
      const good = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0));
      if (good !== undefined) this.#readEvents(this.#scanner.push(good));
      if (step.complete || step.failure !== undefined) this.#readEvents(this.#scanner.finish());
    }
    const failure = this.#failure ?? step.failure;
    const pieces = this.#writer.take();
    return {
      relay: pieces.length === 0 ? undefined : joinBytes(pieces),
      events: step.events,
      finished: step.finished && failure === undefined,
      complete: step.complete && failure === undefined,
      failure,
      // What the provider says about its own error is in the failure; the caller gets events of ours.
      inBand: false,
    };
  }

  #readEvents(bytes: Uint8Array): void {
    const scanner = this.#scanner;
    while (this.#failure === undefined && scanner.next()) {
      if (scanner.dataLines === 0) {
        if (this.#state === "going-on") this.#writer.copy(bytes.slice(scanner.start, scanner.end));
        continue;
      }
      const data = scanner.data();
      // Behind the end of a translated answer.
      if (isDoneData(data) && this.#state === "going-on") {
        this.#writer.copy(bytes.slice(scanner.start, scanner.end));
        continue;
      }
      const event = parseObject(data);
      if (event === undefined) this.#diverge();
      else this.#readEvent(event, readContent(event));
    }
  }

  #readEvent(event: JsonObject, content: EventContent): void {
    const writer = this.#writer;
    switch (content.kind) {
      case "status":
        if (!this.#join.open && writer.needsStatus && this.#goesOn(false)) writer.status(event);
        return;
      case "metadata":
        if (this.#state === "going-on") writer.event(event);
        return;
      case "item":
      case "part":
        if (writer.begins(content)) return;
        return this.#anything(event, true);
      case "text":
        if (content.text !== "") this.#textPieces++;
        return writer.isText(content.place) ? this.#readText(event, content) : this.#anything(event, true);
      case "done":
        if (!(content.of === "item" ? writer.isMessage(content.place) : writer.isText(content.place))) {
          return this.#anything(event, true);
        }
        if (this.#goesOn(true)) writer.done(event, content.of);
        else this.#diverge();
        return;
      case "terminal":
        if (this.#goesOn(true)) writer.terminal(event);
        else this.#diverge();
        return;
      case "other":
        return this.#anything(
          event,
          content.other === "tool-calls" || !this.#join.open,
          content.other === "unreadable",
        );
    }
  }

  #readText(event: JsonObject, { text }: TextContent): void {
    const joined = this.#join.take(text);
    if (joined === "differs") return this.#diverge();
    if (joined === "repeats-prefill") {
      this.#failure = repeatedPrefill();
      this.#state = joined;
      return;
    }
    if (joined === "repeated") return;
    if (joined === "held") {
      if (text !== "") this.#held.push(event);
    } else if (this.#goesOn(false)) this.#writer.text(event, joined.rest);
  }

  /** What is not the text that was begun: only behind all of it. `fits`: it may be there. */
  #anything(event: JsonObject, fits: boolean, unreadable = false): void {
    if (!fits || unreadable || !this.#writer.hasRoom(event) || !this.#goesOn(true)) this.#diverge();
    else this.#writer.other(event);
  }

  /**
   * Whether the caller gets what comes now. `last`: no text follows that could be compared, so that what was held back is the continuation after
   * all, for a repetition would have been longer.
   */
  #goesOn(last: boolean): boolean {
    if (this.#join.open) {
      if (!last || this.#options.rule === "fresh") return false;
      this.#join.close();
    }
    this.#state = "going-on";
    const held = this.#held;
    this.#held = [];
    for (const event of held) this.#writer.text(event, String(event.delta));
    return true;
  }

  #diverge(): void {
    this.#failure = divergedAnswer();
    this.#state = "diverged";
    this.#held = [];
  }
}
