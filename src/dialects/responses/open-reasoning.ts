// A reasoning item that is being streamed: one summary part, and the state that comes with its end.

import type { ProviderState } from "../../core/chat-request.ts";
import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { EventWriter } from "./event-writer.ts";
import { reasoningValue } from "./output-value.ts";

export class OpenReasoning {
  readonly #writer: EventWriter;
  readonly #id: string;
  readonly #index: number;
  /** The members of every piece up to its text, as JSON. */
  readonly #beforeDelta: string;
  #said = "";

  constructor(writer: EventWriter, id: string, index: number) {
    this.#writer = writer;
    this.#id = id;
    this.#index = index;
    this.#beforeDelta = `${JSON.stringify(this.#place()).slice(1, -1)},"delta":`;
    writer.write("response.output_item.added", { output_index: index, item: { id, type: "reasoning", summary: [] } });
  }

  text(delta: string): void {
    if (delta === "") return;
    this.#say(delta);
    this.#writer.writeJson("response.reasoning_summary_text.delta", `${this.#beforeDelta}${JSON.stringify(delta)}`);
  }

  pieces(pieces: JsonPieces): void {
    this.#say(pieces.text());
    this.#writer.writePieces("response.reasoning_summary_text.delta", `${this.#beforeDelta}"`, pieces, '"');
  }

  #say(text: string): void {
    if (this.#said === "") {
      this.#writer.write("response.reasoning_summary_part.added", { ...this.#place(), part: part("") });
    }
    this.#said += text;
  }

  /** Gives the whole item. */
  close(state: ProviderState | undefined): JsonObject {
    const text = this.#said;
    if (text !== "") {
      this.#writer.write("response.reasoning_summary_text.done", { ...this.#place(), text });
      this.#writer.write("response.reasoning_summary_part.done", { ...this.#place(), part: part(text) });
    }
    const item = reasoningValue(this.#id, text, state);
    this.#writer.write("response.output_item.done", { output_index: this.#index, item });
    return item;
  }

  #place(): JsonObject {
    return { item_id: this.#id, output_index: this.#index, summary_index: 0 };
  }
}

function part(text: string): JsonObject {
  return { type: "summary_text", text };
}
