// Knows what text of a Messages stream the caller has, so that another target can go on where it broke.

import type { AnswerFacts, ModelRequest } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, RecoveryObstacle, ResumedReader } from "../../core/stream-recovery.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { continueRequest } from "../recovery/continue-request.ts";
import { EventBatches, type EventSink } from "../recovery/event-batches.ts";
import { brokenFacts, type BrokenPart } from "../recovery/part-usage.ts";
import { parseObject } from "../sse/event-data.ts";
import type { EventScanner } from "../sse/event-scanner.ts";
import { readBlockEvent } from "./block-content.ts";
import { saysError } from "./error-answer.ts";
import { usageOfAll } from "./part-usage.ts";
import { ResumedMessages } from "./resumed-reader.ts";
import { isStopReason } from "./stop-reason.ts";

/** Far above what any model answers: a million tokens. */
const longestText = 4_000_000;

/** `request` is the one whose answer is followed. */
export function followMessagesStream(request: ModelRequest): DeliveredStream {
  return new MessagesDelivery(request);
}

class MessagesDelivery implements DeliveredStream, EventSink {
  readonly #request: ModelRequest;
  readonly #batches = new EventBatches(this);
  #obstacle: RecoveryObstacle | undefined;
  #text = "";
  #textPieces = 0;
  #hasStart = false;
  /** The text block that has not been closed. */
  #openBlock: number | undefined;
  #nextBlock = 0;
  readonly #broken: BrokenPart[] = [];
  /** The answer that is being delivered, once it is not the first one. */
  #resumed: ResumedMessages | undefined;
  #prefillPieces = 0;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  took(relay: Uint8Array): void {
    this.#batches.took(relay);
  }

  obstacle(): RecoveryObstacle | undefined {
    this.#batches.flush();
    return this.#obstacle;
  }

  continuation(): ModelRequest | undefined {
    return this.obstacle() === undefined ? continueRequest(this.#request, this.#text) : undefined;
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
    this.#resumed = new ResumedMessages({
      reader: next,
      rule,
      deliveredText: this.#text,
      hasStart: this.#hasStart,
      openBlock: this.#openBlock,
      nextBlock: this.#nextBlock,
      sumUsage: (own, whole) => usageOfAll(own, whole, parts, prefillPieces),
    });
    return this.#resumed;
  }

  brokenParts(): readonly AnswerFacts[] {
    return brokenFacts(this.#broken, this.#resumed?.facts().usage, this.#prefillPieces);
  }

  get isSettled(): boolean {
    return this.#obstacle !== undefined;
  }

  unreadable(): void {
    this.#stop("unreadable");
  }

  readEvent(scanner: EventScanner): void {
    const parsed = parseObject(scanner.data());
    if (parsed === undefined || saysError(parsed)) {
      this.#stop("unreadable");
      return;
    }
    switch (parsed.type) {
      case "message_start":
        this.#hasStart = true;
        return;
      case "content_block_start":
      case "content_block_delta":
      case "content_block_stop":
        this.#readBlock(parsed);
        return;
      case "message_delta":
        if (isJsonObject(parsed.delta) && isStopReason(parsed.delta.stop_reason)) this.#stop("finished");
        return;
      case "message_stop":
        this.#stop("finished");
        return;
      case "ping":
        return;
    }
    // Nobody knows what it added to the answer.
    this.#stop("other-content");
  }

  #readBlock(parsed: JsonObject): void {
    const { index, text, other } = readBlockEvent(parsed);
    if (other !== undefined) {
      this.#stop(other);
      return;
    }
    if (parsed.type === "content_block_stop") {
      if (this.#openBlock === index) this.#openBlock = undefined;
      return;
    }
    this.#openBlock = index;
    this.#nextBlock = Math.max(this.#nextBlock, index + 1);
    if (text === "") return;
    this.#text += text;
    this.#textPieces++;
    if (this.#text.length > longestText) this.#stop("too-long");
  }

  #stop(obstacle: RecoveryObstacle): void {
    this.#obstacle ??= obstacle;
    this.#text = "";
  }
}
