// The events of a Responses stream, to those of the hub.

import { Buffer } from "node:buffer";
import type { ChatEvent } from "../../core/chat-answer.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import { changedType, malformedEvent } from "../answers/unusable-answer.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { RepeatedEvent } from "../json/repeated-event.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { parseText } from "../sse/event-data.ts";
import { decodeFinish } from "./finish-reason.ts";
import { isDelta, OutputItems } from "./output-items.ts";
import { responseFacts } from "./response-facts.ts";

const { utf8Slice } = Buffer.prototype;
const decoder = new TextDecoder();

/** Reads whole events of a good answer; also when the bytes of one come in pieces. */
export function createDecoder(origin: AnswerOrigin): StreamDecoder {
  return new ResponsesDecoder(origin);
}

class ResponsesDecoder implements StreamDecoder {
  readonly #scanner = new EventScanner();
  readonly #origin: AnswerOrigin;
  readonly #items: OutputItems;
  /** `obfuscation` hides the length of a piece (https://developers.openai.com/api/reference/resources/responses/streaming-events). */
  readonly #pieces = new RepeatedEvent({ numbers: ["sequence_number"], strings: ["obfuscation"] });
  /** What they are pieces of: the event that was learnt. */
  #pieceOf: JsonObject = {};
  #started = false;
  #finished = false;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
    this.#items = new OutputItems(origin);
  }

  push(relay: Uint8Array, events: ChatEvent[]): void {
    this.#read(this.#scanner.push(relay), events);
  }

  finish(events: ChatEvent[]): void {
    this.#read(this.#scanner.finish(), events);
    if (this.#scanner.takeTail()) this.#readEvent(decoder.decode(this.#scanner.data()), events);
    if (this.#finished || !this.#started) return;
    this.#items.end(events);
    events.push({ kind: "finish", choice: 0, finish: { reason: this.#items.called ? "tool-calls" : "stop" } });
    this.#finished = true;
  }

  #read(bytes: Uint8Array, events: ChatEvent[]): void {
    const scanner = this.#scanner;
    while (scanner.next()) {
      if (scanner.dataLines === 1) this.#readEvent(utf8Slice.call(bytes, scanner.dataStart, scanner.dataEnd), events);
      else if (scanner.dataLines > 1) this.#readEvent(decoder.decode(scanner.data()), events);
    }
  }

  #readEvent(text: string, events: ChatEvent[]): void {
    const repeated = this.#finished ? undefined : this.#pieces.textOf(text);
    if (repeated !== undefined) {
      this.#items.delta(this.#pieceOf, repeated, events);
      return;
    }
    const event = parseText(text);
    if (event === undefined) {
      const rest = text.trim();
      // The reader before this one does not look into every event.
      if (rest !== "" && rest !== "[DONE]") throw malformedEvent(this.#origin.providerName, this.#started);
      return;
    }
    this.#decode(event, events);
    if (isDelta(event.type) && typeof event.delta === "string") {
      this.#pieceOf = event;
      this.#pieces.learn(text, "delta", event.delta);
    }
  }

  #decode(event: JsonObject, events: ChatEvent[]): void {
    const { type, response } = event;
    if (typeof type !== "string" || this.#finished) return;
    if (!this.#started) this.#start(isJsonObject(response) ? response : {}, events);
    switch (type) {
      case "response.completed":
      case "response.incomplete":
        return this.#end(response, events);
      case "response.output_item.added":
        return this.#items.added(event, events);
      case "response.output_item.done":
        return this.#items.done(event, events);
      default:
        this.#items.piece(type, event, events);
    }
  }

  #start(response: JsonObject, events: ChatEvent[]): void {
    this.#started = true;
    const facts = responseFacts(response);
    this.#items.responseId = facts.id;
    events.push({ kind: "start", ...facts });
  }

  #end(response: unknown, events: ChatEvent[]): void {
    const { providerName } = this.#origin;
    if (!isJsonObject(response)) throw changedType(providerName, "response must be an object");
    const output = response.output ?? [];
    if (!Array.isArray(output)) throw changedType(providerName, "output must be a list");
    for (const [index, item] of output.entries()) this.#items.done({ output_index: index, item }, events);
    this.#items.end(events);
    const usage = readUsage(response.usage, plainUsage);
    events.push({ kind: "finish", choice: 0, finish: decodeFinish(response, this.#items.called) });
    if (usage !== undefined) events.push({ kind: "usage", usage });
    this.#finished = true;
  }
}
