// Knows what text of a Responses stream the caller has, and in which item, so that another target can go on where it broke.

import type { AnswerFacts, ModelRequest } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, RecoveryObstacle, ResumedReader } from "../../core/stream-recovery.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventBatches, type EventSink } from "../recovery/event-batches.ts";
import { brokenFacts, usageOfAll } from "../recovery/part-usage.ts";
import type { BrokenPart } from "../recovery/part-usage.ts";
import { isDoneData, parseObject } from "../sse/event-data.ts";
import type { EventScanner } from "../sse/event-scanner.ts";
import { continueRequest } from "./continue-request.ts";
import { readContent } from "./event-content.ts";
import type { Place } from "./event-content.ts";
import { ResumedResponse } from "./resumed-reader.ts";

/** Far above what any model answers: a million tokens. */
const longestText = 4_000_000;

/** `request` is the one whose answer is followed. */
export function followResponsesStream(request: ModelRequest): DeliveredStream {
  return new ResponsesDelivery(request);
}

class ResponsesDelivery implements DeliveredStream, EventSink {
  readonly #request: ModelRequest;
  readonly #batches = new EventBatches(this);
  #obstacle: RecoveryObstacle | undefined;
  #response: JsonObject | undefined;
  #next = 0;
  #isNumbered = false;
  /** The message that was begun, and whether its text was. */
  #place: Place | undefined;
  #hasPart = false;
  #texts: string[] = [];
  #length = 0;
  readonly #broken: BrokenPart[] = [];
  /** Of the whole text, whoever sent them. */
  #textPieces = 0;
  #resumed: ResumedResponse | undefined;
  #prefillPieces = 0;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  took(relay: Uint8Array): void {
    this.#batches.took(relay);
  }

  obstacle(): RecoveryObstacle | undefined {
    this.#batches.flush();
    if (this.#obstacle !== undefined) this.#texts = [];
    return this.#obstacle;
  }

  continuation(): ModelRequest | undefined {
    return this.obstacle() === undefined ? continueRequest(this.#request, this.#text()) : undefined;
  }

  resume(next: AnswerReader, rule: ResumeRule, broken: AnswerFacts): ResumedReader {
    const obstacle = this.obstacle();
    if (obstacle !== undefined) throw new Error(`no target can go on with this stream: ${obstacle}`);
    this.#broken.push({
      facts: broken,
      textPieces: this.#resumed === undefined ? this.#textPieces : this.#resumed.textPieces,
      prefillPieces: this.#prefillPieces,
    });
    const prefillPieces = rule === "prefill" ? this.#textPieces : 0;
    const parts = [...this.#broken];
    this.#prefillPieces = prefillPieces;
    this.#resumed = new ResumedResponse({
      reader: next,
      rule,
      deliveredText: this.#text(),
      response: this.#response,
      place: this.#place,
      hasPart: this.#hasPart,
      nextNumber: this.#next,
      isNumbered: this.#isNumbered || this.#next === 0,
      sumUsage: (usage) => usageOfAll(usage, parts, prefillPieces),
    });
    return this.#resumed;
  }

  brokenParts(): readonly AnswerFacts[] {
    return brokenFacts(this.#broken, this.#resumed?.facts().usage, this.#prefillPieces);
  }

  #text(): string {
    if (this.#texts.length > 1) this.#texts = [this.#texts.join("")];
    return this.#texts[0] ?? "";
  }

  get isSettled(): boolean {
    return this.#obstacle !== undefined;
  }

  unreadable(): void {
    this.#obstacle ??= "unreadable";
  }

  readEvent(scanner: EventScanner): void {
    const data = scanner.data();
    const event = parseObject(data);
    if (event === undefined) this.#obstacle = isDoneData(data) ? "finished" : "unreadable";
    else {
      this.#obstacle = this.#read(event);
      this.#count(event.sequence_number);
    }
  }

  /** As the reader of the stream counts. */
  #count(number: unknown): void {
    if (typeof number === "number") {
      this.#next = number + 1;
      this.#isNumbered = true;
    } else if (!this.#isNumbered) this.#next++;
  }

  #read(event: JsonObject): RecoveryObstacle | undefined {
    const content = readContent(event);
    switch (content.kind) {
      case "status":
        if (isJsonObject(event.response)) this.#response ??= event.response;
        return undefined;
      case "metadata":
        return undefined;
      case "item":
        if (this.#place !== undefined) return "other-content";
        this.#place = content.place;
        return undefined;
      case "part":
        if (this.#hasPart || !this.#isHere(content.place)) return "other-content";
        this.#hasPart = true;
        return undefined;
      case "text":
        if (content.hasLogprobs) return "logprobs";
        if (!this.#isHere(content.place)) return "other-content";
        this.#hasPart = true;
        return this.#take(content.text);
      case "done":
      case "terminal":
        return "finished";
      case "other":
        return content.other;
    }
  }

  #take(text: string): RecoveryObstacle | undefined {
    if (text === "") return undefined;
    this.#texts.push(text);
    this.#textPieces++;
    this.#length += text.length;
    return this.#length > longestText ? "too-long" : undefined;
  }

  /** Whether it belongs to the one text that there is; the first one says where that is. */
  #isHere(place: Place): boolean {
    const own = this.#place;
    if (own === undefined) {
      this.#place = place;
      return true;
    }
    if (!this.#hasPart) this.#place = { ...own, contentIndex: place.contentIndex };
    else if (own.contentIndex !== place.contentIndex) return false;
    return (
      own.outputIndex === place.outputIndex && (place.itemId === "" || own.itemId === "" || place.itemId === own.itemId)
    );
  }
}
