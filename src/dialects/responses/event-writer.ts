// Writes the events of a Responses stream: each with its type as the event's name, and numbered without gaps.

import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventOutput } from "../sse/event-output.ts";

export class EventWriter {
  #sequence: number;
  readonly #out = new EventOutput();

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
    this.#out.write(`${beginning(type)}${this.#sequence++},${members}}\n\n`);
  }

  /** An event for each piece: the members before its text, as JSON up to its quote, and those behind it from the quote on. */
  writePieces(type: string, members: string, pieces: JsonPieces, rest: string): void {
    const number = { first: this.#sequence, behind: `,${members}` };
    this.#out.writePieces(pieces, { before: beginning(type), number, behind: `${rest}}\n\n` });
    this.#sequence += pieces.count;
  }

  /** Ends the stream for callers who wait for it. */
  writeDone(): void {
    this.#out.write("data: [DONE]\n\n");
  }

  /** What has been written since; undefined: nothing. */
  take(): Uint8Array | undefined {
    return this.#out.take();
  }
}

function beginning(type: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":`;
}
