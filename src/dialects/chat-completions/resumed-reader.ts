// Reads the answer of another target after a break, and gives of it what the caller has not had yet.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { ResumedReader, ResumeState } from "../../core/stream-recovery.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { readChunk } from "./chunk-content.ts";
import type { ChunkContent } from "./chunk-content.ts";
import { editEvent, restOfChoice, saysNothing } from "./chunk-edit.ts";
import type { ChunkEdits } from "./chunk-edit.ts";
import { isDoneData, parseObject } from "../sse/event-data.ts";
import { usageMembers } from "../recovery/part-usage.ts";
import { TextJoin } from "../recovery/text-join.ts";
import { divergedAnswer, repeatedPrefill } from "../answers/unusable-answer.ts";

export interface ResumeOptions {
  readonly reader: AnswerReader;
  readonly rule: ResumeRule;
  readonly deliveredText: string;
  /** Undefined: nothing that says who answers was delivered, so the answer keeps its own identity. */
  readonly identity: ChunkEdits | undefined;
  readonly roleKnown: boolean;
  /** Adds to the answer's usage what the ones before it used. */
  readonly sumUsage: (usage: JsonObject) => JsonObject;
}

/** Works on what the answer's own reader relays: whole events. */
export class ResumedStream implements ResumedReader {
  readonly contentType: string;
  readonly #options: ResumeOptions;
  readonly #scanner = new EventScanner();
  readonly #join: TextJoin;
  /** Asked to go on: events whose text may still turn out to be the delivered one once more. */
  #held: Uint8Array[] = [];
  #failure: Failure | undefined;
  #state: ResumeState = "catching-up";
  #textPieces = 0;

  constructor(options: ResumeOptions) {
    this.#options = options;
    this.contentType = options.reader.contentType;
    this.#join = new TextJoin(options.deliveredText, options.rule);
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

  facts(): ReturnType<AnswerReader["facts"]> {
    return this.#options.reader.facts();
  }

  #step(step: ReadStep): ReadStep {
    const pieces: Uint8Array[] = [];
    if (this.#failure === undefined) {
      const good = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0));
      if (good !== undefined) this.#readEvents(this.#scanner.push(good), pieces);
      if (step.complete || step.failure !== undefined) this.#readEvents(this.#scanner.finish(), pieces);
    }
    const failure = this.#failure ?? step.failure;
    return {
      relay: pieces.length === 0 ? undefined : joinBytes(pieces),
      events: step.events,
      finished: step.finished && failure === undefined,
      complete: step.complete && failure === undefined,
      failure,
      // What the provider says about its own error is in the failure; the caller gets an event of ours.
      inBand: false,
    };
  }

  #readEvents(bytes: Uint8Array, pieces: Uint8Array[]): void {
    const scanner = this.#scanner;
    while (this.#failure === undefined && scanner.next()) {
      if (scanner.dataLines === 0) {
        if (this.#state === "going-on") pieces.push(bytes.slice(scanner.start, scanner.end));
        continue;
      }
      const data = scanner.data();
      const chunk = parseObject(data);
      if (chunk !== undefined) this.#readChunk(data, chunk, pieces);
      else if (isDoneData(data) && this.#goesOn(true, pieces)) pieces.push(bytes.slice(scanner.start, scanner.end));
      else this.#diverge();
    }
  }

  #readChunk(json: Uint8Array, chunk: JsonObject, pieces: Uint8Array[]): void {
    const content = readChunk(chunk);
    const { text, other, finishes } = content;
    if (text !== "") this.#textPieces++;
    if (this.#isForeign(other)) return this.#diverge();
    const joined = this.#join.take(text);
    if (joined === "differs") return this.#diverge();
    if (joined === "repeats-prefill") {
      this.#failure = repeatedPrefill();
      this.#state = joined;
      return;
    }
    const rest = typeof joined === "object" ? joined.rest : joined === "held" ? text : "";
    const isLast = finishes || other === "tool-calls";
    if (this.#goesOn(isLast, pieces)) this.#put(pieces, json, chunk, content, rest);
    else if (isLast) this.#diverge();
    else if (rest !== "") this.#put(this.#held, json, chunk, content, rest);
  }

  /** What cannot be part of this answer, or cannot be compared with text that was delivered. */
  #isForeign(other: ChunkContent["other"]): boolean {
    if (other === "several-choices" || other === "unreadable") return true;
    return this.#join.open && other !== undefined && other !== "logprobs" && other !== "tool-calls";
  }

  /**
   * Whether the caller gets what comes now. `last`: no text follows that could be compared, so that what was held back is the continuation
   * after all, for a repetition would have been longer.
   */
  #goesOn(last: boolean, pieces: Uint8Array[]): boolean {
    if (this.#join.open) {
      if (!last || this.#options.rule === "fresh") return false;
      this.#join.close();
    }
    this.#state = "going-on";
    pieces.push(...this.#held);
    this.#held = [];
    return true;
  }

  /** Adds the event with only `rest` of its text, unless the caller has had everything in it. */
  #put(pieces: Uint8Array[], json: Uint8Array, chunk: JsonObject, content: ChunkContent, rest: string): void {
    const { identity, roleKnown, sumUsage } = this.#options;
    const usage = usageMembers(chunk, sumUsage);
    const edits = { ...(chunk.choices === undefined && chunk.id === undefined ? {} : identity), ...usage };
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const hasChanged = rest !== content.text || (roleKnown && content.hasRole);
    if (!hasChanged || !isJsonObject(choice)) {
      pieces.push(editEvent(json, chunk, edits));
      return;
    }
    const edited = restOfChoice(choice, rest, roleKnown);
    if (saysNothing(edited) && Object.keys(usage).length === 0) return;
    pieces.push(editEvent(json, chunk, { ...edits, choices: [edited] }));
  }

  #diverge(): void {
    this.#failure = divergedAnswer();
    this.#state = "diverged";
    this.#held = [];
  }
}
