// Writes the content blocks of a stream one after the other, and keeps those back that begin before an earlier one has ended.

import type { JsonObject } from "../json/is-json-object.ts";
import { JsonEnd } from "./json-end.ts";

/** `reasoning` and `text` end where the next block begins; `call` when its input is whole or nothing more can come; `state` is all in its start. */
export type BlockKind = "text" | "reasoning" | "call" | "state";

export interface Block {
  readonly kind: BlockKind;
  readonly start: JsonObject;
  /** Deltas that are not written yet. */
  readonly held: JsonObject[];
  /** Of a call. */
  readonly input: JsonEnd | undefined;
  hasDeltas: boolean;
  isEnded: boolean;
}

/** The dialect allows one open block at a time: https://platform.claude.com/docs/en/build-with-claude/streaming, "Event types". */
export class BlockWriter {
  readonly #write: (event: JsonObject & { readonly type: string }) => void;
  /** The first is open on the wire, the others wait. */
  readonly #blocks: Block[] = [];
  #index = 0;
  #isOpen = false;

  constructor(write: (event: JsonObject & { readonly type: string }) => void) {
    this.#write = write;
  }

  /** The one that was begun last, when it can still grow. */
  get last(): Block | undefined {
    const last = this.#blocks.at(-1);
    return last?.isEnded === true ? undefined : last;
  }

  begin(kind: BlockKind, start: JsonObject): Block {
    const before = this.last;
    if (before !== undefined && (before.kind !== "call" || before.input?.isWhole === true)) before.isEnded = true;
    const input = kind === "call" ? new JsonEnd() : undefined;
    const block: Block = { kind, start, held: [], input, hasDeltas: false, isEnded: kind === "state" };
    this.#blocks.push(block);
    this.#advance();
    return block;
  }

  /** A block that has ended takes nothing more. */
  add(block: Block, delta: JsonObject): void {
    if (block.isEnded) return;
    block.hasDeltas = true;
    block.held.push(delta);
    this.#advance();
  }

  end(block: Block): void {
    block.isEnded = true;
    this.#advance();
  }

  /** Nothing follows. */
  endAll(): void {
    for (const block of this.#blocks) {
      if (block.kind === "call" && !block.hasDeltas) block.held.push({ type: "input_json_delta", partial_json: "{}" });
      block.isEnded = true;
    }
    this.#advance();
  }

  #advance(): void {
    for (let block = this.#blocks[0]; block !== undefined; block = this.#blocks[0]) {
      if (!this.#isOpen) {
        this.#isOpen = true;
        this.#write({ type: "content_block_start", index: this.#index, content_block: block.start });
      }
      for (const delta of block.held.splice(0)) this.#write({ type: "content_block_delta", index: this.#index, delta });
      const givesWay = this.#blocks.length > 1 && block.input?.isWhole === true;
      if (!block.isEnded && !givesWay) return;
      block.isEnded = true;
      this.#write({ type: "content_block_stop", index: this.#index });
      this.#index++;
      this.#isOpen = false;
      this.#blocks.shift();
    }
  }
}
