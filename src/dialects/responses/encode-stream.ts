// The events of the hub, as the stream of a caller that speaks Responses.

import type { Finish, StreamEvent } from "../../core/chat-answer.ts";
import type { AnswerContext, StreamEncoder } from "../../core/translation.ts";
import type { Usage } from "../../core/usage.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventWriter } from "./event-writer.ts";
import { incompleteReason } from "./finish-reason.ts";
import { OpenItems } from "./open-items.ts";
import { endedResponse, failedResponse, responseFrame, runningResponse } from "./response-value.ts";
import type { AnswerFacts } from "./response-value.ts";
import { usageValue } from "./usage-value.ts";

/** Begins with the first event, ends in one `response.completed` or `response.incomplete` with everything in it, and `[DONE]` (behaviour 4.4). */
export function createEncoder(context: AnswerContext): StreamEncoder {
  return new ResponsesEncoder(context);
}

class ResponsesEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #writer = new EventWriter();
  readonly #items: OpenItems;
  #frame: JsonObject | undefined;
  #usage: Usage | undefined;
  #finish: Finish | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#items = new OpenItems(this.#writer, context);
  }

  encode(events: readonly StreamEvent[]): Uint8Array | undefined {
    for (const event of events) this.#event(event);
    return this.#writer.take();
  }

  finish(last: readonly StreamEvent[] = []): Uint8Array {
    for (const event of last) this.#event(event);
    const frame = this.#begin({});
    this.#closeItems();
    const response = endedResponse(frame, this.#items.output(), usageValue(this.#usage), this.#finish);
    this.#writer.write(`response.${String(response.status)}`, { response });
    this.#writer.writeDone();
    return this.#writer.take() ?? new Uint8Array(0);
  }

  /** Codex reads the second event, the raw iterators of the SDKs the first; both together are the one terminal (behaviour 2.9). */
  breakOff(message: string, code: string): Uint8Array {
    const writer = new EventWriter(this.#writer.next);
    const named = code === "" ? "server_error" : code;
    const error = { code: named, message, param: null };
    writer.write("error", { ...error, error: { type: "provider_error", ...error } });
    const frame = this.#frame ?? responseFrame({}, this.#context);
    const response = failedResponse(frame, this.#items.output(), message, named);
    writer.write("response.failed", { response });
    return writer.take() ?? new Uint8Array(0);
  }

  #begin(facts: AnswerFacts): JsonObject {
    if (this.#frame !== undefined) return this.#frame;
    const frame = responseFrame(facts, this.#context);
    this.#frame = frame;
    const response = `"response":${JSON.stringify(runningResponse(frame))}`;
    this.#writer.writeJson("response.created", response);
    this.#writer.writeJson("response.in_progress", response);
    return frame;
  }

  /** What was cut off is as little whole as the answer itself. */
  #closeItems(): void {
    const isWhole = incompleteReason(this.#finish, this.#items.hasRefusal) === undefined;
    this.#items.closeAll(isWhole ? "completed" : "incomplete");
  }

  #event(event: StreamEvent): void {
    if (event.kind === "start") {
      this.#begin(event);
      this.#usage ??= event.usage;
      return;
    }
    if (event.kind === "usage") {
      this.#usage = event.usage;
      return;
    }
    // A Responses request cannot ask for a second choice.
    if (event.choice !== 0) return;
    this.#begin({});
    if (event.kind === "finish") {
      this.#finish = event.finish;
      this.#closeItems();
    } else this.#items.event(event);
  }
}
