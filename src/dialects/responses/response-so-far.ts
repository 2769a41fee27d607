// What was delivered of a response, for the event that says it failed: kept as bytes, put together only when it does.

import { parseObject } from "../sse/event-data.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** One per stream. */
export class ResponseSoFar {
  #status: Uint8Array | undefined;
  readonly #items: Uint8Array[] = [];

  /** The data of an event that holds the response object, between the positions. The first one says who answers. Copied. */
  sawStatus(data: Uint8Array, from = 0, to: number = data.length): void {
    this.#status ??= data.slice(from, to);
  }

  /** The data of an `output_item.done`. Copied. */
  sawItem(data: Uint8Array, from = 0, to: number = data.length): void {
    this.#items.push(data.slice(from, to));
  }

  /** The response with the items that are whole; undefined when nobody has said anything about it. */
  object(): JsonObject | undefined {
    const status = this.#status === undefined ? undefined : parseObject(this.#status);
    if (status === undefined || !isJsonObject(status.response)) return undefined;
    return { ...status.response, output: this.items() };
  }

  /** The items that are whole, in order. */
  items(): readonly unknown[] {
    const items = this.#items.map(parseObject).filter((event) => event !== undefined && isJsonObject(event.item));
    return items.toSorted((one, other) => indexOf(one) - indexOf(other)).map((event) => event?.item);
  }
}

function indexOf(event: JsonObject | undefined): number {
  return typeof event?.output_index === "number" ? event.output_index : 0;
}
