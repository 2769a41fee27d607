// Gathers what the model said in one turn: messages, reasoning and calls that stand as items of their own.

import type { AssistantPart, ChatMessage, ProviderState, UnknownMembers } from "../../core/chat-request.ts";

export class AssistantTurn {
  readonly #messages: ChatMessage[];
  #parts: AssistantPart[] = [];
  #hasMessage = false;
  #unknown: UnknownMembers | undefined;
  /** State of calls that are still to come, by their id. */
  readonly #thoughts = new Map<string, ProviderState>();

  /** Turns are put at the end of `messages`. */
  constructor(messages: ChatMessage[]) {
    this.#messages = messages;
  }

  add(parts: readonly AssistantPart[]): void {
    for (const part of parts) this.#parts.push(this.#withThought(part));
  }

  /** A message item; two of which one has unknown members stay apart, for those are the message's (behaviour 4.4). */
  addMessage(parts: readonly AssistantPart[], unknown: UnknownMembers | undefined): void {
    if (this.#hasMessage && (unknown !== undefined || this.#unknown !== undefined)) this.end();
    this.#hasMessage = true;
    this.#unknown = unknown;
    this.add(parts);
  }

  /** State of the call with that id, or of the text before it. What belongs to nothing is left out. */
  addThought(state: ProviderState, callId: string | undefined): void {
    if (callId !== undefined) {
      this.#thoughts.set(callId, state);
      return;
    }
    const last = this.#parts.findLastIndex((part) => part.kind === "text");
    const part = this.#parts[last];
    if (part?.kind === "text") this.#parts[last] = { ...part, state };
  }

  /** Somebody else speaks. */
  end(): void {
    if (this.#parts.length > 0 || this.#hasMessage) {
      const unknown = this.#unknown === undefined ? {} : { unknown: this.#unknown };
      this.#messages.push({ role: "assistant", parts: this.#parts, ...unknown });
    }
    this.#parts = [];
    this.#hasMessage = false;
    this.#unknown = undefined;
    this.#thoughts.clear();
  }

  #withThought(part: AssistantPart): AssistantPart {
    if (part.kind !== "tool-call" || part.state !== undefined) return part;
    const state = this.#thoughts.get(part.id);
    return state === undefined ? part : { ...part, state };
  }
}
