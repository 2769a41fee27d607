// The piece of a text, of thinking or of a call's input that an event says and nothing else: nearly every event.

import type { PiecesEvent } from "../../core/chat-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";

export interface DeltaPiece {
  readonly kind: PiecesEvent["of"];
  /** Of the member that the text is the value of. */
  readonly key: string;
  readonly text: string;
  /** Of its block. */
  readonly index: number;
}

/** Undefined: the event says something else. */
export function deltaPiece(value: unknown): DeltaPiece | undefined {
  if (!isJsonObject(value) || value.type !== "content_block_delta" || !isJsonObject(value.delta)) return undefined;
  const { type, text, thinking, partial_json: input } = value.delta;
  const index = typeof value.index === "number" ? value.index : 0;
  if (type === "text_delta" && typeof text === "string") return { kind: "text", key: "text", text, index };
  if (type === "thinking_delta" && typeof thinking === "string") {
    return { kind: "reasoning", key: "thinking", text: thinking, index };
  }
  if (type !== "input_json_delta" || typeof input !== "string") return undefined;
  return { kind: "tool-arguments", key: "partial_json", text: input, index };
}
