// The events of a Responses stream, to those of the hub.

import type { ChatEvent } from "../../core/chat-answer.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import { changedType, malformedEvent } from "../answers/unusable-answer.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { isBlank, isDoneData, parseObject } from "../sse/event-data.ts";
import { decodeFinish } from "./finish-reason.ts";
import { OutputItems } from "./output-items.ts";
import { responseFacts } from "./response-facts.ts";

/** Reads whole events of a good answer; also when the bytes of one come in pieces. */
export function createDecoder(origin: AnswerOrigin): StreamDecoder {
  return new ResponsesDecoder(origin);
}

class ResponsesDecoder implements StreamDecoder {
  readonly #scanner = new EventScanner();
  readonly #origin: AnswerOrigin;
  readonly #items: OutputItems;
  #started = false;
  #finished = false;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
    this.#items = new OutputItems(origin);
  }

  push(relay: Uint8Array, events: ChatEvent[]): void {
    this.#scanner.push(relay);
    this.#read(events);
  }

  finish(events: ChatEvent[]): void {
    this.#scanner.finish();
    this.#read(events);
    if (this.#scanner.takeTail()) this.#readEvent(events);
    if (this.#finished || !this.#started) return;
    this.#items.end(events);
    events.push({ kind: "finish", choice: 0, finish: { reason: this.#items.called ? "tool-calls" : "stop" } });
    this.#finished = true;
  }

  #read(events: ChatEvent[]): void {
    while (this.#scanner.next()) if (this.#scanner.dataLines > 0) this.#readEvent(events);
  }

  #readEvent(events: ChatEvent[]): void {
    const data = this.#scanner.data();
    const event = parseObject(data);
    if (event !== undefined) this.#decode(event, events);
    // The reader before this one does not look into every event.
    else if (!isDoneData(data) && !isBlank(data)) throw malformedEvent(this.#origin.providerName, this.#started);
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
