// Writes the events of a Responses stream: each with its type as the event's name, and numbered without gaps.

import type { JsonObject } from "../json/is-json-object.ts";

const encoder = new TextEncoder();

export class EventWriter {
  #sequence: number;
  #text = "";

  /** `from`: the number of the first event. */
  constructor(from = 0) {
    this.#sequence = from;
  }

  /** The number of the next event. */
  get next(): number {
    return this.#sequence;
  }

  write(type: string, members: JsonObject): void {
    const json = JSON.stringify({ type, sequence_number: this.#sequence, ...members });
    this.#sequence++;
    this.#text += `event: ${type}\ndata: ${json}\n\n`;
  }

  /** Ends the stream for callers who wait for it. */
  writeDone(): void {
    this.#text += "data: [DONE]\n\n";
  }

  /** What has been written since; undefined: nothing. */
  take(): Uint8Array | undefined {
    if (this.#text === "") return undefined;
    const bytes = encoder.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}
