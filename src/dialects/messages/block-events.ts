// Events of blocks for the stream that the caller has had so far: written anew, or those of a later answer under another number.

import { Buffer } from "node:buffer";
import { editObject } from "../json/edit-object.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";

const encoder = new TextEncoder();
const eventEnd = Buffer.from("\n\n");
const lineEnd = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

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
  return framed(event.type, encoder.encode(JSON.stringify(event)));
}

/** The event of `json`, whose value is `parsed`, with other values for these members; every other byte stays. */
export function editedEvent(type: string, json: Uint8Array, parsed: JsonObject, changed: JsonObject): Uint8Array {
  const members = scanObject(json, maxJsonDepth);
  // Not UTF-8, or too deep: the value is all there is.
  if ("message" in members) return framed(type, encoder.encode(JSON.stringify({ ...parsed, ...changed })));
  const edits = Object.entries(changed)
    .filter(([key, value]) => parsed[key] !== value)
    .map(([key, value]): JsonEdit => ({ kind: "set", key, json: JSON.stringify(value) }));
  return framed(type, editObject(json, members, edits));
}

/** A line end in JSON is space between its tokens; in an event it would end the data. */
function framed(type: string, json: Uint8Array): Uint8Array {
  const event = Buffer.concat([Buffer.from(`event: ${type}\ndata: `), json, eventEnd]);
  for (let at = event.length - eventEnd.length - json.length; at < event.length - eventEnd.length; at++) {
    if (event[at] === lineEnd || event[at] === carriageReturn) event[at] = space;
  }
  return event;
}
