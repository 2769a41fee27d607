// Which items of a streamed answer are open, and in which order they have been told.

import type { PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { ProviderState } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { customToolNames } from "../hub/custom-tools.ts";
import type { EventWriter } from "./event-writer.ts";
import { OpenCall } from "./open-call.ts";
import { OpenMessage } from "./open-message.ts";
import { OpenReasoning } from "./open-reasoning.ts";
import { callFacts, thoughtValue } from "./output-value.ts";
import type { ItemStatus } from "./output-value.ts";

type Run =
  | { readonly kind: "message"; readonly index: number; readonly item: OpenMessage }
  | { readonly kind: "reasoning"; readonly index: number; readonly item: OpenReasoning };

type ItemEvent = Exclude<StreamEvent, { kind: "start" | "finish" | "usage" }>;

export class OpenItems {
  readonly #writer: EventWriter;
  readonly #context: AnswerContext;
  readonly #customNames: ReadonlySet<string>;
  readonly #calls = new Map<number, OpenCall>();
  /** Finished items by their index; a gap is an item that is still open. */
  readonly #finished: (JsonObject | undefined)[] = [];
  #run: Run | undefined;
  #hasRefusal = false;

  constructor(writer: EventWriter, context: AnswerContext) {
    this.#writer = writer;
    this.#context = context;
    this.#customNames = customToolNames(context.request);
  }

  event(event: ItemEvent): void {
    switch (event.kind) {
      case "text":
        if (event.text !== "" || event.logprobs !== undefined) this.#message().text(event.text, event.logprobs ?? []);
        return;
      case "refusal":
        if (event.text === "") return;
        this.#hasRefusal = true;
        this.#message().refusal(event.text);
        return;
      case "annotation":
        return this.#message().annotate(event.annotation);
      case "reasoning":
        if (event.text !== "") this.#reasoning().text(event.text);
        return;
      case "end-of-reasoning":
        return this.#endReasoning(event.state);
      case "text-state":
        return this.#textState(event.state);
      case "tool-call":
        return this.#openCall(event);
      case "tool-arguments":
        return this.#calls.get(event.call)?.input(event.text);
      case "audio":
        // A Responses request cannot ask for it.
        return;
      case "pieces":
        return this.#pieces(event);
    }
  }

  #pieces({ of, call, pieces }: PiecesEvent): void {
    switch (of) {
      case "text":
        return this.#message().pieces(pieces);
      case "reasoning":
        return this.#reasoning().pieces(pieces);
      case "tool-arguments":
        return this.#calls.get(call)?.pieces(pieces);
    }
  }

  /** The output says in a part of its own that the model declined. */
  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  closeAll(status: ItemStatus): void {
    // What was cut off is what was said last.
    const lastCall = [...this.#calls.keys()].at(-1);
    this.#closeRun(this.#calls.size === 0 ? status : "completed");
    for (const [key, call] of this.#calls) this.#closeCall(key, call, key === lastCall ? status : "completed");
  }

  /** Finished items in order. */
  output(): readonly JsonObject[] {
    return this.#finished.filter((item) => item !== undefined);
  }

  #message(): OpenMessage {
    if (this.#run?.kind === "message") return this.#run.item;
    this.#beginRun();
    const index = this.#nextIndex();
    const item = new OpenMessage(this.#writer, this.#newId("msg"), index);
    this.#run = { kind: "message", index, item };
    return item;
  }

  #reasoning(): OpenReasoning {
    if (this.#run?.kind === "reasoning") return this.#run.item;
    this.#beginRun();
    const index = this.#nextIndex();
    const item = new OpenReasoning(this.#writer, this.#newId("rs"), index);
    this.#run = { kind: "reasoning", index, item };
    return item;
  }

  /** Calls whose input is whole are closed first: codex keeps items in the order in which they end. */
  #beginRun(): void {
    this.#closeRun("completed");
    for (const [key, call] of this.#calls) if (call.looksWhole) this.#closeCall(key, call, "completed");
  }

  #closeRun(status: ItemStatus, state?: ProviderState): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#finished[run.index] = run.kind === "message" ? run.item.close(status, state) : run.item.close(state);
    this.#run = undefined;
  }

  #endReasoning(state: ProviderState | undefined): void {
    if (this.#run?.kind !== "reasoning" && state === undefined) return;
    if (state !== undefined) this.#reasoning();
    this.#closeRun("completed", state);
  }

  #textState(state: ProviderState): void {
    if (this.#run?.kind === "message") this.#closeRun("completed", state);
    this.#thought(state, undefined);
  }

  #thought(state: ProviderState, callId: string | undefined): void {
    const index = this.#nextIndex();
    const item = thoughtValue(this.#newId("rs"), state, callId);
    this.#writer.write("response.output_item.added", { output_index: index, item });
    this.#writer.write("response.output_item.done", { output_index: index, item });
    this.#finished[index] = item;
  }

  #openCall(event: Extract<ItemEvent, { kind: "tool-call" }>): void {
    this.#closeRun("completed");
    // A number that comes again is another call.
    const same = this.#calls.get(event.call);
    if (same !== undefined) this.#closeCall(event.call, same, "completed");
    const call = callFacts(event.id === "" ? { ...event, id: this.#newId("call") } : event, this.#customNames);
    if (call.state !== undefined) this.#thought(call.state, call.id);
    const id = this.#newId(call.custom ? "ctc" : "fc");
    this.#calls.set(event.call, new OpenCall(this.#writer, id, this.#nextIndex(), call));
  }

  #closeCall(key: number, call: OpenCall, status: ItemStatus): void {
    this.#finished[call.index] = call.close(status);
    this.#calls.delete(key);
  }

  #nextIndex(): number {
    return this.#finished.push(undefined) - 1;
  }

  #newId(prefix: string): string {
    return `${prefix}_${this.#context.newId()}`;
  }
}
