// For a request whose bytes pass: takes out of its history what only another provider, or the gateway itself, can read.

import { Buffer } from "node:buffer";
import type { Issuer } from "../../core/chat-request.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import { readMarkedState, stateMark } from "../foreign-state.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/**
 * Edits of `input` for a target of this issuer, none when nothing in it is marked (which is found out without parsing). Marked state of the issuer
 * is given back to it, that of others goes with its item, and so do vendors' objects in `extra_content` (behaviour 4.6); a provider that reads
 * neither refuses both.
 */
export function stripForeignState(request: ModelRequest, issuer: Issuer): readonly JsonEdit[] {
  const member = request.members.findLast(({ key }) => key === "input");
  if (member === undefined) return [];
  const bytes = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  const text = bytes.subarray(member.valueStart, member.valueEnd);
  if (!text.includes(stateMark) && !text.includes('"extra_content"')) return [];
  const input = parseExactly(text.toString());
  if (!Array.isArray(input)) return [];
  let changed = false;
  const kept = input.flatMap((item: unknown) => {
    const own = isJsonObject(item) ? ownItem(item, issuer) : item;
    changed ||= own !== item;
    return own === undefined ? [] : [own];
  });
  return changed ? [{ kind: "set", key: "input", json: JSON.stringify(kept) }] : [];
}

/** Undefined: nothing of it is left; the item itself: nothing has to go. */
function ownItem(item: JsonObject, issuer: Issuer): JsonObject | undefined {
  const encrypted = item.encrypted_content;
  const marked = typeof encrypted === "string" ? readMarkedState(encrypted)?.state : undefined;
  if (marked === undefined) return withoutVendors(item, issuer);
  if (marked.issuer !== issuer || marked.kind !== "encrypted") return undefined;
  const { id: _id, ...rest } = withoutVendors(item, issuer);
  return { ...rest, ...(marked.id === undefined ? {} : { id: marked.id }), encrypted_content: marked.value };
}

function withoutVendors(item: JsonObject, issuer: Issuer): JsonObject {
  const { extra_content: vendors, ...rest } = item;
  if (!isJsonObject(vendors)) return item;
  const own = Object.entries(vendors).filter(([vendor]) => vendor === issuer);
  if (own.length === Object.keys(vendors).length && own.length > 0) return item;
  return own.length === 0 ? rest : { ...rest, extra_content: Object.fromEntries(own) };
}
