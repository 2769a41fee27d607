// Knows what text of a stream the caller has, so that another target can go on where it broke.

import { Buffer } from "node:buffer";
import type { AnswerFacts, ModelRequest } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, RecoveryObstacle, ResumedReader } from "../../core/stream-recovery.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { readChunk } from "./chunk-content.ts";
import { identityEdits } from "./chunk-edit.ts";
import type { ChunkEdits } from "./chunk-edit.ts";
import { continueRequest } from "./continue-request.ts";
import { isDoneData, parseObject } from "../sse/event-data.ts";
import { brokenFacts, usageOfAll } from "../recovery/part-usage.ts";
import type { BrokenPart } from "../recovery/part-usage.ts";
import { ResumedStream } from "./resumed-reader.ts";

/** What is kept unread: most streams end well, and reading is for the others. */
const batchBytes = 64 * 1024;
const firstBatchBytes = 16 * 1024;

/** Far above what any model answers: a million tokens. */
const longestText = 4_000_000;

const decoder = new TextDecoder();
const nothing = new Uint8Array(0);

/** `request` is the one whose answer is followed. */
export function followChatStream(request: ModelRequest): DeliveredStream {
  return new ChatDelivery(request);
}

class ChatDelivery implements DeliveredStream {
  readonly #request: ModelRequest;
  #batch: Uint8Array = nothing;
  #batchLength = 0;
  /** Whether anything was read before the batch. */
  #hasBegun = false;
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
    if (this.#obstacle !== undefined) return;
    if (this.#batchLength + relay.length > batchBytes) {
      this.#readBatch();
      if (relay.length > batchBytes) {
        this.#read(relay);
        return;
      }
    }
    const length = this.#batchLength + relay.length;
    if (length > this.#batch.length) {
      // Not cleared first: only what has been written is read.
      const roomier = Buffer.allocUnsafe(
        Math.min(batchBytes, Math.max(length, firstBatchBytes, 2 * this.#batch.length)),
      );
      roomier.set(this.#batch.subarray(0, this.#batchLength));
      this.#batch = roomier;
    }
    // The runtime may use the memory of a piece again.
    this.#batch.set(relay, this.#batchLength);
    this.#batchLength = length;
  }

  obstacle(): RecoveryObstacle | undefined {
    this.#readBatch();
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

  #readBatch(): void {
    const batch = this.#batch.subarray(0, this.#batchLength);
    this.#batchLength = 0;
    if (batch.length > 0 && this.#obstacle === undefined) this.#read(batch);
    if (this.#obstacle !== undefined) this.#batch = nothing;
  }

  /** Whole events, so each batch is a stream of its own, except for the mark that only the first bytes of a stream can be. */
  #read(bytes: Uint8Array): void {
    const scanner = new EventScanner();
    const texts: string[] = [];
    if (this.#hasBegun && bytes[0] === 0xef) this.#obstacle = "unreadable";
    this.#hasBegun = true;
    scanner.push(bytes);
    while (this.#obstacle === undefined && scanner.next()) this.#readEvent(scanner, texts);
    scanner.finish();
    while (this.#obstacle === undefined && scanner.next()) this.#readEvent(scanner, texts);
    if (this.#obstacle === undefined && scanner.tail.length > 0) this.#obstacle = "unreadable";
    this.#text += texts.join("");
    if (this.#text.length > longestText) this.#obstacle ??= "too-long";
    if (this.#obstacle !== undefined) this.#text = "";
  }

  #readEvent(scanner: EventScanner, texts: string[]): void {
    if (scanner.dataLines === 0) return;
    const data = scanner.data();
    const chunk = parseObject(data);
    if (chunk === undefined) {
      this.#obstacle = isDoneData(data) ? "finished" : "unreadable";
      return;
    }
    const { text, other, finishes, hasRole } = readChunk(chunk);
    this.#obstacle = other ?? (finishes ? "finished" : undefined);
    // Azure's verdict on the prompt comes first, without an identity.
    if (Array.isArray(chunk.choices) && chunk.choices.length > 0) this.#identity ??= identityEdits(chunk);
    if (hasRole) this.#roleKnown = true;
    if (text === "") return;
    texts.push(text);
    this.#textPieces++;
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
