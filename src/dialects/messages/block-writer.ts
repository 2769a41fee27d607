// Writes the content blocks of a stream one after the other, and keeps those back that begin before an earlier one has ended.

import type { JsonPieces } from "../../core/json-pieces.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { EventOutput } from "../sse/event-output.ts";
import { JsonEnd } from "./json-end.ts";

/** `reasoning` and `text` end where the next block begins; `call` when its input is whole or nothing more can come; `state` is all in its start. */
export type BlockKind = "text" | "reasoning" | "call" | "state";

export interface Block {
  readonly kind: BlockKind;
  readonly start: JsonObject;
  /** Deltas that are not written yet, as JSON. */
  readonly held: string[];
  /** Of a call. */
  readonly input: JsonEnd | undefined;
  hasDeltas: boolean;
  isEnded: boolean;
}

/** The dialect allows one open block at a time: https://platform.claude.com/docs/en/build-with-claude/streaming, "Event types". */
export class BlockWriter {
  readonly #out: EventOutput;
  /** The first is open on the wire, the others wait. */
  readonly #blocks: Block[] = [];
  #index = 0;
  #isOpen = false;
  /** What every delta of the open block begins with. */
  #beforeDelta = "";

  constructor(out: EventOutput) {
    this.#out = out;
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

  /** `delta` as JSON. A block that has ended takes nothing more. */
  add(block: Block, delta: string): void {
    if (block.isEnded) return;
    block.hasDeltas = true;
    if (this.#isAlone(block)) this.#writeDelta(delta);
    else {
      block.held.push(delta);
      this.#advance();
    }
  }

  /** Deltas that are these pieces. */
  addPieces(block: Block, kind: PieceKind, pieces: JsonPieces): void {
    if (block.isEnded) return;
    if (!this.#isAlone(block)) {
      for (let index = 0; index < pieces.count; index++) this.add(block, pieceDelta(kind, pieces.textOf(index)));
      return;
    }
    block.hasDeltas = true;
    this.#out.writePieces(pieces, { before: `${this.#beforeDelta}${pieceDeltas[kind]}"`, behind: '"}}\n\n' });
  }

  /** Nearly always: the only block, which is open. */
  #isAlone(block: Block): boolean {
    return this.#isOpen && this.#blocks.length === 1 && block === this.#blocks[0];
  }

  end(block: Block): void {
    block.isEnded = true;
    this.#advance();
  }

  /** Nothing follows. */
  endAll(): void {
    for (const block of this.#blocks) {
      if (block.kind === "call" && !block.hasDeltas) block.held.push(pieceDelta("input", "{}"));
      block.isEnded = true;
    }
    this.#advance();
  }

  #advance(): void {
    for (let block = this.#blocks[0]; block !== undefined; block = this.#blocks[0]) {
      if (!this.#isOpen) {
        this.#isOpen = true;
        this.#beforeDelta = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":`;
        this.#out.write(eventText({ type: "content_block_start", index: this.#index, content_block: block.start }));
      }
      for (const delta of block.held.splice(0)) this.#writeDelta(delta);
      const givesWay = this.#blocks.length > 1 && block.input?.isWhole === true;
      if (!block.isEnded && !givesWay) return;
      block.isEnded = true;
      this.#out.write(eventText({ type: "content_block_stop", index: this.#index }));
      this.#index++;
      this.#isOpen = false;
      this.#blocks.shift();
    }
  }

  #writeDelta(delta: string): void {
    this.#out.write(`${this.#beforeDelta}${delta}}\n\n`);
  }
}

/** Every event has its name in front: SDKs go by that alone. */
export function eventText(event: JsonObject & { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const pieceDeltas = {
  text: '{"type":"text_delta","text":',
  reasoning: '{"type":"thinking_delta","thinking":',
  input: '{"type":"input_json_delta","partial_json":',
} as const;

export type PieceKind = keyof typeof pieceDeltas;

/** A delta that is a piece of text of this kind, as JSON. */
export function pieceDelta(kind: PieceKind, text: string): string {
  return `${pieceDeltas[kind]}${JSON.stringify(text)}}`;
}
