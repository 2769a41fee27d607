// Ids of tool calls that a provider gives a second time in one conversation: Claude Code throws such a call away and asks again without end.

import type { ChatAnswer, StreamEvent } from "../../core/chat-answer.ts";
import type { AssistantPart, ChatMessage } from "../../core/chat-request.ts";

/** Gives each call of an answer an id that no earlier call of the conversation has: its own, or that with a number behind it. */
export class CallIds {
  readonly #messages: readonly ChatMessage[];
  #known: ReadonlySet<string> | undefined;
  readonly #given = new Map<string, string>();

  /** `messages`: the history that the caller sent. */
  constructor(messages: readonly ChatMessage[]) {
    this.#messages = messages;
  }

  /** Nobody looks for them before there is a call: most answers have none. */
  get #earlier(): ReadonlySet<string> {
    this.#known ??= new Set(
      this.#messages.flatMap((message) => (message.role === "assistant" ? message.parts.flatMap(idsOf) : [])),
    );
    return this.#known;
  }

  /** The answer itself when nothing in it has to change. */
  inAnswer(answer: ChatAnswer): ChatAnswer {
    if (this.#earlier.size === 0) return answer;
    const choices = answer.choices.map((choice, at) => ({
      ...choice,
      parts: choice.parts.map((part, call) =>
        part.kind === "tool-call" ? { ...part, id: this.#idFor(`${at} ${call}`, part.id) } : part,
      ),
    }));
    return { ...answer, choices };
  }

  /** The same for the events of a stream. */
  inEvents(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (!events.some(({ kind }) => kind === "tool-call") || this.#earlier.size === 0) return events;
    return events.map((event) =>
      event.kind === "tool-call" ? { ...event, id: this.#idFor(`${event.choice} ${event.call}`, event.id) } : event,
    );
  }

  /** `place` is that of the call in the answer. */
  #idFor(place: string, id: string): string {
    const known = this.#given.get(place);
    if (known !== undefined) return known;
    const others = new Set(this.#given.values());
    let free = id;
    if (this.#earlier.has(id)) {
      for (let count = 2; this.#earlier.has(free) || others.has(free); count++) free = `${id}_${count}`;
    }
    this.#given.set(place, free);
    return free;
  }
}

function idsOf(part: AssistantPart): readonly string[] {
  return part.kind === "tool-call" ? [part.id] : [];
}
