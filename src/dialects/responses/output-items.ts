// The items of a streamed answer: which are open, and how much of each has been said.

import type { PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { JsonPieces } from "../../core/json-pieces.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType } from "../answers/unusable-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { decodeAnnotation } from "./annotations.ts";
import { callStart, isCallType } from "./call-start.ts";
import { OutputItem } from "./output-item.ts";
import { SaidText } from "./said-text.ts";

/** Says whose text each kind of event is a piece of, in its `delta`. */
const deltaTypes: ReadonlySet<unknown> = new Set([
  "response.output_text.delta",
  "response.refusal.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
]);

/** The event of this type carries a piece of text as `delta`. */
export function isDelta(type: unknown): boolean {
  return deltaTypes.has(type);
}

export class OutputItems {
  responseId: string | undefined;
  readonly #origin: AnswerOrigin;
  readonly #byIndex = new Map<number, OutputItem>();
  readonly #byId = new Map<string, OutputItem>();
  #last: OutputItem | undefined;
  #calls = 0;
  readonly #said: SaidText;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
    this.#said = new SaidText(origin.issuer);
  }

  /** A call is in the output. */
  get called(): boolean {
    return this.#calls > 0;
  }

  /** `response.output_item.added`. */
  added(event: JsonObject, events: StreamEvent[]): void {
    const value = this.#itemOf(event);
    const item = this.#find(event, value.id) ?? this.#remember(event, value.id);
    item.type = typeof value.type === "string" ? value.type : item.type;
    this.#openCall(item, value, events);
  }

  /** `response.output_item.done`, and each item of the whole answer at the end: says what no piece has said. */
  done(event: JsonObject, events: StreamEvent[]): void {
    const value = this.#itemOf(event);
    const item = this.#find(event, value.id) ?? this.#remember(event, value.id);
    if (item.isDone) return;
    item.isDone = true;
    item.type = typeof value.type === "string" ? value.type : item.type;
    if (isCallType(item.type)) {
      this.#openCall(item, value, events);
      const input = item.type === "function_call" ? value.arguments : value.input;
      if (input !== undefined && input !== null) this.#restOfInput(item, this.#text(input, "arguments"), events);
    } else if (item.type === "reasoning") this.#said.endReasoning(item, value, events);
    else if (item.type === "message" || item.type === undefined) this.#said.restOfMessage(item, value.content, events);
  }

  /** Every other event of an item; what is not known is left out. */
  piece(type: string, event: JsonObject, events: StreamEvent[]): void {
    switch (type) {
      case "response.output_text.done":
        return this.#said.restOfText(this.#target(event), event, event.text, events);
      case "response.refusal.done":
        return this.#said.restOfRefusal(this.#target(event), event, event.refusal, events);
      case "response.output_text.annotation.added": {
        if (!isJsonObject(event.annotation)) return;
        this.#target(event).annotations++;
        events.push({ kind: "annotation", choice: 0, annotation: decodeAnnotation(event.annotation) });
        return;
      }
      case "response.function_call_arguments.done":
        if (event.arguments === undefined) return;
        return this.#restOfInput(this.#target(event), this.#text(event.arguments, "arguments"), events);
      case "response.custom_tool_call_input.done":
        if (event.input === undefined) return;
        return this.#restOfInput(this.#target(event), this.#text(event.input, "input"), events);
      default:
        if (isDelta(type)) this.delta(event, this.#text(event.delta, "delta"), events);
    }
  }

  /** Several events with a `delta`: these pieces, whatever the event itself says. */
  pieces(event: JsonObject, pieces: JsonPieces, events: StreamEvent[]): void {
    const item = this.#target(event);
    const call = event.type === "response.refusal.delta" ? undefined : this.#wholeRun(item, event, pieces);
    if (call === undefined) {
      for (let index = 0; index < pieces.count; index++) this.delta(event, pieces.textOf(index), events);
      return;
    }
    events.push({ kind: "pieces", ...call, choice: 0, pieces });
  }

  /** Notes the pieces as said; undefined: one by one they come to something else. */
  #wholeRun(
    item: OutputItem,
    event: JsonObject,
    pieces: JsonPieces,
  ): Pick<PiecesEvent, "of" | "call" | "isSummary"> | undefined {
    switch (event.type) {
      case "response.output_text.delta":
        if (Array.isArray(event.logprobs) && event.logprobs.length > 0) return undefined;
        this.#said.noteText(item, event, pieces.text());
        return { of: "text", call: 0, isSummary: false };
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta": {
        const isSummary = event.type === "response.reasoning_summary_text.delta";
        if (!this.#said.goOnReasoning(item, event, pieces.text(), isSummary)) return undefined;
        return { of: "reasoning", call: 0, isSummary };
      }
      default:
        if (item.call === undefined) return undefined;
        item.saidInput += pieces.text().length;
        return { of: "tool-arguments", call: item.call, isSummary: false };
    }
  }

  /** An event with a `delta`, whose text is `text`, whatever the event itself says. */
  delta(event: JsonObject, text: string, events: StreamEvent[]): void {
    const item = this.#target(event);
    switch (event.type) {
      case "response.output_text.delta":
        return this.#said.text(item, event, text, events);
      case "response.refusal.delta":
        return this.#said.refusal(item, event, text, events);
      case "response.reasoning_summary_text.delta":
        return this.#said.reasoning(item, event, text, true, events);
      case "response.reasoning_text.delta":
        return this.#said.reasoning(item, event, text, false, events);
      default:
        return this.#input(item, text, events);
    }
  }

  /** The answer is over: a call whose name never came is said all the same, for its arguments may have. */
  end(events: StreamEvent[]): void {
    for (const item of this.#byIndex.values()) {
      if (item.heldInput !== "") this.#openCall(item, { name: "" }, events, true);
    }
  }

  #openCall(item: OutputItem, value: JsonObject, events: StreamEvent[], nameless = false): void {
    if (item.call !== undefined || !(isCallType(item.type) || nameless)) return;
    const name = value.name ?? "";
    if (typeof name !== "string") throw changedType(this.#origin.providerName, "name must be a string");
    if (name === "" && !nameless && !item.isDone) return;
    item.call = this.#calls++;
    events.push(callStart(value, item.call, item.type, this.responseId));
    const held = item.heldInput;
    item.heldInput = "";
    if (held !== "") this.#input(item, held, events);
  }

  #input(item: OutputItem, text: string, events: StreamEvent[]): void {
    if (item.call === undefined) {
      item.heldInput += text;
      return;
    }
    item.saidInput += text.length;
    if (text !== "") events.push({ kind: "tool-arguments", choice: 0, call: item.call, text });
  }

  #restOfInput(item: OutputItem, whole: string, events: StreamEvent[]): void {
    const said = item.call === undefined ? item.heldInput.length : item.saidInput;
    if (whole.length > said) this.#input(item, whole.slice(said), events);
  }

  /** A piece without any address belongs to the item that is open now. */
  #target(event: JsonObject): OutputItem {
    if (event.output_index === undefined && event.item_id === undefined && this.#last !== undefined) return this.#last;
    return this.#find(event, event.item_id) ?? this.#remember(event, event.item_id);
  }

  /** Some providers change the id of an item on the way, and some leave the index out: the index counts first. */
  #find(event: JsonObject, id: unknown): OutputItem | undefined {
    const index = event.output_index;
    const byIndex = typeof index === "number" ? this.#byIndex.get(index) : undefined;
    return byIndex ?? (typeof id === "string" ? this.#byId.get(id) : undefined);
  }

  #remember(event: JsonObject, id: unknown): OutputItem {
    const item = new OutputItem();
    this.#byIndex.set(typeof event.output_index === "number" ? event.output_index : this.#byIndex.size, item);
    if (typeof id === "string") this.#byId.set(id, item);
    this.#last = item;
    return item;
  }

  #itemOf(event: JsonObject): JsonObject {
    if (isJsonObject(event.item)) return event.item;
    throw changedType(this.#origin.providerName, "item must be an object");
  }

  #text(value: unknown, what: string): string {
    if (typeof value === "string") return value;
    if (value === undefined || value === null) return "";
    throw changedType(this.#origin.providerName, `${what} must be a string`);
  }
}
