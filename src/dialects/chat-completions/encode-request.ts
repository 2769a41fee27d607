// Makes the bytes for one provider from the caller's bytes: its model id, no gateway members, usage asked for.

import type { OutgoingBytes } from "../../core/edited-bytes.ts";
import type { JsonMember, ModelRequest } from "../../core/model-request.ts";
import { editObject, editedObject } from "../json/edit-object.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";

/** How one target wants its request. */
export interface EncodeOptions {
  /** Ask for the usage event of a stream (`ENFORCE_RETURNING_USAGE_DATA`); other stream options are kept. */
  readonly askUsage: boolean;
  /** The provider type's own changes, made after ours. */
  readonly edits: readonly JsonEdit[];
}

const decoder = new TextDecoder();
const askForUsage: JsonEdit = { kind: "set", key: "include_usage", json: "true" };
const dropProvider: JsonEdit = { kind: "remove", key: "provider" };

/** Everything that is not named here stays byte for byte what the caller sent; gives `request.body` itself when nothing has to change. */
export function encodeRequest(request: ModelRequest, model: string, options: EncodeOptions): OutgoingBytes {
  const { body, members } = request;
  let givesProvider = false;
  let streamOptions: JsonMember | undefined;
  for (const member of members) {
    if (member.key === "provider") givesProvider = true;
    else if (member.key === "stream_options") streamOptions ??= member;
  }
  const edits: JsonEdit[] = [];
  if (request.model !== model) edits.push({ kind: "set", key: "model", json: JSON.stringify(model) });
  if (givesProvider) edits.push(dropProvider);
  if (options.askUsage && request.stream && !request.wantsStreamUsage) {
    edits.push({ kind: "set", key: "stream_options", json: withUsage(body, streamOptions) });
  }
  for (const edit of options.edits) edits.push(edit);
  return edits.length === 0 ? body : editedObject(body, members, edits);
}

function withUsage(body: Uint8Array, current: JsonMember | undefined): string {
  if (current !== undefined) {
    const value = body.subarray(current.valueStart, current.valueEnd);
    // Null is the other value that a checked request can have here; it becomes an object of its own.
    const members = scanObject(value, maxJsonDepth);
    if (!("message" in members)) return decoder.decode(editObject(value, members, [askForUsage]));
  }
  return '{"include_usage":true}';
}
