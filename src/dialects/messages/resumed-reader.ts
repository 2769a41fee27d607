// Reads the answer of another target after a break, and gives of it what the caller has not had yet, in the blocks that the caller has.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { ResumedReader, ResumeState } from "../../core/stream-recovery.ts";
import { divergedAnswer, repeatedPrefill } from "../answers/unusable-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { TextJoin } from "../recovery/text-join.ts";
import { parseObject } from "../sse/event-data.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { type BlockContent, readBlockEvent } from "./block-content.ts";
import { blockStop, editedEvent, textBlockDelta, textBlockStart } from "./block-events.ts";
import { isStopReason } from "./stop-reason.ts";
import { laterUsage } from "./usage.ts";

export interface ResumeOptions {
  readonly reader: AnswerReader;
  readonly rule: ResumeRule;
  readonly deliveredText: string;
  /** The caller has a `message_start`: who answers is told, and stays. */
  readonly hasStart: boolean;
  /** The text block that the caller has open. */
  readonly openBlock: number | undefined;
  /** The number of the next new block. */
  readonly nextBlock: number;
  /** Adds to the usage of a `message_delta` what the answers before this one used; `whole` is what this one told so far. */
  readonly sumUsage: (own: JsonObject, whole: JsonObject) => JsonObject;
}

/** Works on what the answer's own reader relays: whole events. */
export class ResumedMessages implements ResumedReader {
  readonly contentType: string;
  readonly #options: ResumeOptions;
  readonly #scanner = new EventScanner();
  readonly #join: TextJoin;
  /** Asked to go on: text that may still turn out to be the delivered one once more. */
  #held = "";
  #failure: Failure | undefined;
  #state: ResumeState = "catching-up";
  #textPieces = 0;
  #openBlock: number | undefined;
  #nextBlock: number;
  /** The caller's numbers of this answer's blocks. */
  readonly #blocks = new Map<number, number>();
  #usage: JsonObject | undefined;

  constructor(options: ResumeOptions) {
    this.#options = options;
    this.contentType = options.reader.contentType;
    this.#join = new TextJoin(options.deliveredText, options.rule);
    this.#openBlock = options.openBlock;
    this.#nextBlock = options.nextBlock;
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
      const json = scanner.dataLines === 0 ? undefined : scanner.data();
      const parsed = json === undefined ? undefined : parseObject(json);
      if (json !== undefined && parsed === undefined) this.#diverge();
      else if (json === undefined || parsed === undefined || parsed.type === "ping") {
        if (this.#state === "going-on") pieces.push(bytes.slice(scanner.start, scanner.end));
      } else this.#readEvent(json, parsed, pieces);
    }
  }

  #readEvent(json: Uint8Array, parsed: JsonObject, pieces: Uint8Array[]): void {
    const { type } = parsed;
    switch (type) {
      case "message_start":
        if (isJsonObject(parsed.message)) this.#noteUsage(parsed.message.usage);
        if (this.#goesOn(false, pieces) && !this.#options.hasStart && this.#options.nextBlock === 0) {
          pieces.push(editedEvent(type, json, parsed, {}));
        }
        return;
      case "content_block_start":
      case "content_block_delta":
      case "content_block_stop":
        this.#readBlock(type, json, parsed, pieces);
        return;
      case "message_delta": {
        this.#noteUsage(parsed.usage);
        const { delta, usage } = parsed;
        const isLast = isJsonObject(delta) && isStopReason(delta.stop_reason);
        if (!this.#takesEnd(isLast, pieces)) return;
        const sum = isJsonObject(usage) ? { usage: this.#options.sumUsage(usage, this.#usage ?? usage) } : {};
        pieces.push(editedEvent(type, json, parsed, sum));
        return;
      }
      case "message_stop":
        if (this.#takesEnd(true, pieces)) pieces.push(editedEvent(type, json, parsed, {}));
        return;
    }
    // Of a type that nobody knows: what it says while text is compared cannot be compared.
    if (typeof type === "string" && this.#state === "going-on") pieces.push(editedEvent(type, json, parsed, {}));
  }

  #readBlock(type: string, json: Uint8Array, parsed: JsonObject, pieces: Uint8Array[]): void {
    const content = readBlockEvent(parsed);
    if (content.other === "unreadable") this.#diverge();
    else if (type === "content_block_stop") this.#stopBlock(content.index, pieces);
    else if (content.other === undefined) this.#takeText(type, json, parsed, content, pieces);
    else this.#takeOther(type, json, parsed, content, pieces);
  }

  #stopBlock(index: number, pieces: Uint8Array[]): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    pieces.push(blockStop(block));
    this.#blocks.delete(index);
    if (this.#openBlock === block) this.#openBlock = undefined;
  }

  #takeText(
    type: string,
    json: Uint8Array,
    parsed: JsonObject,
    { index, text }: BlockContent,
    pieces: Uint8Array[],
  ): void {
    if (text !== "") this.#textPieces++;
    const joined = this.#join.take(text);
    if (joined === "differs") {
      this.#diverge();
      return;
    }
    if (joined === "repeats-prefill") {
      this.#failure = repeatedPrefill();
      this.#state = joined;
      return;
    }
    if (joined === "held") this.#held += text;
    if (!this.#goesOn(false, pieces) || typeof joined !== "object") return;
    const { rest } = joined;
    // A text that was delivered to its end is closed by the end of this block.
    if (rest === "" && this.#openBlock === undefined) return;
    const block = this.#textBlock(index, pieces);
    if (rest === "") return;
    if (type === "content_block_start") pieces.push(textBlockDelta(block, rest));
    else {
      const delta = rest === text ? parsed.delta : { ...(isJsonObject(parsed.delta) ? parsed.delta : {}), text: rest };
      pieces.push(editedEvent(type, json, parsed, { index: block, delta }));
    }
  }

  /** Everything that is not plain text. A tool call is the end of the text, as a stop reason is. */
  #takeOther(
    type: string,
    json: Uint8Array,
    parsed: JsonObject,
    { index, other }: BlockContent,
    pieces: Uint8Array[],
  ): void {
    if (this.#join.open && other !== "tool-calls") {
      this.#diverge();
      return;
    }
    if (!this.#takesText(true, pieces)) return;
    let block = this.#blocks.get(index);
    if (type === "content_block_start") {
      this.#closeText(pieces);
      block = this.#nextBlock++;
      this.#blocks.set(index, block);
    }
    if (block === undefined && other !== "other-content") {
      // A piece of a block that never began.
      this.#diverge();
      return;
    }
    // Citations belong to a block of text.
    block ??= this.#textBlock(index, pieces);
    pieces.push(editedEvent(type, json, parsed, { index: block }));
  }

  /** The caller's number of a text block of this answer; one is begun where the caller has none open. */
  #textBlock(index: number, pieces: Uint8Array[]): number {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    let block = this.#openBlock;
    if (block === undefined || [...this.#blocks.values()].includes(block)) {
      this.#closeText(pieces);
      block = this.#nextBlock++;
      pieces.push(textBlockStart(block));
      this.#openBlock = block;
    }
    this.#blocks.set(index, block);
    return block;
  }

  #closeText(pieces: Uint8Array[]): void {
    const block = this.#openBlock;
    if (block === undefined) return;
    pieces.push(blockStop(block));
    this.#openBlock = undefined;
    for (const [index, open] of this.#blocks) if (open === block) this.#blocks.delete(index);
  }

  /** Whether the answer may end here, or say that it does. */
  #takesEnd(isLast: boolean, pieces: Uint8Array[]): boolean {
    if (!this.#takesText(isLast, pieces)) return false;
    if (isLast) this.#closeText(pieces);
    return true;
  }

  #takesText(isLast: boolean, pieces: Uint8Array[]): boolean {
    if (this.#goesOn(isLast, pieces)) return true;
    if (isLast) this.#diverge();
    return false;
  }

  /**
   * Whether the caller gets what comes now. `isLast`: no text follows that could be compared, so that what was held back is the continuation after all, for
   * a repetition would have been longer.
   */
  #goesOn(isLast: boolean, pieces: Uint8Array[]): boolean {
    if (this.#join.open) {
      if (!isLast || this.#options.rule === "fresh") return false;
      this.#join.close();
    }
    this.#state = "going-on";
    const held = this.#held;
    this.#held = "";
    if (held !== "") {
      if (this.#openBlock === undefined) {
        this.#openBlock = this.#nextBlock++;
        pieces.push(textBlockStart(this.#openBlock));
      }
      pieces.push(textBlockDelta(this.#openBlock, held));
    }
    return true;
  }

  #noteUsage(usage: unknown): void {
    if (isJsonObject(usage)) this.#usage = laterUsage(this.#usage, usage);
  }

  #diverge(): void {
    this.#failure = divergedAnswer();
    this.#state = "diverged";
    this.#held = "";
  }
}
