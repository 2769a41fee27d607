// What the events of a chat-completions stream say about what was used, wherever a provider says it.

import type { Usage } from "../../core/usage.ts";
import { readUsage, type UsageFamily } from "../answers/usage.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";

export class UsageNotes {
  #usage: JsonObject | undefined;
  /** Groq's own place for it, in the last event that has choices. */
  #groqUsage: JsonObject | undefined;
  /** Moonshot's own place for it, in the choice that finishes. */
  #choiceUsage: JsonObject | undefined;
  #cost: unknown;

  /** Whether the event has usage where OpenAI puts it. */
  note(event: JsonObject): boolean {
    if (isJsonObject(event.x_groq) && isJsonObject(event.x_groq.usage)) this.#groqUsage = event.x_groq.usage;
    if (event.cost !== undefined) this.#cost = event.cost;
    if (!isJsonObject(event.usage)) return false;
    this.#usage = event.usage;
    return true;
  }

  noteOfChoice(usage: JsonObject): void {
    this.#choiceUsage = usage;
  }

  /** Undefined when none was told. */
  read(family: UsageFamily): Usage | undefined {
    return readUsage(this.#usage ?? this.#groqUsage ?? this.#choiceUsage, family, this.#cost);
  }
}
