// What the chunks of one choice have to remember: reasoning blocks so far, calls without arguments, the end.

import type { ProviderState, ReasoningPart } from "../../core/chat-request.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { extraOfReasoning } from "./extra-content.ts";

export class ChunkedChoice {
  readonly index: number;
  finished = false;
  readonly #calls = new Map<number, { readonly toolKind: "function" | "custom"; hasArguments: boolean }>();
  /** Complete ones, told of again with each new one. */
  readonly #blocks: ReasoningPart[] = [];
  #beforeText: string | undefined;
  #reasoning = "";
  #betweenRuns = false;

  constructor(index: number) {
    this.index = index;
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** The chunk of a piece of text; all but the text is written once. `head` is that of every chunk of the answer. */
  textChunk(text: string, head: string): string {
    // Joined, it is one flat text: put together by a template, it would be gone through part by part for each chunk.
    this.#beforeText ??= [head, `"choices":[{"index":${this.index},"delta":{"content":`].join("");
    return `${this.#beforeText}${JSON.stringify(text)}},"logprobs":null,"finish_reason":null}]}\n\n`;
  }

  /** Text ends a run of reasoning. */
  said(text: string): void {
    if (text !== "") this.#endRun();
  }

  /** A piece of reasoning as it is to be told: runs are kept apart. */
  reason(text: string): string {
    this.#reasoning += text;
    if (!this.#betweenRuns) return text;
    this.#betweenRuns = false;
    return `\n\n${text}`;
  }

  /** All blocks with a state up to this one; undefined: the run had none. */
  endReasoning(state: ProviderState | undefined): JsonObject | undefined {
    const text = this.#reasoning;
    this.#endRun();
    if (state === undefined) return undefined;
    this.#blocks.push({ kind: "reasoning", text, state });
    return extraOfReasoning(this.#blocks);
  }

  startCall(call: number, toolKind: "function" | "custom"): void {
    this.#endRun();
    this.#calls.set(call, { toolKind, hasArguments: false });
  }

  addArguments(call: number): "function" | "custom" {
    const open = this.#calls.get(call);
    if (open === undefined) return "function";
    open.hasArguments = true;
    return open.toolKind;
  }

  emptyFunctions(): readonly number[] {
    return Array.from(this.#calls)
      .filter(([, { toolKind, hasArguments }]) => toolKind === "function" && !hasArguments)
      .map(([call]) => call);
  }

  #endRun(): void {
    if (this.#reasoning !== "") this.#betweenRuns = true;
    this.#reasoning = "";
  }
}
