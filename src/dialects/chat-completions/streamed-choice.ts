// One choice of a streamed chat answer: its deltas as events of the hub.

import type { PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { JsonPieces } from "../../core/json-pieces.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType } from "../answers/unusable-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { readAnnotations } from "./annotations.ts";
import { derivedCallId } from "./call-id.ts";
import { argumentsOf } from "./decode-tool-calls.ts";
import { takeThought } from "./extra-content.ts";
import { finishOf } from "./finish-reasons.ts";
import { isReasoningKey, isThinkingPart, thinkingText } from "./reasoning-text.ts";
import { StreamedReasoning } from "./streamed-reasoning.ts";
import { type CallPiece, type OpenCall, ToolCallPieces } from "./tool-call-pieces.ts";

/** Does what reading the event does for others whose only difference to it is their text. */
export type TakePieces = (pieces: JsonPieces, events: StreamEvent[]) => void;

/** An event that says nothing but a piece of text. */
export interface TextPiece {
  /** Of the member that the text is the value of. */
  readonly key: string;
  readonly text: string;
  readonly takeMore: TakePieces;
}

export class StreamedChoice {
  readonly #index: number;
  readonly #origin: AnswerOrigin;
  readonly #answerId: () => string | undefined;
  readonly #calls = new ToolCallPieces();
  readonly #reasoning: StreamedReasoning;
  #announced = 0;
  #finished = false;

  /** `answerId`: for calls without an id. */
  constructor(index: number, origin: AnswerOrigin, answerId: () => string | undefined) {
    this.#index = index;
    this.#origin = origin;
    this.#answerId = answerId;
    this.#reasoning = new StreamedReasoning(index, origin.issuer);
  }

  /** Undefined: there was more in it than a piece of text. Whatever it was is told. */
  read(choice: JsonObject, events: StreamEvent[]): TextPiece | undefined {
    // Perplexity sends the whole message so far beside each delta.
    const said = choice.delta ?? choice.message;
    const piece = isNothing(choice.logprobs) ? this.#pieceIn(said, events) : undefined;
    if (piece === undefined) this.#readDelta(this.#membersOf(said), choice, events);
    const { finish_reason: reason } = choice;
    if (typeof reason !== "string" || reason === "") return piece;
    this.#end(reason, choice.stop_reason ?? choice.matched_stop, events);
    return undefined;
  }

  /** Tells it if it is all. Nearly every event is text of one kind and nothing else: looked at closely, an event takes twice as long. */
  #pieceIn(said: unknown, events: StreamEvent[]): TextPiece | undefined {
    const key = isNothing(said) ? "content" : onlyMember(said);
    if (key === undefined) return undefined;
    const value = isJsonObject(said) ? (said[key] ?? "") : "";
    if (key === "tool_calls") return this.#argumentsPiece(value, events);
    if (typeof value !== "string") return undefined;
    if (key === "content") {
      this.#text(value, {}, events);
      return {
        key,
        text: value,
        takeMore: (pieces, more) => {
          this.#reasoning.interrupt();
          this.#say("text", 0, pieces, more);
        },
      };
    }
    if (!isReasoningKey(key)) return undefined;
    this.#reasoning.text(value, false, events);
    return {
      key,
      text: value,
      takeMore: (pieces, more) => {
        this.#reasoning.goOn();
        this.#say("reasoning", 0, pieces, more);
      },
    };
  }

  /** Arguments of a call that is known by its index alone. */
  #argumentsPiece(calls: unknown, events: StreamEvent[]): TextPiece | undefined {
    const [call, second]: readonly unknown[] = Array.isArray(calls) ? calls : [];
    if (second !== undefined || !isJsonObject(call) || !hasOnly(call, argumentsCall)) return undefined;
    const { index, type, function: body } = call;
    if (typeof index !== "number" || !(isNothing(type) || type === "function")) return undefined;
    if (!isJsonObject(body) || !hasOnly(body, argumentsBody)) return undefined;
    const { arguments: text } = body;
    if (typeof text !== "string") return undefined;
    this.#readCall({ ...noPiece, index, arguments: text }, events);
    return {
      key: "arguments",
      text,
      takeMore: (pieces, more) => {
        const number = this.#callOf({ ...noPiece, index, arguments: pieces.text() }, more);
        if (number !== undefined) this.#say("tool-arguments", number, pieces, more);
      },
    };
  }

  #say(of: PiecesEvent["of"], call: number, pieces: JsonPieces, events: StreamEvent[]): void {
    events.push({ kind: "pieces", of, choice: this.#index, call, isSummary: false, pieces });
  }

  #membersOf(delta: unknown): Members {
    const path = `choices[${this.#index}].delta`;
    const wrongType = (member: string, expected: string): Error =>
      changedType(this.#origin.providerName, `${member} is not ${expected}`);
    if (isJsonObject(delta)) return new Members(delta, path, wrongType);
    throw wrongType(path, "an object");
  }

  /** The terminal was here: a choice whose end nobody told of has ended all the same. */
  close(events: StreamEvent[]): void {
    this.#end(undefined, undefined, events);
  }

  #end(reason: unknown, matched: unknown, events: StreamEvent[]): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const call of this.#calls.calls) this.#announce(call, events);
    const finish = finishOf({ reason, matched, hasToolCalls: this.#calls.calls.length > 0 });
    events.push({ kind: "finish", choice: this.#index, finish });
  }

  #readDelta(delta: Members, choice: JsonObject, events: StreamEvent[]): void {
    const index = this.#index;
    this.#reasoning.read(delta, events);
    this.#readContent(delta, choice, events);
    const refusal = delta.text("refusal");
    if (refusal !== undefined && refusal !== "") events.push({ kind: "refusal", choice: index, text: refusal });
    for (const annotation of readAnnotations(delta.value("annotations"))) {
      events.push({ kind: "annotation", choice: index, annotation });
    }
    const state = takeThought(delta);
    if (state !== undefined) events.push({ kind: "text-state", choice: index, state });
    const audio = delta.value("audio");
    if (isJsonObject(audio)) events.push({ kind: "audio", choice: index, value: audio });
    for (const call of delta.objects("tool_calls") ?? []) this.#readCall(pieceOf(call), events);
    const legacy = delta.object("function_call");
    if (legacy !== undefined) this.#readCall({ ...noPiece, index: 0, ...bodyOf(legacy, "arguments") }, events);
  }

  #readContent(delta: Members, choice: JsonObject, events: StreamEvent[]): void {
    const content = delta.value("content");
    const logprobs = isJsonObject(choice.logprobs) ? choice.logprobs.content : undefined;
    const probabilities = Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs } : {};
    if (content !== undefined && typeof content !== "string") {
      if (!Array.isArray(content)) throw delta.wrong("content", "a string");
      this.#readParts(delta.objects("content") ?? [], events);
    } else if ((content ?? "") !== "" || "logprobs" in probabilities) {
      this.#text(content ?? "", probabilities, events);
    }
  }

  /** Mistral's list of parts, text and thinking. */
  #readParts(parts: readonly Members[], events: StreamEvent[]): void {
    for (const part of parts) {
      if (isThinkingPart(part)) this.#reasoning.text(thinkingText(part), false, events);
      else this.#text(part.text("text") ?? "", {}, events);
    }
  }

  #text(text: string, more: { readonly logprobs?: readonly unknown[] }, events: StreamEvent[]): void {
    if (text === "" && more.logprobs === undefined) return;
    this.#reasoning.interrupt();
    events.push({ kind: "text", choice: this.#index, text, ...more });
  }

  #readCall(piece: CallPiece, events: StreamEvent[]): void {
    const call = this.#callOf(piece, events);
    const { arguments: text } = piece;
    if (call !== undefined && text !== "") {
      events.push({ kind: "tool-arguments", choice: this.#index, call, text });
    }
  }

  /** The number of the call that has the piece now; undefined: nothing can be told of it yet. */
  #callOf(piece: CallPiece, events: StreamEvent[]): number | undefined {
    const { id, name, arguments: text } = piece;
    if (id === "" && name === "" && text === "" && this.#calls.calls.length === 0) return undefined;
    this.#reasoning.interrupt();
    const call = this.#calls.callOf(piece);
    // Its name may come in a later piece than its id.
    if (call.name === "" && text === "") return undefined;
    const number = this.#announce(call, events);
    if (text !== "") this.#calls.append(call, text);
    return number;
  }

  /** Gives its number. */
  #announce(open: OpenCall, events: StreamEvent[]): number {
    if (open.call !== undefined) return open.call;
    const call = this.#announced++;
    open.call = call;
    const { name, toolKind, state } = open;
    const id = open.id === "" ? derivedCallId(this.#answerId(), this.#index, call) : open.id;
    events.push({
      kind: "tool-call",
      choice: this.#index,
      call,
      id,
      name,
      toolKind,
      ...(state === undefined ? {} : { state }),
    });
    return call;
  }
}

/** The member that has a value beside `role`, `content` when none has; undefined: there are several. */
function onlyMember(said: unknown): string | undefined {
  if (!isJsonObject(said)) return undefined;
  let only: string | undefined;
  for (const key in said) {
    if (key === "role" || isNothing(said[key])) continue;
    if (only !== undefined) return undefined;
    only = key;
  }
  return only ?? "content";
}

const argumentsCall: ReadonlySet<string> = new Set(["index", "type", "function"]);
const argumentsBody: ReadonlySet<string> = new Set(["arguments"]);

/** Nothing in it has a value but what is named. */
function hasOnly(object: JsonObject, names: ReadonlySet<string>): boolean {
  for (const key in object) if (!names.has(key) && !isNothing(object[key])) return false;
  return true;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

const noPiece: CallPiece = {
  index: undefined,
  id: "",
  name: "",
  arguments: "",
  toolKind: "function",
  state: undefined,
};

function pieceOf(call: Members): CallPiece {
  const isCustom = call.value("type") === "custom" || call.value("custom") !== undefined;
  const body = call.object(isCustom ? "custom" : "function");
  const { name, arguments: text } = body === undefined ? noPiece : bodyOf(body, isCustom ? "input" : "arguments");
  return {
    index: call.number("index"),
    id: (call.text("id") ?? "").trim(),
    name,
    arguments: text,
    toolKind: isCustom ? "custom" : "function",
    state: takeThought(call),
  };
}

function bodyOf(body: Members, key: string): Pick<CallPiece, "name" | "arguments"> {
  return { name: body.text("name") ?? "", arguments: argumentsOf(body, key) };
}
