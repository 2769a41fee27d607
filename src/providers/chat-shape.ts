// What the rules of a provider type come to: nothing, or edits of the request.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { ChatShape } from "./provider-type.ts";

/** Undefined for no edits, so that an untouched request goes up as it came. */
export function chatShape(edits: readonly JsonEdit[]): ChatShape | undefined {
  return edits.length === 0 ? undefined : { edits, stopSequences: [] };
}
