// The events of a chat stream as those of the hub.

import type { StreamEvent } from "../../core/chat-answer.ts";
import type { UnknownMembers } from "../../core/chat-request.ts";
import type { FoundPieces } from "../json/found-pieces.ts";
import type { AnswerOrigin, StreamDecoder } from "../../core/translation.ts";
import type { Usage } from "../../core/usage.ts";
import { changedType, malformedEvent } from "../answers/unusable-answer.ts";
import { readUsage } from "../answers/usage.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { type EventTextReader, EventTexts } from "../sse/event-texts.ts";
import { StreamedChoice, type TakePieces } from "./streamed-choice.ts";
import { usageFamilyOf } from "./usage-object.ts";

/** Of a chunk: looked at by itself, the gateway's own, or of no use to anybody but who asked for it. */
const knownMembers: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "provider",
  "choices",
  "usage",
  "service_tier",
  "system_fingerprint",
  "obfuscation",
  "x_groq",
  "error",
]);

export function createChatStreamDecoder(origin: AnswerOrigin): StreamDecoder {
  return new ChatStreamDecoder(origin);
}

class ChatStreamDecoder implements StreamDecoder, EventTextReader {
  readonly #origin: AnswerOrigin;
  readonly #choices = new Map<number, StreamedChoice>();
  /** `obfuscation` hides the length of a piece (https://platform.openai.com/docs/api-reference/chat/create, `stream_options`). */
  readonly #texts = new EventTexts({ numbers: ["created"], strings: ["obfuscation"] });
  /** What takes the pieces that are like the one learnt. */
  #takePieces: TakePieces | undefined;
  #started = false;
  /** Unknown members of events before the one that the answer begins with. */
  #unknown: UnknownMembers | undefined;
  #id: string | undefined;

  constructor(origin: AnswerOrigin) {
    this.#origin = origin;
  }

  push(relay: Uint8Array, events: StreamEvent[]): void {
    this.#texts.push(relay, this, events);
  }

  finish(events: StreamEvent[]): void {
    this.#texts.finish(this, events);
    this.#texts.readTail(this, events);
    if (!this.#started) this.#start({}, events);
    if (this.#choices.size === 0) this.#choiceOf(0);
    for (const choice of this.#choices.values()) choice.close(events);
  }

  readPieces(pieces: FoundPieces, events: StreamEvent[]): void {
    this.#takePieces?.(pieces, events);
  }

  readText(data: string, bytes: Uint8Array | undefined, events: StreamEvent[]): void {
    if (data.trim() === "[DONE]") return;
    const chunk = parse(data);
    if (chunk !== undefined) this.#readChunk(chunk, bytes, events);
    // The reader before this one does not look into every chunk.
    else if (data.trim() !== "") throw malformedEvent(this.#origin.providerName, this.#started);
  }

  #readChunk(chunk: JsonObject, bytes: Uint8Array | undefined, events: StreamEvent[]): void {
    const choices = chunk.choices ?? [];
    if (!Array.isArray(choices)) throw changedType(this.#origin.providerName, "choices is not a list");
    const usage = this.#usageIn(chunk, choices);
    if (!this.#started) {
      this.#collectUnknown(chunk);
      // Azure sends its verdict on the prompt first, without an id (https://learn.microsoft.com/azure/ai-services/openai/concepts/content-streaming).
      const isMore = choices.length > 0 || usage !== undefined || textOf(chunk.id) !== undefined;
      if (isMore) this.#start(chunk, events);
    }
    for (const [position, choice] of choices.entries()) {
      if (!isJsonObject(choice)) throw changedType(this.#origin.providerName, `choices[${position}] is not an object`);
      const index = typeof choice.index === "number" ? choice.index : position;
      const piece = this.#choiceOf(index).read(choice, events);
      if (piece !== undefined && bytes !== undefined && choices.length === 1 && usage === undefined) {
        this.#takePieces = piece.takeMore;
        this.#texts.learn(bytes, piece.key, piece.text);
      }
    }
    if (usage !== undefined) events.push({ kind: "usage", usage });
  }

  /** Groq's older place for it is `x_groq` (https://console.groq.com/docs/api-reference), Moonshot's the choice. */
  #usageIn(chunk: JsonObject, choices: readonly unknown[]): Usage | undefined {
    const beside = isJsonObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    const inside = isJsonObject(choices[0]) ? choices[0].usage : undefined;
    return readUsage(chunk.usage ?? beside ?? inside, usageFamilyOf(this.#origin.providerType));
  }

  #start(chunk: JsonObject, events: StreamEvent[]): void {
    this.#started = true;
    const { created, service_tier: serviceTier } = chunk;
    const id = textOf(chunk.id);
    const model = textOf(chunk.model);
    this.#id = id;
    events.push({
      kind: "start",
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      ...(typeof created === "number" ? { created } : {}),
      ...(typeof serviceTier === "string" ? { serviceTier } : {}),
      ...(this.#unknown === undefined ? {} : { unknown: this.#unknown }),
    });
  }

  #collectUnknown(chunk: JsonObject): void {
    const unknown = Object.entries(chunk).filter(([key]) => !knownMembers.has(key));
    if (unknown.length > 0) this.#unknown = Object.fromEntries([...Object.entries(this.#unknown ?? {}), ...unknown]);
  }

  #choiceOf(index: number): StreamedChoice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = new StreamedChoice(index, this.#origin, () => this.#id);
      this.#choices.set(index, choice);
    }
    return choice;
  }
}

/** Undefined: it is no JSON object. */
function parse(data: string): JsonObject | undefined {
  try {
    const parsed = parseExactly(data);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
