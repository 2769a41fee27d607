// Events of the hub as the stream for a caller who speaks Messages. https://platform.claude.com/docs/en/build-with-claude/streaming

import type { ChatEvent, Finish, PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { ProviderState } from "../../core/chat-request.ts";
import type { AnswerContext, StreamEncoder } from "../../core/translation.ts";
import type { Usage } from "../../core/usage.ts";
import { eventsOfPieces } from "../hub/plain-events.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventOutput } from "../sse/event-output.ts";
import { BlockWriter, eventText, pieceDelta, type Block, type BlockKind } from "./block-writer.ts";
import { blockBesideCall, extraContentOf, redactedBlock, signatureOf } from "./carried-state.ts";
import { messageHead } from "./encode-answer.ts";
import { errorEvent } from "./error-event.ts";
import { encodeUsage, estimatedUsage, tellsPrompt } from "./hub-usage.ts";
import { encodeStop } from "./stop-reasons.ts";
import { createAnswerIds } from "./tool-ids.ts";

type StartEvent = Extract<ChatEvent, { kind: "start" }>;
type CallEvent = Extract<ChatEvent, { kind: "tool-call" }>;
type WireEvent = JsonObject & { readonly type: string };

interface OpenCall {
  readonly block: Block;
  readonly isCustom: boolean;
}

export function createEncoder(context: AnswerContext): StreamEncoder {
  return new MessagesEncoder(context);
}

class MessagesEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #out = new EventOutput();
  readonly #blocks = new BlockWriter(this.#out);
  readonly #calls = new Map<number, OpenCall>();
  readonly #idOf: (id: string) => string;
  #hasStarted = false;
  #startUsage: Usage | undefined;
  #estimate = 0;
  #serviceTier: string | undefined;
  #usage: Usage | undefined;
  #finish: Finish = { reason: "unknown" };
  #hasRefusal = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#idOf = createAnswerIds(context.newId);
  }

  encode(events: readonly StreamEvent[]): Uint8Array | undefined {
    for (const event of events) this.#take(event);
    return this.#out.take();
  }

  finish(last: readonly StreamEvent[] = []): Uint8Array {
    for (const event of last) this.#take(event);
    this.#begin({ kind: "start" });
    for (const { block, isCustom } of this.#calls.values()) if (isCustom) this.#input(block, customEnd(block));
    this.#blocks.endAll();
    const facts = { hasToolCalls: this.#calls.size > 0, hasRefusal: this.#hasRefusal };
    const stopReason = encodeStop(this.#finish, facts);
    const usage = this.#usage ?? this.#startUsage;
    this.#write({
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: this.#finish.stopSequence ?? null },
      usage: usage === undefined ? estimatedUsage(this.#estimate) : encodeUsage(usage),
    });
    this.#write({ type: "message_stop" });
    return this.#out.take() ?? new Uint8Array(0);
  }

  breakOff(message: string, code: string): Uint8Array {
    return errorEvent({ type: "api_error", message, code });
  }

  #take(event: StreamEvent): void {
    this.#begin(event);
    switch (event.kind) {
      case "start":
        return;
      case "usage":
        this.#usage = event.usage;
        return;
      case "text":
      case "refusal":
      case "annotation":
      case "reasoning":
      case "end-of-reasoning":
      case "text-state":
      case "tool-call":
      case "tool-arguments":
      case "audio":
      case "finish":
      case "pieces":
        // A message is one answer; nobody could have asked for more of them.
        if (event.choice === 0) this.#takeOfChoice(event);
    }
  }

  #takeOfChoice(event: Exclude<StreamEvent, { kind: "start" | "usage" }>): void {
    switch (event.kind) {
      case "refusal":
        this.#hasRefusal = true;
        return this.#text(event.text);
      case "text":
        return this.#text(event.text);
      case "annotation":
        if (event.annotation.raw.dialect === "messages") {
          this.#delta("text", JSON.stringify({ type: "citations_delta", citation: event.annotation.raw.value }));
        }
        return;
      case "reasoning":
        if (event.text !== "") this.#delta("reasoning", pieceDelta("reasoning", event.text));
        return;
      case "end-of-reasoning":
        return this.#endReasoning(event.state);
      case "text-state":
        this.#blocks.begin("state", redactedBlock(event.state));
        return;
      case "tool-call":
        return this.#beginCall(event);
      case "tool-arguments": {
        const call = this.#calls.get(event.call);
        if (call === undefined) return;
        this.#input(call.block, call.isCustom ? customPiece(call.block, event.text) : event.text);
        return;
      }
      case "audio":
        // The dialect has no sound.
        return;
      case "finish":
        this.#finish = event.finish;
        return;
      case "pieces":
        this.#takePieces(event);
    }
  }

  #takePieces(event: PiecesEvent): void {
    const { of, pieces } = event;
    if (of !== "tool-arguments") {
      this.#blocks.addPieces(this.#blockOf(of), of, pieces);
      return;
    }
    const call = this.#calls.get(event.call);
    if (call === undefined) return;
    if (call.isCustom) for (const plain of eventsOfPieces(event)) this.#take(plain);
    else if (!call.block.isEnded) {
      call.block.input?.push(pieces.text());
      this.#blocks.addPieces(call.block, "input", pieces);
    }
  }

  /** Whatever comes first, `message_start` goes before it. */
  #begin(event: StreamEvent): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const start: StartEvent = event.kind === "start" ? event : { kind: "start" };
    this.#serviceTier = start.serviceTier;
    this.#startUsage = start.usage !== undefined && tellsPrompt(start.usage) ? start.usage : undefined;
    if (this.#startUsage === undefined) this.#estimate = this.#context.estimateInputTokens();
    this.#write({
      type: "message_start",
      message: {
        ...messageHead(start, this.#context),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage:
          this.#startUsage === undefined
            ? estimatedUsage(this.#estimate, this.#serviceTier)
            : encodeUsage(this.#startUsage, this.#serviceTier),
        provider: this.#context.providerType,
      },
    });
  }

  #text(text: string): void {
    if (text !== "") this.#delta("text", pieceDelta("text", text));
  }

  /** Goes on with the block at hand when it is of the kind, else begins one. */
  #delta(kind: "text" | "reasoning", delta: string): void {
    this.#blocks.add(this.#blockOf(kind), delta);
  }

  #blockOf(kind: "text" | "reasoning"): Block {
    const last = this.#blocks.last;
    return last?.kind === kind ? last : this.#blocks.begin(kind, emptyBlocks[kind]);
  }

  /** State with nothing to show is a block of its own, as is what is not a proof of the text before it. */
  #endReasoning(state: ProviderState | undefined): void {
    const last = this.#blocks.last;
    const open = last?.kind === "reasoning" ? last : undefined;
    const isOwnProof = state?.kind === "signature" && state.issuer === "anthropic";
    if (state !== undefined && state.kind !== "redacted" && (open !== undefined || isOwnProof)) {
      const block = open ?? this.#blocks.begin("reasoning", emptyBlocks.reasoning);
      this.#blocks.add(block, JSON.stringify({ type: "signature_delta", signature: signatureOf(state) }));
      this.#blocks.end(block);
      return;
    }
    if (open !== undefined) this.#blocks.end(open);
    if (state !== undefined) this.#blocks.begin("state", redactedBlock(state));
  }

  #beginCall(event: CallEvent): void {
    const id = this.#idOf(event.id);
    if (event.state !== undefined) this.#blocks.begin("state", blockBesideCall(event.state, id));
    const extra = extraContentOf(event.state);
    const start = { type: "tool_use", id, name: event.name, input: {}, extra_content: extra };
    this.#calls.set(event.call, { block: this.#blocks.begin("call", start), isCustom: event.toolKind === "custom" });
  }

  #input(block: Block, text: string): void {
    if (text === "" || block.isEnded) return;
    block.input?.push(text);
    this.#blocks.add(block, pieceDelta("input", text));
  }

  #write(event: WireEvent): void {
    this.#out.write(eventText(event));
  }
}

const emptyBlocks: Readonly<Record<Extract<BlockKind, "text" | "reasoning">, JsonObject>> = {
  text: { type: "text", text: "" },
  reasoning: { type: "thinking", thinking: "", signature: "" },
};

/** The text of a custom tool as the only member of an object. */
function customPiece(block: Block, text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return block.hasDeltas ? escaped : `{"input":"${escaped}`;
}

function customEnd(block: Block): string {
  return block.hasDeltas ? '"}' : '{"input":""}';
}
