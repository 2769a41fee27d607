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

  /** At least one member. */
  write(type: string, members: JsonObject): void {
    this.writeJson(type, JSON.stringify(members).slice(1, -1));
  }

  /** `members` as JSON, the braces left out. */
  writeJson(type: string, members: string): void {
    this.#text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++},${members}}\n\n`;
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
