// What one parsed event of a chat stream says: its text, and everything that makes it more than plain text.

import type { RecoveryObstacle } from "../../core/stream-recovery.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { errorIn } from "../answers/error-shapes.ts";

export interface ChunkContent {
  /** Empty when there is none. */
  readonly text: string;
  /** What is in it besides text; undefined: nothing. */
  readonly other: Exclude<RecoveryObstacle, "finished" | "too-long"> | undefined;
  readonly finishes: boolean;
  readonly hasRole: boolean;
}

const nothing: ChunkContent = { text: "", other: undefined, finishes: false, hasRole: false };

/** Of a choice: what describes it or its end, and what is looked at by itself. */
const plainChoiceFields: ReadonlySet<string> = new Set([
  "index",
  "delta",
  "role",
  "finish_reason",
  "native_finish_reason",
  "stop_reason",
  "matched_stop",
  "logprobs",
  "content_filter_results",
  "content_filter_offsets",
]);

/** Events without choices are metadata: usage, the verdict on the prompt. */
export function readChunk(chunk: JsonObject): ChunkContent {
  if (errorIn(chunk) !== undefined) return { ...nothing, other: "unreadable" };
  const choices: unknown = chunk.choices;
  if (choices === undefined || choices === null) return nothing;
  if (!Array.isArray(choices)) return { ...nothing, other: "unreadable" };
  if (choices.length === 0) return nothing;
  const choice: unknown = choices[0];
  if (!isJsonObject(choice)) return { ...nothing, other: "unreadable" };
  const { delta, finish_reason: reason } = choice;
  const fields = isJsonObject(delta) ? delta : {};
  const text = typeof fields.content === "string" ? fields.content : "";
  const isOnly = choices.length === 1 && (choice.index === undefined || choice.index === null || choice.index === 0);
  return {
    text,
    other: isOnly ? (inDelta(fields) ?? inChoice(choice, text)) : "several-choices",
    finishes: !isEmpty(reason),
    hasRole: !isEmpty(fields.role),
  };
}

function inDelta(delta: JsonObject): ChunkContent["other"] {
  let found: ChunkContent["other"];
  for (const key in delta) {
    const value = delta[key];
    if (key === "role" || isEmpty(value)) continue;
    if (key === "tool_calls" || key === "function_call") return "tool-calls";
    if (/reason|think|thought/i.test(key)) found = "reasoning";
    else if (key === "refusal" || key === "audio") found ??= key;
    else if (key === "content" ? typeof value !== "string" : holdsContent(value)) found ??= "other-content";
  }
  return found;
}

function inChoice(choice: JsonObject, text: string): ChunkContent["other"] {
  if (!isEmpty(choice.logprobs)) return "logprobs";
  for (const key in choice) {
    const value = choice[key];
    if (isEmpty(value) || plainChoiceFields.has(key) || !holdsContent(value)) continue;
    // Together sends the text a second time.
    if (key !== "text" || value !== text) return "other-content";
  }
  return undefined;
}

/** Numbers and flags tell about the answer and are no part of it. */
function holdsContent(value: unknown): boolean {
  return typeof value === "string" || typeof value === "object";
}

/** What some providers send in every event for "nothing". */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
