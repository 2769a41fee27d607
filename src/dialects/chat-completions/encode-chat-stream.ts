// A streamed answer of the hub for a caller of chat completions: one chunk for each step, one finish for each choice, usage, `[DONE]`.

import type { ChatEvent, PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import type { Usage } from "../../core/usage.ts";
import type { AnswerContext, StreamEncoder } from "../../core/translation.ts";
import { eventsOfPieces } from "../hub/plain-events.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventOutput, type PieceFrame } from "../sse/event-output.ts";
import { encodeAnnotation } from "./annotations.ts";
import { ChunkedChoice } from "./chunked-choice.ts";
import { chatClientDialect } from "./client-dialect.ts";
import { filled } from "./encode-chat-answer.ts";
import { extraOfThought } from "./extra-content.ts";
import { finishReasonText } from "./finish-reasons.ts";
import { isLegacyCaller } from "./legacy-caller.ts";
import { usageObject } from "./usage-object.ts";

export function createChatStreamEncoder(context: AnswerContext): StreamEncoder {
  return new ChatStreamEncoder(context);
}

type StartEvent = Extract<ChatEvent, { readonly kind: "start" }>;

class ChatStreamEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #legacy: boolean;
  readonly #choices = new Map<number, ChunkedChoice>();
  /** All chunks begin with it: the answer's id, model and so on. */
  #head = "";
  #usage: Usage | undefined;
  readonly #out = new EventOutput();

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#legacy = isLegacyCaller(context.request);
  }

  encode(events: readonly StreamEvent[]): Uint8Array | undefined {
    for (const event of events) this.#encodeOne(event);
    return this.#out.take();
  }

  finish(last: readonly StreamEvent[] = []): Uint8Array {
    for (const event of last) this.#encodeOne(event);
    if (this.#choices.size === 0) this.#choiceOf(0);
    for (const choice of this.#choices.values()) {
      if (!choice.finished) this.#finish(choice, { reason: choice.hasCalls ? "tool-calls" : "unknown" });
    }
    if (this.#usage !== undefined && this.#context.request.wantsStreamUsage) {
      this.#out.write(`${this.#head}"choices":[],"usage":${JSON.stringify(usageObject(this.#usage))}}\n\n`);
    }
    this.#out.write("data: [DONE]\n\n");
    return this.#out.take() ?? new Uint8Array(0);
  }

  breakOff(message: string, code: string): Uint8Array {
    return chatClientDialect.streamError(message, code);
  }

  #encodeOne(event: StreamEvent): void {
    if (event.kind === "start") {
      this.#begin(event);
      return;
    }
    if (event.kind === "usage") {
      this.#usage = event.usage;
      return;
    }
    const choice = this.#choiceOf(event.choice);
    // Nothing may follow the end of a choice.
    if (choice.finished) return;
    switch (event.kind) {
      case "text":
        if (event.logprobs === undefined) this.#out.write(choice.textChunk(event.text, this.#head));
        else this.#delta(choice, { content: event.text }, event.logprobs);
        choice.said(event.text);
        break;
      case "annotation": {
        const encoded = encodeAnnotation(event.annotation, 0);
        if (encoded !== undefined) this.#delta(choice, { annotations: [encoded] });
        break;
      }
      case "refusal":
        this.#delta(choice, { refusal: event.text });
        break;
      case "reasoning": {
        const text = choice.reason(event.text);
        this.#delta(choice, { reasoning_content: text });
        break;
      }
      case "end-of-reasoning": {
        const extra = choice.endReasoning(event.state);
        if (extra !== undefined) this.#delta(choice, { extra_content: extra });
        break;
      }
      case "text-state":
        this.#delta(choice, { extra_content: extraOfThought(event.state) });
        break;
      case "tool-call":
        this.#startCall(choice, event);
        break;
      case "tool-arguments":
        if (event.text !== "") this.#arguments(choice, event.call, event.text);
        break;
      case "audio":
        this.#delta(choice, { audio: event.value });
        break;
      case "finish":
        this.#finish(choice, event.finish);
        break;
      case "pieces":
        this.#pieces(choice, event);
        break;
    }
  }

  #pieces(choice: ChunkedChoice, event: PiecesEvent): void {
    const frame = this.#frameOf(choice, event);
    if (frame === undefined) for (const plain of eventsOfPieces(event)) this.#encodeOne(plain);
    else this.#out.writePieces(event.pieces, frame);
  }

  /** Notes what is said; undefined: the pieces are not alike. */
  #frameOf(choice: ChunkedChoice, { of, call, pieces }: PiecesEvent): PieceFrame | undefined {
    switch (of) {
      case "text":
        choice.said(pieces);
        return choice.textFrame(this.#head);
      case "reasoning":
        return choice.goOnReasoning(pieces) ? choice.reasoningFrame(this.#head) : undefined;
      case "tool-arguments":
        if (this.#legacy || choice.addArguments(call) === "custom") return undefined;
        return choice.argumentsFrame(this.#head, call);
    }
  }

  #begin(start: StartEvent): void {
    const { request, newId, now, providerType } = this.#context;
    if (this.#head !== "") return;
    this.#usage = start.usage;
    const members: JsonObject = {
      id: filled(start.id) ?? `chatcmpl-${newId()}`,
      object: "chat.completion.chunk",
      created: start.created ?? now,
      model: filled(start.model) ?? request.model,
      ...(start.serviceTier === undefined ? {} : { service_tier: start.serviceTier }),
      provider: providerType,
    };
    this.#head = headOf(members);
    // What nobody knows was said once, at the beginning, and is said once again.
    this.#openChoice(0, start.unknown === undefined ? this.#head : headOf({ ...start.unknown, ...members }));
  }

  #choiceOf(index: number): ChunkedChoice {
    const choice = this.#choices.get(index);
    if (choice !== undefined) return choice;
    if (this.#head === "") this.#begin({ kind: "start" });
    return this.#choices.get(index) ?? this.#openChoice(index, this.#head);
  }

  /** The role comes first, in a chunk of its own. */
  #openChoice(index: number, head: string): ChunkedChoice {
    const choice = new ChunkedChoice(index);
    this.#choices.set(index, choice);
    this.#out.write(plainChunk(head, index, '{"role":"assistant","content":""}', "null"));
    return choice;
  }

  #delta(choice: ChunkedChoice, delta: JsonObject, logprobs?: readonly unknown[]): void {
    const probabilities = logprobs === undefined ? null : { content: logprobs, refusal: null };
    this.#out.write(chunkOf(this.#head, choice.index, delta, probabilities));
  }

  #startCall(choice: ChunkedChoice, event: Extract<ChatEvent, { readonly kind: "tool-call" }>): void {
    const { call, name, toolKind, state } = event;
    choice.startCall(call, toolKind);
    if (this.#legacy) {
      if (call === 0) this.#delta(choice, { function_call: { name, arguments: "" } });
      return;
    }
    const id = event.id === "" ? `call_${this.#context.newId()}` : event.id;
    const body = toolKind === "custom" ? { custom: { name, input: "" } } : { function: { name, arguments: "" } };
    const extra = state === undefined ? {} : { extra_content: extraOfThought(state) };
    this.#delta(choice, { tool_calls: [{ index: call, id, type: toolKind, ...body, ...extra }] });
  }

  #arguments(choice: ChunkedChoice, call: number, text: string): void {
    const toolKind = choice.addArguments(call);
    if (this.#legacy) {
      if (call === 0) this.#delta(choice, { function_call: { arguments: text } });
      return;
    }
    const body = toolKind === "custom" ? { custom: { input: text } } : { function: { arguments: text } };
    this.#delta(choice, { tool_calls: [{ index: call, ...body }] });
  }

  #finish(choice: ChunkedChoice, finish: Extract<ChatEvent, { readonly kind: "finish" }>["finish"]): void {
    // Clients parse the arguments; a function that takes none has an empty object.
    for (const call of choice.emptyFunctions()) this.#arguments(choice, call, "{}");
    choice.finished = true;
    const reason = JSON.stringify(finishReasonText(finish, this.#legacy));
    this.#out.write(plainChunk(this.#head, choice.index, "{}", reason));
  }
}

/** The beginning of an event, up to the place of `choices`. */
function headOf(members: JsonObject): string {
  return `data: ${JSON.stringify(members).slice(0, -1)},`;
}

function chunkOf(head: string, index: number, delta: JsonObject, logprobs: JsonObject | null): string {
  const rest = JSON.stringify([{ index, delta, logprobs, finish_reason: null }]);
  return `${head}"choices":${rest}}\n\n`;
}

/** `delta` and `finishReason` as JSON. */
function plainChunk(head: string, index: number, delta: string, finishReason: string): string {
  return `${head}"choices":[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]}\n\n`;
}
