// The answer of a healthy upstream, as a whole or as the parts that faults damage.

import type { Asked } from "./asked.ts";
import { rightEvents } from "./event-stream.ts";
import { chunked, jsonType, sized, streamType, type HeaderLine } from "./http-answer.ts";
import { rightJson } from "./json-answer.ts";

export interface RightContent {
  readonly type: HeaderLine;
  /** Events of a stream; the one document of a buffered answer. */
  readonly parts: readonly string[];
  /** All parts. */
  readonly body: string;
}

export function rightContent(asked: Asked, words?: number): RightContent {
  const parts = asked.mode === "stream" ? rightEvents(asked, words) : [rightJson(asked, words)];
  return { type: asked.mode === "stream" ? streamType : jsonType, parts, body: parts.join("") };
}

/** Every byte of it: streams in chunks, documents with their length. */
export function rightAnswer(asked: Asked, words?: number): Uint8Array {
  const { type, parts, body } = rightContent(asked, words);
  return asked.mode === "stream" ? chunked(asked, type, parts) : sized(asked, 200, type, body);
}
