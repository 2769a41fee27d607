// A stream of GenerateContentResponses as events of the hub.

import type { StreamEvent } from "../../core/chat-answer.ts";
import type { AssistantPart } from "../../core/chat-request.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { headOf } from "./answer-head.ts";
import { readPart } from "./answer-parts.ts";
import type { AnswerDecoding } from "./answer-parts.ts";
import { blockReasonOf, candidatesOf, partsOf } from "./answer-shape.ts";
import { blockedFinish, finishOf } from "./finish-reasons.ts";
import { annotationsOf } from "./grounding.ts";
import { logprobsOf } from "./logprobs.ts";
import { readGeminiUsage } from "./read-usage.ts";

const textDecoder = new TextDecoder();

/** One candidate so far. */
interface OpenChoice {
  readonly index: number;
  calls: number;
  isReasoning: boolean;
  /** What was said: places of sources are counted in it. */
  text: string;
  finishReason: string | undefined;
  /** Of a prompt that was not let through. */
  blockReason: string | undefined;
  /** The last event that names sources: each one names all of them. */
  sources: JsonObject | undefined;
}

export function createGeminiDecoder(origin: AnswerOrigin, newCallId: () => string): StreamDecoder {
  return new GeminiStreamDecoder({ origin, newCallId, callIds: new Set() });
}

/**
 * Finish reasons are held back to the end: earlier models put STOP into every event, and whether there were calls is known only then. The same goes for
 * sources and usage, of which the last counts.
 */
class GeminiStreamDecoder implements StreamDecoder {
  readonly #decoding: AnswerDecoding;
  readonly #scanner = new EventScanner();
  readonly #choices = new Map<number, OpenChoice>();
  #hasStarted = false;
  #usage: unknown;

  constructor(decoding: AnswerDecoding) {
    this.#decoding = decoding;
  }

  push(relay: Uint8Array, events: StreamEvent[]): void {
    this.#scanner.push(relay);
    this.#readEvents(events);
  }

  finish(events: StreamEvent[]): void {
    // A CR at the very end may have been the first half of a line end.
    this.#scanner.finish();
    this.#readEvents(events);
    for (const choice of [...this.#choices.values()].toSorted((a, b) => a.index - b.index)) {
      endReasoning(choice, events);
      for (const annotation of choice.sources === undefined ? [] : annotationsOf(choice.sources, choice.text)) {
        events.push({ kind: "annotation", choice: choice.index, annotation });
      }
      const { blockReason, finishReason, calls } = choice;
      // Of a stream that broke: nobody may take what there is for a whole answer.
      if (blockReason === undefined && finishReason === undefined) continue;
      const finish = blockReason === undefined ? finishOf(finishReason, calls > 0) : blockedFinish(blockReason);
      events.push({ kind: "finish", choice: choice.index, finish });
    }
    const usage = readGeminiUsage(this.#usage);
    if (usage !== undefined) events.push({ kind: "usage", usage });
  }

  #readEvents(events: StreamEvent[]): void {
    while (this.#scanner.next()) {
      if (this.#scanner.dataLines === 0) continue;
      const response = parseExactly(textDecoder.decode(this.#scanner.data()));
      if (isJsonObject(response)) this.#readResponse(response, events);
    }
  }

  #readResponse(response: JsonObject, events: StreamEvent[]): void {
    this.#usage = response["usageMetadata"] ?? this.#usage;
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const usage = readGeminiUsage(this.#usage);
      events.push({ kind: "start", ...headOf(response), ...(usage === undefined ? {} : { usage }) });
    }
    const facts = candidatesOf(response, this.#decoding.origin.providerName) ?? [];
    if (facts instanceof Error) throw facts;
    const candidates: unknown = response["candidates"];
    for (const [position, candidate] of (Array.isArray(candidates) ? candidates.filter(isJsonObject) : []).entries()) {
      const choice = this.#choice(facts[position]?.index ?? position);
      this.#readCandidate(candidate, choice, events);
      choice.finishReason = facts[position]?.finishReason ?? choice.finishReason;
    }
    const blockReason = blockReasonOf(response);
    if (facts.length === 0 && blockReason !== undefined) this.#choice(0).blockReason = blockReason;
  }

  #readCandidate(candidate: JsonObject, choice: OpenChoice, events: StreamEvent[]): void {
    let logprobs = logprobsOf(candidate);
    for (const part of partsOf(candidate["content"])) {
      const read = readPart(part, this.#decoding);
      if (read === undefined) continue;
      pushPart(read, choice, events, logprobs);
      if (read.kind === "text") logprobs = undefined;
    }
    if (isJsonObject(candidate["groundingMetadata"]) || isJsonObject(candidate["citationMetadata"])) {
      choice.sources = { ...choice.sources, ...candidate };
    }
  }

  #choice(index: number): OpenChoice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = {
        index,
        calls: 0,
        isReasoning: false,
        text: "",
        finishReason: undefined,
        blockReason: undefined,
        sources: undefined,
      };
      this.#choices.set(index, choice);
    }
    return choice;
  }
}

function pushPart(
  part: AssistantPart,
  choice: OpenChoice,
  events: StreamEvent[],
  logprobs: readonly unknown[] | undefined,
): void {
  const { index } = choice;
  if (part.kind === "reasoning") {
    choice.isReasoning = true;
    if (part.text !== "") events.push({ kind: "reasoning", choice: index, text: part.text, isSummary: true });
    if (part.state !== undefined) {
      choice.isReasoning = false;
      events.push({ kind: "end-of-reasoning", choice: index, state: part.state });
    }
    return;
  }
  endReasoning(choice, events);
  switch (part.kind) {
    case "text":
      choice.text += part.text;
      if (part.text !== "") {
        events.push({ kind: "text", choice: index, text: part.text, ...(logprobs === undefined ? {} : { logprobs }) });
      }
      if (part.state !== undefined) events.push({ kind: "text-state", choice: index, state: part.state });
      return;
    case "tool-call": {
      const { id, name, toolKind, state } = part;
      const call = choice.calls++;
      events.push({
        kind: "tool-call",
        choice: index,
        call,
        id,
        name,
        toolKind,
        ...(state === undefined ? {} : { state }),
      });
      events.push({ kind: "tool-arguments", choice: index, call, text: part.arguments });
      return;
    }
    case "audio":
      events.push({ kind: "audio", choice: index, value: { data: part.data } });
      return;
    case "refusal":
    case "opaque":
      // No part of an answer becomes the first; events have no place for the second.
      return;
  }
}

function endReasoning(choice: OpenChoice, events: StreamEvent[]): void {
  if (!choice.isReasoning) return;
  choice.isReasoning = false;
  events.push({ kind: "end-of-reasoning", choice: choice.index });
}
