// What one event of a block adds to an answer: text, or something that is more than text.

import type { RecoveryObstacle } from "../../core/stream-recovery.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What is not plain text. */
type OtherContent = Extract<RecoveryObstacle, "tool-calls" | "reasoning" | "other-content" | "unreadable">;

export interface BlockContent {
  readonly index: number;
  /** Empty when there is none. */
  readonly text: string;
  /** Undefined: plain text, or the end of a block, which is of any kind. */
  readonly other: OtherContent | undefined;
}

/** Of a `content_block_*` event. */
export function readBlockEvent(parsed: JsonObject): BlockContent {
  const { type, index } = parsed;
  if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0) {
    return { index: -1, text: "", other: "unreadable" };
  }
  if (type === "content_block_stop") return { index, text: "", other: undefined };
  const content: unknown = type === "content_block_start" ? parsed.content_block : parsed.delta;
  if (!isJsonObject(content)) return { index, text: "", other: "unreadable" };
  return { index, ...(type === "content_block_start" ? ofBlock(content) : ofDelta(content)) };
}

function ofBlock(block: JsonObject): Omit<BlockContent, "index"> {
  const text = typeof block.text === "string" ? block.text : "";
  switch (block.type) {
    case "text": {
      const hasCitations = Array.isArray(block.citations) && block.citations.length > 0;
      return { text, other: hasCitations ? "other-content" : undefined };
    }
    case "tool_use":
      return { text: "", other: "tool-calls" };
    case "thinking":
    case "redacted_thinking":
      return { text: "", other: "reasoning" };
  }
  return { text: "", other: "other-content" };
}

/** https://docs.anthropic.com/en/api/messages-streaming, content block delta types. */
function ofDelta(delta: JsonObject): Omit<BlockContent, "index"> {
  switch (delta.type) {
    case "text_delta":
      return typeof delta.text === "string"
        ? { text: delta.text, other: undefined }
        : { text: "", other: "unreadable" };
    case "input_json_delta":
      return { text: "", other: "tool-calls" };
    case "thinking_delta":
    case "signature_delta":
      return { text: "", other: "reasoning" };
  }
  return { text: "", other: "other-content" };
}
