// Changes a few top-level members of a JSON object in its bytes and leaves every other byte as it was.

import { EditedBytes, type OutgoingBytes, wholeBytes } from "../../core/edited-bytes.ts";
import type { JsonMember } from "../../core/model-request.ts";

/**
 * set: the value becomes `json` (JSON text), in place, or as a new last member when the key is absent. remove: harmless when absent.
 * rename: keeps the value; when `to` is there already, that member stays and the renamed one goes.
 */
export type JsonEdit =
  | { readonly kind: "set"; readonly key: string; readonly json: string }
  | { readonly kind: "remove"; readonly key: string }
  | { readonly kind: "rename"; readonly key: string; readonly to: string };

/** What becomes of one member; without `source` it is new. */
interface Slot {
  readonly source: JsonMember | undefined;
  key: string;
  renamed: boolean;
  json: string | undefined;
  removed: boolean;
}

/**
 * `bytes` with `edits` applied in order; `members` are its own, from `scanObject`. A key that occurs twice is edited in both places, so that
 * no reader sees the old value. Gives `bytes` itself when nothing changes.
 */
export function editObject(bytes: Uint8Array, members: readonly JsonMember[], edits: readonly JsonEdit[]): Uint8Array {
  return wholeBytes(editedObject(bytes, members, edits));
}

/** The same in parts, for bytes that are only written: nothing is copied here. */
export function editedObject(
  bytes: Uint8Array,
  members: readonly JsonMember[],
  edits: readonly JsonEdit[],
): OutgoingBytes {
  const [only] = edits;
  if (only !== undefined && edits.length === 1 && only.kind === "set") {
    const member = soleMember(members, only.key);
    if (member !== undefined) return replaceRange(bytes, member.valueStart, member.valueEnd, only.json);
  }
  const slots: Slot[] = members.map((source) => ({
    source,
    key: source.key,
    renamed: false,
    json: undefined,
    removed: false,
  }));
  let changed = false;
  for (const edit of edits) if (applyEdit(slots, edit)) changed = true;
  return changed ? assemble(bytes, members, slots) : bytes;
}

/** The one member of that name; undefined when there is none or more than one. */
function soleMember(members: readonly JsonMember[], key: string): JsonMember | undefined {
  let found: JsonMember | undefined;
  for (const member of members) {
    if (member.key !== key) continue;
    if (found !== undefined) return undefined;
    found = member;
  }
  return found;
}

/** What most requests need: another model name and nothing else. */
function replaceRange(bytes: Uint8Array, from: number, to: number, text: string): EditedBytes {
  const output = new EditedBytes(bytes);
  output.keep(0, from);
  output.add(text);
  output.keep(to, bytes.length);
  return output;
}

function applyEdit(slots: Slot[], edit: JsonEdit): boolean {
  const hits = slots.filter((slot) => !slot.removed && slot.key === edit.key);
  switch (edit.kind) {
    case "set":
      for (const slot of hits) slot.json = edit.json;
      if (hits.length === 0) {
        slots.push({ source: undefined, key: edit.key, renamed: true, json: edit.json, removed: false });
      }
      return true;
    case "remove":
      for (const slot of hits) slot.removed = true;
      return hits.length > 0;
    case "rename": {
      if (edit.to === edit.key) return false;
      const taken = slots.some((slot) => !slot.removed && slot.key === edit.to);
      for (const slot of hits) {
        slot.removed = taken;
        slot.key = edit.to;
        slot.renamed = true;
      }
      return hits.length > 0;
    }
  }
}

/** What lies between two members, comma included, goes with the later one. */
function assemble(bytes: Uint8Array, members: readonly JsonMember[], slots: readonly Slot[]): EditedBytes {
  const output = new EditedBytes(bytes);
  const first = members[0];
  const last = members.at(-1);
  output.keep(0, first === undefined ? bytes.indexOf(0x7b) + 1 : first.keyStart);
  let gapStart: number | undefined;
  let empty = true;
  for (const { source, key, renamed, json, removed } of slots) {
    if (!removed) {
      if (source === undefined) {
        output.add(`${empty ? "" : ","}${JSON.stringify(key)}:${json ?? "null"}`);
      } else {
        if (!empty && gapStart !== undefined) output.keep(gapStart, source.keyStart);
        if (renamed) output.add(JSON.stringify(key));
        else output.keep(source.keyStart, source.keyEnd);
        output.keep(source.keyEnd, source.valueStart);
        if (json !== undefined) output.add(json);
        else output.keep(source.valueStart, source.valueEnd);
      }
      empty = false;
    }
    if (source !== undefined) gapStart = source.valueEnd;
  }
  output.keep(last === undefined ? bytes.indexOf(0x7b) + 1 : last.valueEnd, bytes.length);
  return output;
}
