// Writes events of a later answer as events of the response that the caller has the beginning of.

import type { ResumeRule } from "../../core/resume-rule.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { EventContent, Place } from "./event-content.ts";
import { failureEvents } from "./failure-events.ts";
import { messageItem, withIdentity, withWholeText } from "./resumed-response.ts";
import { ResponseSoFar } from "./response-so-far.ts";

/** What the caller has, and how the answer that is written joins it. */
export interface Delivered {
  readonly rule: ResumeRule;
  readonly deliveredText: string;
  /** The response as the first event told it; undefined: nothing did, so the answer keeps its own identity. */
  readonly response: JsonObject | undefined;
  /** The message that the caller has the beginning of. */
  readonly place: Place | undefined;
  /** Its text was begun, too. */
  readonly hasPart: boolean;
  readonly nextNumber: number;
  readonly isNumbered: boolean;
  /** Adds to the answer's usage what the ones before it used. */
  readonly sumUsage: (usage: JsonObject) => JsonObject;
}

const encoder = new TextEncoder();
const doneOrder = ["text", "part", "item"] as const;

/** Without a message that was begun (`place`) the answer's own places stay. */
export class ResumedWriter {
  readonly #delivered: Delivered;
  readonly #soFar = new ResponseSoFar();
  #response: JsonObject | undefined;
  #next: number;
  #text: string;
  /** The message of this answer that goes on with the delivered one. */
  #own: Place | undefined;
  #hasPart: boolean;
  #hasOwnPart = false;
  readonly #done = new Set<string>();
  /** From this answer's output indices to the caller's. */
  #shift = 0;
  #pieces: Uint8Array[] = [];

  constructor(delivered: Delivered) {
    this.#delivered = delivered;
    this.#next = delivered.nextNumber;
    this.#text = delivered.deliveredText;
    this.#hasPart = delivered.hasPart;
    this.#knowResponse(delivered.response);
  }

  /** What was written since the last call. */
  take(): readonly Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Nothing has told the caller who answers. */
  get needsStatus(): boolean {
    return this.#delivered.response === undefined;
  }

  status(event: JsonObject): void {
    if (isJsonObject(event.response) && this.#response === undefined) this.#knowResponse(event.response);
    this.event(event);
  }

  /** Whether the beginning of a message or its text is that of the delivered one, which need not be told again. */
  begins({ kind, place }: Extract<EventContent, { readonly kind: "item" | "part" }>): boolean {
    if (this.#delivered.place === undefined) return false;
    if (kind === "item") {
      if (this.#own !== undefined || this.#done.size > 0) return false;
      this.#adopt(place);
      return true;
    }
    if (this.#own === undefined) this.#adopt(place);
    if (!this.#isOwnItem(place) || this.#hasOwnPart) return false;
    this.#own = place;
    this.#hasOwnPart = true;
    return this.#delivered.hasPart;
  }

  /** Whether this is where the text goes on. */
  isText(place: Place): boolean {
    return this.isMessage(place) && place.contentIndex === (this.#own?.contentIndex ?? 0);
  }

  /** Whether it is the message that the caller has the beginning of. */
  isMessage(place: Place): boolean {
    if (this.#delivered.place === undefined) return false;
    if (this.#own === undefined) this.#adopt(place);
    return this.#isOwnItem(place);
  }

  /** False: it would have to come before the message that the caller has the beginning of, and that is empty so far. */
  hasRoom(event: JsonObject): boolean {
    if (this.#delivered.place === undefined || this.#own !== undefined) return true;
    // It is the first text of the message that goes on, or an item behind it.
    return this.#text !== "" || event.type === "response.content_part.added";
  }

  text(event: JsonObject, rest: string): void {
    if (rest === "") return;
    this.#text += rest;
    this.#beginPart();
    const isWhole = rest === event.delta;
    this.event(event, { delta: rest, ...(isWhole || event.logprobs === undefined ? {} : { logprobs: [] }) });
  }

  /** The end of the message that goes on, of its text or of the part with it. */
  done(event: JsonObject, of: "text" | "part" | "item"): void {
    if (of !== "item") this.#beginPart();
    this.#done.add(of);
    const text = this.#text;
    if (of === "text") return this.event(event, { text });
    if (of === "part")
      return this.event(event, { part: isJsonObject(event.part) ? { ...event.part, text } : event.part });
    this.event(event, { item: this.#wholeItem(event.item) });
  }

  /** An event of another item, or of another part of the message. */
  other(event: JsonObject): void {
    if (this.#delivered.place !== undefined && typeof event.output_index === "number") {
      if (this.#own === undefined && event.type !== "response.content_part.added") {
        this.#closeMessage();
        this.#own = { itemId: "", outputIndex: -1, contentIndex: 0 };
        this.#shift = this.#delivered.place.outputIndex + 1 - event.output_index;
      }
    }
    this.event(event);
    if (event.type === "response.content_part.added" && this.#hasOwnPart) this.#hasPart = true;
  }

  terminal(event: JsonObject): void {
    const { place, sumUsage } = this.#delivered;
    if (place !== undefined) this.#closeMessage();
    const own = isJsonObject(event.response) ? event.response : {};
    const response = withIdentity(own, this.#delivered.response);
    const usage = isJsonObject(own.usage) ? { usage: sumUsage(own.usage) } : {};
    if (place === undefined) return this.event(event, { response: { ...response, ...usage } });
    const output: unknown[] = Array.isArray(own.output) ? [...own.output] : [];
    const at = output.findIndex((item) => isJsonObject(item) && item.type === "message");
    if (at < 0 || this.#own?.outputIndex === -1) output.unshift(this.#wholeItem(undefined));
    else output[at] = this.#wholeItem(output[at]);
    this.event(event, { response: { ...response, output, ...usage } });
  }

  event(event: JsonObject, edits: JsonObject = {}): void {
    const edited: Record<string, unknown> = { ...event, ...this.#placeIn(event), ...edits };
    if (this.#delivered.isNumbered) edited.sequence_number = this.#next;
    else delete edited.sequence_number;
    this.#next++;
    const data = encoder.encode(JSON.stringify(edited));
    if (edited.type === "response.output_item.done") this.#soFar.sawItem(data);
    this.#pieces.push(encoder.encode(`event: ${String(edited.type)}\ndata: `), data, encoder.encode("\n\n"));
  }

  /** A comment, as it is. */
  copy(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  breakOff(message: string, code: string): Uint8Array {
    const fields = { message, type: "provider_error", param: null, code } as const;
    return failureEvents(fields, code, this.#next, this.#soFar.object());
  }

  #knowResponse(response: JsonObject | undefined): void {
    if (response === undefined) return;
    this.#response = response;
    this.#soFar.sawStatus(encoder.encode(JSON.stringify({ response })));
  }

  #adopt(place: Place): void {
    this.#own = place;
    this.#shift = (this.#delivered.place?.outputIndex ?? 0) - place.outputIndex;
  }

  #isOwnItem({ outputIndex }: Place): boolean {
    return this.#own !== undefined && outputIndex === this.#own.outputIndex;
  }

  /** Of what is in the message that goes on the delivered ids; of everything else the index only. */
  #placeIn(event: JsonObject): JsonObject {
    const { place } = this.#delivered;
    const { output_index: outputIndex, item_id: itemId, content_index: contentIndex } = event;
    if (place === undefined || this.#own === undefined || typeof outputIndex !== "number") return {};
    const isOwn = outputIndex === this.#own.outputIndex;
    return {
      output_index: outputIndex + this.#shift,
      ...(isOwn && typeof itemId === "string" ? { item_id: place.itemId } : {}),
      ...(isOwn && typeof contentIndex === "number"
        ? { content_index: contentIndex - this.#own.contentIndex + place.contentIndex }
        : {}),
    };
  }

  #wholeItem(item: unknown): JsonObject {
    const { place } = this.#delivered;
    const id = place?.itemId ?? "";
    if (!isJsonObject(item)) return messageItem(id, this.#hasPart ? this.#text : undefined);
    return withWholeText({ ...item, id }, this.#hasPart ? this.#text : undefined, this.#own?.contentIndex ?? 0);
  }

  /** The answer goes on with a text whose part was never begun. */
  #beginPart(): void {
    if (this.#hasPart) return;
    this.#hasPart = true;
    const part = { type: "output_text", text: "", annotations: [] };
    this.#ofMessage("response.content_part.added", { part });
  }

  /** What the answer leaves out of the end of the message that the caller has. */
  #closeMessage(): void {
    const missing = doneOrder.filter((of) => !this.#done.has(of) && (this.#hasPart || of === "item"));
    for (const of of missing) {
      this.#done.add(of);
      if (of === "text") this.#ofMessage("response.output_text.done", { text: this.#text, logprobs: [] });
      else if (of === "part") {
        const part = { type: "output_text", text: this.#text, annotations: [] };
        this.#ofMessage("response.content_part.done", { part });
      } else this.#ofMessage("response.output_item.done", { item: this.#wholeItem(undefined) });
    }
  }

  /** An event of our own about the message that goes on. */
  #ofMessage(type: string, members: JsonObject): void {
    const { place } = this.#delivered;
    if (place === undefined) return;
    const { itemId, outputIndex, contentIndex } = place;
    const isAboutItem = type === "response.output_item.done";
    const where = isAboutItem ? {} : { item_id: itemId, content_index: contentIndex };
    // Already the caller's place, whatever this answer's own is.
    const own = this.#own;
    this.#own = undefined;
    this.event({ type, sequence_number: 0, ...where, output_index: outputIndex, ...members });
    this.#own = own;
  }
}
