// Makes an event of a later answer look like one of the answer that the caller has had so far.

import { Buffer } from "node:buffer";
import { editObject } from "../json/edit-object.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { isEmpty } from "./chunk-content.ts";

const dataField = Buffer.from("data: ");
const eventEnd = Buffer.from("\n\n");
const lineEnd = 0x0a;
const space = 0x20;

/** Top-level members to set; undefined: to take out. */
export type ChunkEdits = Readonly<Record<string, unknown>>;

/**
 * Gives each later event the identity of `first`; what that one did not have goes. So do fingerprint and tier: they tell about the backend that
 * wrote an event, and the later answer had another than the one that was named.
 */
export function identityEdits({ id, created, model }: JsonObject): ChunkEdits {
  return { id, created, model, system_fingerprint: undefined, service_tier: undefined };
}

/** A whole event; bytes that no edit touches stay as the provider wrote them. `json` is what `chunk` was parsed from. */
export function editEvent(json: Uint8Array, chunk: JsonObject, edits: ChunkEdits): Uint8Array {
  const members = scanObject(json, maxJsonDepth);
  // What only a lenient parser reads, such as broken UTF-8, is written as every client reads it.
  const edited =
    "message" in members
      ? Buffer.from(JSON.stringify({ ...chunk, ...edits }))
      : editObject(json, members, Object.entries(edits).map(asEdit));
  // Data of several lines is one JSON text, whose line ends can only be between two tokens.
  const oneLine = edited.includes(lineEnd) ? edited.map((byte) => (byte === lineEnd ? space : byte)) : edited;
  return Buffer.concat([dataField, oneLine, eventEnd]);
}

function asEdit([key, value]: readonly [key: string, value: unknown]): JsonEdit {
  return value === undefined ? { kind: "remove", key } : { kind: "set", key, json: JSON.stringify(value) };
}

/** A choice that says no more than `rest` of its text, and not whose text it is when the caller knows. */
export function restOfChoice(choice: JsonObject, rest: string, roleKnown: boolean): JsonObject {
  const delta: Record<string, unknown> = isJsonObject(choice.delta) ? { ...choice.delta } : {};
  if (roleKnown) delete delta.role;
  if (typeof delta.content !== "string" || delta.content === rest) return { ...choice, delta };
  delta.content = rest;
  const shorter: Record<string, unknown> = { ...choice, delta };
  // Both go with the whole piece: the text once more (Together), and the odds of its tokens.
  if (typeof choice.text === "string") shorter.text = rest;
  if (choice.logprobs !== undefined) shorter.logprobs = null;
  return shorter;
}

/** Nothing is left in it that a client would show or act on. */
export function saysNothing(choice: JsonObject): boolean {
  return isEmpty(choice.finish_reason) && Object.values(isJsonObject(choice.delta) ? choice.delta : {}).every(isEmpty);
}
