// The events of a Responses stream, to those of the hub.

import type { StreamEvent } from "../../core/chat-answer.ts";
import type { FoundPieces } from "../json/found-pieces.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import { changedType, malformedEvent } from "../answers/unusable-answer.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { parseText } from "../sse/event-data.ts";
import { type EventTextReader, EventTexts } from "../sse/event-texts.ts";
import { decodeFinish } from "./finish-reason.ts";
import { isDelta, OutputItems } from "./output-items.ts";
import { responseFacts } from "./response-facts.ts";

/** Reads whole events of a good answer; also when the bytes of one come in pieces. */
export function createDecoder(origin: AnswerOrigin): StreamDecoder {
  return new ResponsesDecoder(origin);
}

class ResponsesDecoder implements StreamDecoder, EventTextReader {
  readonly #origin: AnswerOrigin;
  readonly #items: OutputItems;
  /** `obfuscation` hides the length of a piece (https://developers.openai.com/api/reference/resources/responses/streaming-events). */
  readonly #texts = new EventTexts({ numbers: ["sequence_number"], strings: ["obfuscation"] });
  /** What they are pieces of: the event that was learnt. */
  #pieceOf: JsonObject = {};
  #started = false;
  #finished = false;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
    this.#items = new OutputItems(origin);
  }

  push(relay: Uint8Array, events: StreamEvent[]): void {
    this.#texts.push(relay, this, events);
  }

  finish(events: StreamEvent[]): void {
    this.#texts.finish(this, events);
    this.#texts.readTail(this, events);
    if (this.#finished || !this.#started) return;
    this.#items.end(events);
    events.push({ kind: "finish", choice: 0, finish: { reason: this.#items.called ? "tool-calls" : "stop" } });
    this.#finished = true;
  }

  readPieces(pieces: FoundPieces, events: StreamEvent[]): void {
    if (!this.#finished) this.#items.pieces(this.#pieceOf, pieces, events);
  }

  readText(text: string, bytes: Uint8Array | undefined, events: StreamEvent[]): void {
    const event = parseText(text);
    if (event === undefined) {
      const rest = text.trim();
      // The reader before this one does not look into every event.
      if (rest !== "" && rest !== "[DONE]") throw malformedEvent(this.#origin.providerName, this.#started);
      return;
    }
    this.#decode(event, events);
    if (bytes !== undefined && isDelta(event.type) && typeof event.delta === "string") {
      this.#pieceOf = event;
      this.#texts.learn(bytes, "delta", event.delta);
    }
  }

  #decode(event: JsonObject, events: StreamEvent[]): void {
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

  #start(response: JsonObject, events: StreamEvent[]): void {
    this.#started = true;
    const facts = responseFacts(response);
    this.#items.responseId = facts.id;
    events.push({ kind: "start", ...facts });
  }

  #end(response: unknown, events: StreamEvent[]): void {
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
