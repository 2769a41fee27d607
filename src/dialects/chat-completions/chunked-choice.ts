// What the chunks of one choice have to remember: reasoning blocks so far, calls without arguments, the end.

import type { ProviderState, ReasoningPart } from "../../core/chat-request.ts";
import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { PieceFrame } from "../sse/event-output.ts";
import { extraOfReasoning } from "./extra-content.ts";

export class ChunkedChoice {
  readonly index: number;
  finished = false;
  readonly #calls = new Map<number, { readonly toolKind: "function" | "custom"; hasArguments: boolean }>();
  /** Complete ones, told of again with each new one. */
  readonly #blocks: ReasoningPart[] = [];
  #textFrame: PieceFrame | undefined;
  #reasoning = "";
  #betweenRuns = false;

  constructor(index: number) {
    this.index = index;
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** What is the same in all chunks of text. `head` is that of every chunk of the answer. */
  textFrame(head: string): PieceFrame {
    return (this.#textFrame ??= this.#frameOf(head, '"content":', "}"));
  }

  reasoningFrame(head: string): PieceFrame {
    return this.#frameOf(head, '"reasoning_content":', "}");
  }

  /** For a call of a function. */
  argumentsFrame(head: string, call: number): PieceFrame {
    return this.#frameOf(head, `"tool_calls":[{"index":${call},"function":{"arguments":`, "}}]}");
  }

  /** Joined, they are flat texts: put together by a template, they would be gone through part by part for each chunk. */
  #frameOf(head: string, before: string, behind: string): PieceFrame {
    return {
      before: [head, `"choices":[{"index":${this.index},"delta":{`, before, '"'].join(""),
      behind: ['"', behind, ',"logprobs":null,"finish_reason":null}]}\n\n'].join(""),
    };
  }

  /** The chunk of a piece of text. */
  textChunk(text: string, head: string): string {
    const { before, behind } = this.textFrame(head);
    return `${before}${JSON.stringify(text).slice(1, -1)}${behind}`;
  }

  /** Text ends a run of reasoning. */
  said(text: string | JsonPieces): void {
    if (text.length > 0) this.#endRun();
  }

  /** Notes pieces that go on with a run as they are; false: the first one begins a run behind another. */
  goOnReasoning(pieces: JsonPieces): boolean {
    if (this.#betweenRuns) return false;
    this.#reasoning += pieces.text();
    return true;
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
