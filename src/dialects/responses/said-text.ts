// Text, refusals and reasoning of a streamed answer, each said once, whether it comes in pieces, whole at the end, or both.

import type { StreamEvent } from "../../core/chat-answer.ts";
import type { ProviderState } from "../../core/chat-request.ts";
import { readMarkedState } from "../foreign-state.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { decodeAnnotations } from "./annotations.ts";
import { summaryGap } from "./decode-reasoning.ts";
import type { OutputItem } from "./output-item.ts";

export class SaidText {
  readonly #issuer: string;

  /** `issuer`: whose encrypted reasoning is. */
  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  text(item: OutputItem, event: JsonObject, text: string, events: StreamEvent[]): void {
    const logprobs = Array.isArray(event.logprobs) && event.logprobs.length > 0 ? { logprobs: event.logprobs } : {};
    if (text === "" && event.logprobs === undefined) return;
    count(item, `t${indexOf(event)}`, text);
    if (text !== "" || "logprobs" in logprobs) events.push({ kind: "text", choice: 0, text, ...logprobs });
  }

  /** Pieces of text without probabilities that somebody else tells. */
  noteText(item: OutputItem, event: JsonObject, text: string): void {
    count(item, `t${indexOf(event)}`, text);
  }

  restOfText(item: OutputItem, event: JsonObject, whole: unknown, events: StreamEvent[]): void {
    const text = rest(item, `t${indexOf(event)}`, whole);
    if (text !== "") this.text(item, { content_index: event.content_index }, text, events);
  }

  refusal(item: OutputItem, event: JsonObject, text: string, events: StreamEvent[]): void {
    if (text === "") return;
    count(item, `r${indexOf(event)}`, text);
    events.push({ kind: "refusal", choice: 0, text });
  }

  restOfRefusal(item: OutputItem, event: JsonObject, whole: unknown, events: StreamEvent[]): void {
    this.refusal(item, event, rest(item, `r${indexOf(event)}`, whole), events);
  }

  /** Parts of a summary are kept apart by a blank line; a summary and the thinking itself are two runs. */
  reasoning(item: OutputItem, event: JsonObject, text: string, isSummary: boolean, events: StreamEvent[]): void {
    if (text === "") return;
    const kind = isSummary ? "summary" : "content";
    if (item.reasoning !== undefined && item.reasoning !== kind) events.push({ kind: "end-of-reasoning", choice: 0 });
    const key = reasoningKey(event, isSummary);
    const gap = isSummary && item.reasoning === kind && !item.said.has(key) ? summaryGap : "";
    item.reasoning = kind;
    count(item, key, text);
    events.push({ kind: "reasoning", choice: 0, text: gap + text, ...(isSummary ? { isSummary } : {}) });
  }

  /** Notes pieces that go on with a run and that somebody else tells; false: the first one does not. */
  goOnReasoning(item: OutputItem, event: JsonObject, text: string, isSummary: boolean): boolean {
    const key = reasoningKey(event, isSummary);
    if (item.reasoning !== (isSummary ? "summary" : "content") || !item.said.has(key)) return false;
    count(item, key, text);
    return true;
  }

  /** What of the item has not been said, then its state. */
  endReasoning(item: OutputItem, value: JsonObject, events: StreamEvent[]): void {
    listOf(value.summary).forEach((part, index) => {
      this.reasoning(item, { summary_index: index }, rest(item, `s${index}`, part.text), true, events);
    });
    listOf(value.content).forEach((part, index) => {
      this.reasoning(item, { content_index: index }, rest(item, `c${index}`, part.text), false, events);
    });
    const state = this.#stateOf(value);
    if (state !== undefined) events.push({ kind: "end-of-reasoning", choice: 0, state });
    else if (item.reasoning !== undefined) events.push({ kind: "end-of-reasoning", choice: 0 });
  }

  /** A gateway before the provider may have marked it. State of a call has no place in an item of reasoning. */
  #stateOf(item: JsonObject): ProviderState | undefined {
    const { encrypted_content: encrypted, id } = item;
    if (typeof encrypted !== "string" || encrypted === "") return undefined;
    const marked = readMarkedState(encrypted);
    if (marked !== undefined) {
      return marked.state.issuer === "" || marked.state.kind === "thought" ? undefined : marked.state;
    }
    return { issuer: this.#issuer, kind: "encrypted", value: encrypted, ...(typeof id === "string" ? { id } : {}) };
  }

  restOfMessage(item: OutputItem, content: unknown, events: StreamEvent[]): void {
    let annotations = 0;
    listOf(content).forEach((part, index) => {
      const event = { content_index: index };
      if (part.type === "refusal") return this.restOfRefusal(item, event, part.refusal, events);
      const text = rest(item, `t${index}`, part.text);
      if (text !== "") {
        this.text(
          item,
          { ...event, ...(Array.isArray(part.logprobs) ? { logprobs: part.logprobs } : {}) },
          text,
          events,
        );
      }
      for (const annotation of decodeAnnotations(Array.isArray(part.annotations) ? part.annotations : [])) {
        annotations++;
        if (annotations > item.annotations) events.push({ kind: "annotation", choice: 0, annotation });
      }
    });
  }
}

function reasoningKey(event: JsonObject, isSummary: boolean): string {
  const index = isSummary ? event.summary_index : event.content_index;
  return `${isSummary ? "s" : "c"}${typeof index === "number" ? index : 0}`;
}

function indexOf(event: JsonObject): number {
  return typeof event.content_index === "number" ? event.content_index : 0;
}

function count(item: OutputItem, key: string, text: string): void {
  item.said.set(key, (item.said.get(key) ?? 0) + text.length);
}

function rest(item: OutputItem, key: string, whole: unknown): string {
  return typeof whole === "string" ? whole.slice(item.said.get(key) ?? 0) : "";
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
