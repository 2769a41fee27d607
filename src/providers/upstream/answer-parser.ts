// Turns what a connection receives into one answer: head, body bytes, end.

import { partOf } from "../../core/byte-pieces.ts";
import { type AnswerHead, answerHeadReader, maxHeadBytes, parseAnswerHead, tooLarge } from "./answer-head.ts";
import { BadMessage } from "../../http1/bad-message.ts";
import { ChunkDecoder } from "../../http1/chunk-decoder.ts";
import { HeadCollector } from "../../http1/head-collector.ts";
import { RawHeaders } from "./http-answer.ts";

/** Told in this order: one head, any number of pieces of the body, the end. */
export interface AnswerSink {
  answerHead(head: AnswerHead, headers: RawHeaders): void;
  /** Never empty. */
  answerBytes(bytes: Uint8Array): void;
  answerEnd(): void;
}

/** One per connection, used for one answer after the other. */
export class AnswerParser {
  #stage: "head" | "length" | "chunked" | "until-close" | "ended" = "ended";
  #collector: HeadCollector<AnswerHead> | undefined;
  #interimBytes = 0;
  #left = 0;
  readonly #chunks = new ChunkDecoder();

  /** A request has been sent, its answer is next. */
  reset(): void {
    this.#stage = "head";
    this.#collector = undefined;
    this.#interimBytes = 0;
  }

  /** Gives how many of the bytes belong to the answer; the rest is surplus. Throws `BadMessage`. */
  push(bytes: Uint8Array, sink: AnswerSink): number {
    if (this.#stage !== "head") return this.#body(bytes, 0, sink);
    const collector = this.#collector;
    if (collector === undefined) return this.#head(bytes, parseAnswerHead(bytes, 0), sink);
    const head = collector.push(bytes);
    if (head === undefined) return bytes.length;
    const collected = collector.bytes;
    this.#collector = undefined;
    return this.#head(collected, head, sink) - (collected.length - bytes.length);
  }

  /** Nothing more comes. Throws `BadMessage` when the answer was not at its end. */
  finish(sink: AnswerSink): void {
    switch (this.#stage) {
      case "until-close":
        this.#end(sink);
        return;
      case "ended":
        return;
      case "head":
        throw new BadMessage("the connection was closed before the answer", "unexpected_end");
      case "length":
      case "chunked":
        throw new BadMessage("the connection was closed before the end of the answer", "unexpected_end");
    }
  }

  #head(bytes: Uint8Array, first: AnswerHead | undefined, sink: AnswerSink): number {
    let start = 0;
    for (let head = first; ; head = parseAnswerHead(bytes, start)) {
      if (head === undefined) return this.#collect(bytes, start);
      if (this.#interimBytes + head.end - start > maxHeadBytes) throw tooLarge();
      if (head.status >= 200) {
        this.#begin(head);
        sink.answerHead(head, new RawHeaders(bytes, head));
        return this.#body(bytes, head.end, sink);
      }
      // We never ask for another protocol, so what would follow is none of ours.
      if (head.status === 101) throw new BadMessage("the answer switches to another protocol");
      this.#interimBytes += head.end - start;
      start = head.end;
      if (start === bytes.length) return start;
    }
  }

  #collect(bytes: Uint8Array, start: number): number {
    const collector = new HeadCollector(answerHeadReader);
    collector.push(start === 0 ? bytes : bytes.subarray(start));
    this.#collector = collector;
    return bytes.length;
  }

  #begin(head: AnswerHead): void {
    if (head.status === 204 || head.status === 304) {
      this.#stage = "length";
      this.#left = 0;
    } else if (head.chunked) {
      this.#stage = "chunked";
      this.#chunks.reset();
    } else if (head.contentLength !== undefined) {
      this.#stage = "length";
      this.#left = head.contentLength;
    } else {
      this.#stage = "until-close";
      // Such a body has no other end.
      head.close = true;
    }
  }

  #body(bytes: Uint8Array, start: number, sink: AnswerSink): number {
    switch (this.#stage) {
      case "length": {
        const end = Math.min(bytes.length, start + this.#left);
        this.#left -= end - start;
        if (end > start) sink.answerBytes(partOf(bytes, start, end));
        if (this.#left === 0) this.#end(sink);
        return end;
      }
      case "chunked": {
        const chunks = this.#chunks;
        const end = chunks.decode(bytes, start);
        if (chunks.payloadEnd > chunks.payloadStart)
          sink.answerBytes(partOf(bytes, chunks.payloadStart, chunks.payloadEnd));
        if (chunks.done) this.#end(sink);
        return end;
      }
      case "until-close":
        if (bytes.length > start) sink.answerBytes(partOf(bytes, start, bytes.length));
        return bytes.length;
      case "head":
      case "ended":
        return start;
    }
  }

  #end(sink: AnswerSink): void {
    this.#stage = "ended";
    sink.answerEnd();
  }
}
