// Knows what text of a stream the caller has, so that another target can go on where it broke.

import type { AnswerFacts, ModelRequest } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, RecoveryObstacle, ResumedReader } from "../../core/stream-recovery.ts";
import type { EventScanner } from "../sse/event-scanner.ts";
import { readChunk } from "./chunk-content.ts";
import { identityEdits } from "./chunk-edit.ts";
import type { ChunkEdits } from "./chunk-edit.ts";
import { continueRequest } from "../recovery/continue-request.ts";
import { EventBatches, type EventSink } from "../recovery/event-batches.ts";
import { isDoneData, parseObject } from "../sse/event-data.ts";
import { brokenFacts, usageOfAll } from "../recovery/part-usage.ts";
import type { BrokenPart } from "../recovery/part-usage.ts";
import { ResumedStream } from "./resumed-reader.ts";

/** Far above what any model answers: a million tokens. */
const longestText = 4_000_000;

const decoder = new TextDecoder();

/** `request` is the one whose answer is followed. */
export function followChatStream(request: ModelRequest): DeliveredStream {
  return new ChatDelivery(request);
}

class ChatDelivery implements DeliveredStream, EventSink {
  readonly #request: ModelRequest;
  readonly #batches = new EventBatches(this);
  #obstacle: RecoveryObstacle | undefined;
  #text = "";
  #textPieces = 0;
  #identity: ChunkEdits | undefined;
  #roleKnown = false;
  readonly #broken: BrokenPart[] = [];
  /** The answer that is being delivered, once it is not the first one. */
  #resumed: ResumedStream | undefined;
  #prefillPieces = 0;

  constructor(request: ModelRequest) {
    this.#request = request;
    if (!wantsOneChoice(request)) this.#obstacle = "several-choices";
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
    this.#resumed = new ResumedStream({
      reader: next,
      rule,
      deliveredText: this.#text,
      identity: this.#identity,
      roleKnown: this.#roleKnown,
      sumUsage: (usage) => usageOfAll(usage, parts, prefillPieces),
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
    const data = scanner.data();
    const chunk = parseObject(data);
    if (chunk === undefined) {
      this.#stop(isDoneData(data) ? "finished" : "unreadable");
      return;
    }
    const { text, other, finishes, hasRole } = readChunk(chunk);
    // Azure's verdict on the prompt comes first, without an identity.
    if (Array.isArray(chunk.choices) && chunk.choices.length > 0) this.#identity ??= identityEdits(chunk);
    if (hasRole) this.#roleKnown = true;
    if (text !== "") {
      this.#text += text;
      this.#textPieces++;
    }
    const obstacle = other ?? (finishes ? "finished" : undefined);
    if (obstacle !== undefined) this.#stop(obstacle);
    else if (this.#text.length > longestText) this.#stop("too-long");
  }

  #stop(obstacle: RecoveryObstacle): void {
    this.#obstacle = obstacle;
    this.#text = "";
  }
}

/** Only compared, not parsed: it may be anything, and of any size. */
function wantsOneChoice({ body, members }: ModelRequest): boolean {
  const member = members.findLast(({ key }) => key === "n");
  if (member === undefined) return true;
  if (member.valueEnd - member.valueStart > "null".length) return false;
  const json = decoder.decode(body.subarray(member.valueStart, member.valueEnd));
  return json === "1" || json === "null";
}
