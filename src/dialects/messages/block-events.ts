// Events of blocks for the stream that the caller has had so far: written anew, or those of a later answer under another number.

import { editObject } from "../json/edit-object.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { namedEvent } from "./named-event.ts";

const encoder = new TextEncoder();

export function textBlockStart(index: number): Uint8Array {
  return eventOf({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
}

export function textBlockDelta(index: number, text: string): Uint8Array {
  return eventOf({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
}

export function blockStop(index: number): Uint8Array {
  return eventOf({ type: "content_block_stop", index });
}

function eventOf(event: { readonly type: string; readonly [member: string]: unknown }): Uint8Array {
  return namedEvent(event.type, encoder.encode(JSON.stringify(event)));
}

/** The event of `json`, whose value is `parsed`, with other values for these members; every other byte stays. */
export function editedEvent(type: string, json: Uint8Array, parsed: JsonObject, changed: JsonObject): Uint8Array {
  const members = scanObject(json, maxJsonDepth);
  // Not UTF-8, or too deep: the value is all there is.
  if ("message" in members) return namedEvent(type, encoder.encode(JSON.stringify({ ...parsed, ...changed })));
  const edits = Object.entries(changed)
    .filter(([key, value]) => parsed[key] !== value)
    .map(([key, value]): JsonEdit => ({ kind: "set", key, json: JSON.stringify(value) }));
  return namedEvent(type, editObject(json, members, edits));
}
