// A message item that is being streamed: its parts one after the other, text and refusals.

import type { Annotation, ProviderState } from "../../core/chat-request.ts";
import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { encodeAnnotation } from "./annotations.ts";
import type { EventWriter } from "./event-writer.ts";
import { messageValue, refusalValue, textValue } from "./output-value.ts";
import type { ItemStatus } from "./output-value.ts";

const noLogprobs = ',"logprobs":[]';

export class OpenMessage {
  readonly #writer: EventWriter;
  readonly #id: string;
  readonly #index: number;
  readonly #content: JsonObject[] = [];
  #kind: "text" | "refusal" | undefined;
  /** The members of every piece of the open part up to its text, as JSON. */
  #beforeDelta = "";
  #said = "";
  #annotations: unknown[] = [];
  #logprobs: unknown[] = [];

  constructor(writer: EventWriter, id: string, index: number) {
    this.#writer = writer;
    this.#id = id;
    this.#index = index;
    writer.write("response.output_item.added", { output_index: index, item: messageValue(id, "in_progress", []) });
  }

  text(delta: string, logprobs: readonly unknown[]): void {
    this.#open("text");
    this.#said += delta;
    for (const token of logprobs) this.#logprobs.push(token);
    this.#writeDelta(
      "response.output_text.delta",
      delta,
      logprobs.length === 0 ? noLogprobs : `,"logprobs":${JSON.stringify(logprobs)}`,
    );
  }

  pieces(pieces: JsonPieces): void {
    this.#open("text");
    this.#said += pieces.text();
    this.#writer.writePieces("response.output_text.delta", `${this.#beforeDelta}"`, pieces, `"${noLogprobs}`);
  }

  refusal(delta: string): void {
    this.#open("refusal");
    this.#said += delta;
    this.#writeDelta("response.refusal.delta", delta, "");
  }

  /** Of the text that is open, or of one that is still to come. */
  annotate(annotation: Annotation): void {
    const value = encodeAnnotation(annotation, this.#said.length);
    if (value === undefined) return;
    this.#open("text");
    const place = { ...this.#place(), annotation_index: this.#annotations.length };
    this.#annotations.push(value);
    this.#writer.write("response.output_text.annotation.added", { ...place, annotation: value });
  }

  /** Gives the whole item. */
  close(status: ItemStatus, state: ProviderState | undefined): JsonObject {
    this.#closePart();
    const item = messageValue(this.#id, status, this.#content, state);
    this.#writer.write("response.output_item.done", { output_index: this.#index, item });
    return item;
  }

  #open(kind: "text" | "refusal"): void {
    if (this.#kind === kind) return;
    this.#closePart();
    this.#kind = kind;
    this.#beforeDelta = `${JSON.stringify(this.#place()).slice(1, -1)},"delta":`;
    const part = kind === "text" ? textValue("", [], []) : refusalValue("");
    this.#writer.write("response.content_part.added", { ...this.#place(), part });
  }

  #closePart(): void {
    if (this.#kind === undefined) return;
    const text = this.#said;
    const place = this.#place();
    const isText = this.#kind === "text";
    if (isText) this.#writer.write("response.output_text.done", { ...place, text, logprobs: this.#logprobs });
    else this.#writer.write("response.refusal.done", { ...place, refusal: text });
    const part = isText ? textValue(text, this.#annotations, this.#logprobs) : refusalValue(text);
    this.#writer.write("response.content_part.done", { ...place, part });
    this.#content.push(part);
    this.#kind = undefined;
    this.#said = "";
    this.#annotations = [];
    this.#logprobs = [];
  }

  #writeDelta(type: string, delta: string, more: string): void {
    this.#writer.writeJson(type, `${this.#beforeDelta}${JSON.stringify(delta)}${more}`);
  }

  #place(): JsonObject {
    return { item_id: this.#id, output_index: this.#index, content_index: this.#content.length };
  }
}
