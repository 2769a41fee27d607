// Ids of tool calls that a provider gives a second time in one conversation: Claude Code throws such a call away and asks again without end.

import type { ChatAnswer, StreamEvent } from "../../core/chat-answer.ts";
import type { AssistantPart, ChatMessage } from "../../core/chat-request.ts";

/** Gives each call of an answer an id that no earlier call of the conversation has: its own, or that with a number behind it. */
export class CallIds {
  readonly #messages: readonly ChatMessage[];
  #known: ReadonlySet<string> | undefined;
  /** By the place of the call. */
  readonly #given = new Map<string, string>();
  readonly #others = new Set<string>();
  /** The number that an id of earlier calls has to try next: the ones before it are taken, and looking at each again takes seconds for a thousand calls. */
  readonly #counts = new Map<string, number>();

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
    let free = id;
    if (this.#earlier.has(id)) {
      let count = this.#counts.get(id) ?? 2;
      while (this.#earlier.has(free) || this.#others.has(free)) free = `${id}_${count++}`;
      this.#counts.set(id, count);
    }
    this.#given.set(place, free);
    this.#others.add(free);
    return free;
  }
}

function idsOf(part: AssistantPart): readonly string[] {
  return part.kind === "tool-call" ? [part.id] : [];
}
