// The reasoning of one streamed choice, in every spelling, as runs with the state that ends them.

import type { StreamEvent } from "../../core/chat-answer.ts";
import type { Issuer, ProviderState } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { takeReasoningBlocks } from "./extra-content.ts";
import { type ReasoningDetail, readReasoningDetails } from "./reasoning-details.ts";
import { reasoningTextIn } from "./reasoning-text.ts";

export class StreamedReasoning {
  readonly #choice: number;
  readonly #issuer: Issuer;
  /** Text of the run that is open; a run without text is none. */
  #isOpen = false;
  /** Number of the detail that the open run comes from. */
  #detail: number | undefined;
  /** Blocks come cumulatively: so many have been told. */
  #blocks = 0;

  constructor(choice: number, issuer: Issuer) {
    this.#choice = choice;
    this.#issuer = issuer;
  }

  read(delta: Members, events: StreamEvent[]): void {
    const text = reasoningTextIn(delta);
    const details = readReasoningDetails(delta.value("reasoning_details"), this.#issuer);
    const blocks = takeReasoningBlocks(delta);
    // Both say the same; the details have more to say.
    if (!details.some((detail) => detail.text !== "")) this.text(text, false, events);
    for (const detail of details) this.#readDetail(detail, events);
    for (const block of blocks.slice(this.#blocks)) {
      // Its text has come as deltas, unless it never does.
      if (!this.#isOpen) this.text(block.text, block.isSummary ?? false, events);
      if (block.state !== undefined) this.#end(block.state, events);
    }
    this.#blocks = Math.max(this.#blocks, blocks.length);
  }

  /** More text of the kind that `text` told last, by somebody else. */
  goOn(): void {
    this.#isOpen = true;
  }

  text(text: string, isSummary: boolean, events: StreamEvent[]): void {
    if (text === "") return;
    this.#isOpen = true;
    events.push({ kind: "reasoning", choice: this.#choice, text, ...(isSummary ? { isSummary } : {}) });
  }

  /** Something else was said: the next text begins a new run. A state may still come for the old one. */
  interrupt(): void {
    this.#detail = undefined;
  }

  #readDetail({ text, isSummary, index, state }: ReasoningDetail, events: StreamEvent[]): void {
    const isNext = index !== undefined && this.#detail !== undefined && index !== this.#detail;
    if (isNext && this.#isOpen) this.#end(undefined, events);
    if (index !== undefined) this.#detail = index;
    this.text(text, isSummary, events);
    if (state !== undefined) this.#end(state, events);
  }

  #end(state: ProviderState | undefined, events: StreamEvent[]): void {
    this.#isOpen = false;
    events.push({ kind: "end-of-reasoning", choice: this.#choice, ...(state === undefined ? {} : { state }) });
  }
}
