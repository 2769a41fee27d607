// Puts bytes into a caller's request, for a continuation, and says from which texts one can be asked for.

import type { JsonMember, ModelRequest } from "../../core/model-request.ts";

const encoder = new TextEncoder();

/** As JavaScript and Python see it. */
const endsInSpace = /[\s\x1c-\x1f\x85]$/;

/**
 * False for no text, for one that ends in white space (Anthropic refuses it, chat templates strip it, and the answer would begin with it again) or has
 * half a surrogate pair (no valid text for a provider).
 */
export function mayBePrefill(text: string): boolean {
  return text !== "" && !endsInSpace.test(text) && text.isWellFormed();
}

/** The request with the bytes from `at` to `end` replaced by `text`. What is replaced is in one member's value. Default for `end`: nothing is. */
export function insertIntoRequest(request: ModelRequest, at: number, text: string, end = at): ModelRequest {
  const { body, members } = request;
  const added = encoder.encode(text);
  const growth = added.length - (end - at);
  const longer = new Uint8Array(body.length + growth);
  longer.set(body.subarray(0, at));
  longer.set(added, at);
  longer.set(body.subarray(end), at + added.length);
  return { ...request, body: longer, members: members.map((member) => shifted(member, at, growth)) };
}

/** A member's place after it. */
function shifted(member: JsonMember, at: number, growth: number): JsonMember {
  const move = (offset: number): number => (offset > at ? offset + growth : offset);
  return {
    key: member.key,
    keyStart: move(member.keyStart),
    keyEnd: move(member.keyEnd),
    valueStart: move(member.valueStart),
    valueEnd: move(member.valueEnd),
  };
}
