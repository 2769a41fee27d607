// What one parsed event of a Responses stream says to whoever may have to go on with it: its text, and everything that makes it more than that.

import type { RecoveryObstacle } from "../../core/stream-recovery.ts";
import { errorIn } from "../answers/error-shapes.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What is no plain text, or cannot be understood. */
type OtherContent = Exclude<RecoveryObstacle, "finished" | "too-long" | "several-choices" | "audio">;

/** Where an event belongs; a member that is missing counts as 0, or as empty. */
export interface Place {
  readonly itemId: string;
  readonly outputIndex: number;
  readonly contentIndex: number;
}

/**
 * status: the response as it is so far. item, part: a message, and a text in it, begin; both empty. text: a piece of it. done: what began is whole.
 * terminal: the end. other: anything that is not the text of one message; `hides`: it is part of an item that began elsewhere. metadata: nothing of the answer.
 */
export type EventContent =
  | { readonly kind: "status" | "terminal" | "metadata" }
  | { readonly kind: "item" | "part"; readonly place: Place }
  | { readonly kind: "text"; readonly place: Place; readonly text: string; readonly hasLogprobs: boolean }
  | { readonly kind: "done"; readonly of: "text" | "part" | "item"; readonly place: Place }
  | { readonly kind: "other"; readonly other: OtherContent };

const nothing: JsonObject = {};

export function readContent(event: JsonObject): EventContent {
  if (errorIn(event) !== undefined) return other("unreadable");
  const { type } = event;
  if (typeof type !== "string") return other("unreadable");
  const place = placeOf(event);
  switch (type) {
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return { kind: "status" };
    case "response.completed":
    case "response.incomplete":
    case "response.cancelled":
      return { kind: "terminal" };
    case "response.output_item.added":
    case "response.output_item.done": {
      const item = isJsonObject(event.item) ? event.item : nothing;
      if (item.type !== "message") return other(obstacleOf(String(item.type)));
      const ofItem = { ...place, itemId: typeof item.id === "string" ? item.id : "" };
      if (type === "response.output_item.done") return { kind: "done", of: "item", place: ofItem };
      return isEmpty(item.content) ? { kind: "item", place: ofItem } : other("other-content");
    }
    case "response.content_part.added":
    case "response.content_part.done": {
      const part = isJsonObject(event.part) ? event.part : nothing;
      if (part.type !== "output_text") return other(obstacleOf(String(part.type)));
      if (type === "response.content_part.done") return { kind: "done", of: "part", place };
      return isEmpty(part.text) && isEmpty(part.annotations) ? { kind: "part", place } : other("other-content");
    }
    case "response.output_text.delta":
      if (typeof event.delta !== "string") return other("unreadable");
      return { kind: "text", place, text: event.delta, hasLogprobs: !isEmpty(event.logprobs) };
    case "response.output_text.done":
      return { kind: "done", of: "text", place };
    default:
      // Such as `keepalive`: whatever else a provider tells about itself.
      return type.startsWith("response.") || type === "error" ? other(obstacleOf(type)) : { kind: "metadata" };
  }
}

/** `type`: of an event, an item or a part. */
function obstacleOf(type: string): OtherContent {
  if (type === "error" || type === "response.failed") return "unreadable";
  if (type.includes("reasoning")) return "reasoning";
  if (type.includes("refusal")) return "refusal";
  return /_call(?:_|\.|$)|tool|mcp/.test(type) ? "tool-calls" : "other-content";
}

function other(obstacle: OtherContent): EventContent {
  return { kind: "other", other: obstacle };
}

function placeOf({ item_id: itemId, output_index: outputIndex, content_index: contentIndex }: JsonObject): Place {
  return {
    itemId: typeof itemId === "string" ? itemId : "",
    outputIndex: typeof outputIndex === "number" ? outputIndex : 0,
    contentIndex: typeof contentIndex === "number" ? contentIndex : 0,
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
