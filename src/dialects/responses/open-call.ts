// A call that is being streamed; several may be open at once.

import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { EventWriter } from "./event-writer.ts";
import { callValue, finishedInput } from "./output-value.ts";
import type { CallFacts, ItemStatus } from "./output-value.ts";

export class OpenCall {
  readonly #writer: EventWriter;
  readonly #id: string;
  readonly index: number;
  readonly #call: CallFacts;
  readonly #deltaType: string;
  /** The members of every piece up to its text, as JSON. */
  readonly #beforeDelta: string;
  #said = "";

  constructor(writer: EventWriter, id: string, index: number, call: CallFacts) {
    this.#writer = writer;
    this.#id = id;
    this.index = index;
    this.#call = call;
    this.#deltaType = call.custom ? "response.custom_tool_call_input.delta" : "response.function_call_arguments.delta";
    this.#beforeDelta = `${JSON.stringify({ item_id: id, output_index: index }).slice(1, -1)},"delta":`;
    writer.write("response.output_item.added", { output_index: index, item: callValue(id, "in_progress", call, "") });
  }

  /** Of a wrapped text nothing can be told before its parameter is whole. */
  input(delta: string): void {
    this.#said += delta;
    if (delta !== "" && !this.#call.wrapped) this.#writeDelta(delta);
  }

  pieces(pieces: JsonPieces): void {
    this.#said += pieces.text();
    if (!this.#call.wrapped) this.#writer.writePieces(this.#deltaType, `${this.#beforeDelta}"`, pieces, '"');
  }

  /** Nothing is missing from its input, as far as can be told from it. */
  get looksWhole(): boolean {
    if (this.#call.custom && !this.#call.wrapped) return this.#said !== "";
    try {
      JSON.parse(this.#said);
      return true;
    } catch {
      return false;
    }
  }

  /** Gives the whole item. */
  close(status: ItemStatus): JsonObject {
    const input = finishedInput(this.#call, this.#said);
    const untold = this.#call.wrapped ? input : input.slice(this.#said.length);
    if (untold !== "") this.#writeDelta(untold);
    const item = callValue(this.#id, status, this.#call, input);
    const place = { item_id: this.#id, output_index: this.index };
    if (this.#call.custom) this.#writer.write("response.custom_tool_call_input.done", { ...place, input });
    else {
      const { name } = this.#call;
      this.#writer.write("response.function_call_arguments.done", { ...place, name, arguments: input });
    }
    this.#writer.write("response.output_item.done", { output_index: this.index, item });
    return item;
  }

  #writeDelta(delta: string): void {
    this.#writer.writeJson(this.#deltaType, `${this.#beforeDelta}${JSON.stringify(delta)}`);
  }
}
