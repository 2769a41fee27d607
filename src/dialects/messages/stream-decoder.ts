// The events of a Messages stream as events of the hub. https://platform.claude.com/docs/en/build-with-claude/streaming

import type { ChatEvent, PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { FoundPieces } from "../json/found-pieces.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import { malformedEvent } from "../answers/unusable-answer.ts";
import { parseExactly } from "../json/exact-json.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";
import { type EventTextReader, EventTexts } from "../sse/event-texts.ts";
import { stateOfExtraContent } from "./carried-state.ts";
import { decodeCitation } from "./citations.ts";
import { deltaPiece, type DeltaPiece } from "./delta-piece.ts";
import { membersOf, ownState, refusalIn, serviceTierIn } from "./decode-answer.ts";
import { tellsPrompt } from "./hub-usage.ts";
import { decodeStop } from "./stop-reasons.ts";
import { laterUsage, readMessagesUsage } from "./usage.ts";

const choice = 0;

/** A block that is open, by what its end has to say. */
type OpenBlock =
  | { readonly kind: "text" | "other" }
  | { readonly kind: "thinking"; signature: string | undefined }
  | { readonly kind: "tool"; readonly call: number; readonly whole: string | undefined; hasPieces: boolean };

export function createDecoder(origin: AnswerOrigin): StreamDecoder {
  return new MessagesDecoder(origin);
}

class MessagesDecoder implements StreamDecoder, EventTextReader {
  readonly #origin: AnswerOrigin;
  readonly #texts = new EventTexts();
  #piecesOf: DeltaPiece = { kind: "text", key: "text", text: "", index: 0 };
  /** By `index`, in the order in which they were opened. */
  readonly #open = new Map<number, OpenBlock>();
  #calls = 0;
  #usage: JsonObject = {};
  #hasStarted = false;
  #hasFinish = false;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
  }

  push(relay: Uint8Array, events: StreamEvent[]): void {
    this.#texts.push(relay, this, events);
  }

  finish(events: StreamEvent[]): void {
    this.#texts.finish(this, events);
    for (const index of [...this.#open.keys()]) this.#close(index, events);
  }

  readPieces(pieces: FoundPieces, events: StreamEvent[]): void {
    const { kind, index } = this.#piecesOf;
    if (kind !== "tool-arguments") return this.#say(kind, 0, pieces, events);
    const tool = this.#toolAt(index);
    if (tool === undefined) return;
    tool.hasPieces = true;
    this.#say(kind, tool.call, pieces, events);
  }

  #say(of: PiecesEvent["of"], call: number, pieces: FoundPieces, events: StreamEvent[]): void {
    events.push({ kind: "pieces", of, choice, call, isSummary: false, pieces });
  }

  readText(text: string, bytes: Uint8Array | undefined, events: StreamEvent[]): void {
    // Only a block's start may hold numbers of the model's own.
    const value = this.#parse(text, text.includes('"content_block_start"') ? parseExactly : JSON.parse);
    const piece = deltaPiece(value);
    if (piece !== undefined && bytes !== undefined) {
      this.#texts.learn(bytes, piece.key, piece.text);
      this.#piecesOf = piece;
    }
    // Its members need no telling apart.
    if (piece?.kind === "text") {
      this.#begin({ kind: "start" }, events);
      return this.#text(piece.text, events);
    }
    const event = membersOf(value, this.#origin);
    const type = event.text("type");
    if (type !== undefined && needsStart.has(type)) this.#begin({ kind: "start" }, events);
    switch (type) {
      case undefined:
        return;
      case "message_start":
        return this.#start(event, events);
      case "content_block_start":
        return this.#openBlock(event, events);
      case "content_block_delta":
        return this.#delta(event, events);
      case "content_block_stop":
        return this.#close(event.number("index") ?? 0, events);
      case "message_delta":
        return this.#end(event, events);
    }
    // `ping`, `message_stop` and what may be invented say nothing that the terminal does not.
  }

  /** The reader tells the events of blocks by their name and does not look into them. */
  #parse(text: string, parse: (text: string) => unknown): unknown {
    try {
      return parse(text);
    } catch {
      throw malformedEvent(this.#origin.providerName, this.#hasStarted);
    }
  }

  #start(event: Members, events: StreamEvent[]): void {
    const message = event.object("message");
    if (message === undefined) return this.#begin({ kind: "start" }, events);
    for (const name of knownOfStart) message.value(name);
    const raw = message.object("usage")?.whole();
    if (raw !== undefined) this.#usage = raw;
    const usage = readMessagesUsage(raw);
    const start: ChatEvent = {
      kind: "start",
      id: message.text("id"),
      model: message.text("model"),
      serviceTier: serviceTierIn(raw),
      usage: usage !== undefined && tellsPrompt(usage) ? usage : undefined,
      unknown: message.unknown(),
    };
    this.#begin(start, events);
  }

  /** Once, and before everything else, also where a server leaves `message_start` out. */
  #begin(start: ChatEvent, events: StreamEvent[]): void {
    if (!this.#hasStarted) events.push(start);
    this.#hasStarted = true;
  }

  #openBlock(event: Members, events: StreamEvent[]): void {
    const index = event.number("index") ?? 0;
    const block = event.object("content_block");
    this.#closeBefore(index, events);
    switch (block?.text("type")) {
      case undefined:
        break;
      case "text":
        this.#open.set(index, { kind: "text" });
        this.#text(block.text("text"), events);
        for (const citation of block.list("citations") ?? []) {
          events.push({ kind: "annotation", choice, annotation: decodeCitation(citation) });
        }
        return;
      case "thinking":
        this.#open.set(index, { kind: "thinking", signature: block.text("signature") });
        this.#reasoning(block.text("thinking"), events);
        return;
      case "redacted_thinking":
        this.#open.set(index, { kind: "other" });
        events.push({
          kind: "end-of-reasoning",
          choice,
          state: ownState("redacted", block.text("data"), this.#origin),
        });
        return;
      case "tool_use": {
        const call = this.#calls++;
        const input = block.object("input")?.whole();
        const whole = input === undefined || Object.keys(input).length === 0 ? undefined : JSON.stringify(input);
        this.#open.set(index, { kind: "tool", call, whole, hasPieces: false });
        const state = stateOfExtraContent(block.value("extra_content"));
        const [id, name] = [block.text("id") ?? "", block.text("name") ?? ""];
        events.push({ kind: "tool-call", choice, call, id, name, toolKind: "function", state });
        return;
      }
    }
    // Server tools and their results: nothing that another dialect could show.
    this.#open.set(index, { kind: "other" });
  }

  #delta(event: Members, events: StreamEvent[]): void {
    const delta = event.object("delta");
    const open = this.#open.get(event.number("index") ?? 0);
    switch (delta?.text("type")) {
      case undefined:
        return;
      case "text_delta":
        return this.#text(delta.text("text"), events);
      case "thinking_delta":
        return this.#reasoning(delta.text("thinking"), events);
      case "citations_delta": {
        const citation = delta.value("citation");
        if (citation !== undefined) events.push({ kind: "annotation", choice, annotation: decodeCitation(citation) });
        return;
      }
      case "signature_delta":
        if (open?.kind === "thinking") open.signature = delta.text("signature");
        return;
      case "input_json_delta": {
        const text = delta.text("partial_json") ?? "";
        const tool = this.#toolAt(event.number("index") ?? 0);
        if (tool === undefined || text === "") return;
        tool.hasPieces = true;
        events.push({ kind: "tool-arguments", choice, call: tool.call, text });
        return;
      }
    }
  }

  #toolAt(index: number): Extract<OpenBlock, { kind: "tool" }> | undefined {
    const open = this.#open.get(index);
    // A piece without an index that fits belongs to the call at hand.
    const tool = open === undefined ? [...this.#open.values()].findLast((block) => block.kind === "tool") : open;
    return tool?.kind === "tool" ? tool : undefined;
  }

  /** Servers that end no block: thoughts end where another block begins, and so does a block whose index is given again. */
  #closeBefore(index: number, events: StreamEvent[]): void {
    if (this.#open.size === 0) return;
    for (const [open, block] of [...this.#open]) {
      if (open === index || block.kind === "thinking") this.#close(open, events);
    }
  }

  #close(index: number, events: StreamEvent[]): void {
    const open = this.#open.get(index);
    this.#open.delete(index);
    switch (open?.kind) {
      case undefined:
      case "text":
      case "other":
        return;
      case "thinking":
        events.push({ kind: "end-of-reasoning", choice, state: ownState("signature", open.signature, this.#origin) });
        return;
      case "tool":
        // A call without pieces has its input in the start of its block, or none.
        if (!open.hasPieces) events.push({ kind: "tool-arguments", choice, call: open.call, text: open.whole ?? "{}" });
    }
  }

  #end(event: Members, events: StreamEvent[]): void {
    const delta = event.object("delta");
    const raw = event.object("usage")?.whole();
    const reason = delta?.text("stop_reason");
    if (reason !== undefined && delta !== undefined && !this.#hasFinish) {
      this.#hasFinish = true;
      const refusal = refusalIn(delta);
      if (refusal !== undefined) events.push({ kind: "refusal", choice, text: refusal });
      events.push({ kind: "finish", choice, finish: decodeStop(reason, delta.text("stop_sequence")) });
    }
    if (raw === undefined) return;
    this.#usage = laterUsage(this.#usage, raw);
    const usage = readMessagesUsage(this.#usage);
    if (usage !== undefined) events.push({ kind: "usage", usage });
  }

  #text(text: string | undefined, events: StreamEvent[]): void {
    if (text !== undefined && text !== "") events.push({ kind: "text", choice, text });
  }

  #reasoning(text: string | undefined, events: StreamEvent[]): void {
    if (text !== undefined && text !== "") events.push({ kind: "reasoning", choice, text });
  }
}

const needsStart = new Set(["content_block_start", "content_block_delta", "content_block_stop", "message_delta"]);

/** Of the message in `message_start`; what the hub tells by other events, and what only the dialect's own speakers understand. */
const knownOfStart = [
  "type",
  "role",
  "content",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "container",
  "context_management",
  "diagnostics",
  "provider",
];
