// The request that asks another target to go on from a text: the caller's own bytes and one message more.

import type { JsonMember, ModelRequest } from "../../core/model-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** As JavaScript and Python see it. */
const endsInSpace = /[\s\x1c-\x1f\x85]$/;

/**
 * Undefined when there is no asking for that: no text; a text that ends in white space (Anthropic refuses it, chat templates strip it, and
 * the answer would begin with it again) or has half a surrogate pair (no valid text for a provider); messages that are not the usual list, or
 * whose last one is from the assistant already.
 */
export function continueRequest(request: ModelRequest, text: string): ModelRequest | undefined {
  if (text === "" || endsInSpace.test(text) || !text.isWellFormed()) return undefined;
  const { body, members } = request;
  const messages = members.find((member) => member.key === "messages");
  if (messages === undefined || members.some((member) => member.key === "messages" && member !== messages)) {
    return undefined;
  }
  if (!mayBeContinued(body.subarray(messages.valueStart, messages.valueEnd))) return undefined;
  // The closing bracket is the value's last byte.
  const added = `,${JSON.stringify({ role: "assistant", content: text })}`;
  return { ...insert(request, messages.valueEnd - 1, added), continues: true };
}

/** A continuation whose last message says more: `json` is one member of it or several. */
export function withLastMember(continuation: ModelRequest, json: string): ModelRequest {
  const messages = continuation.members.find((member) => member.key === "messages");
  if (messages === undefined) throw new Error("a continuation has messages");
  // Before the closing brace of the message that was added and the closing bracket of all.
  return insert(continuation, messages.valueEnd - 2, `,${json}`);
}

function insert(request: ModelRequest, at: number, text: string): ModelRequest {
  const { body, members } = request;
  const added = encoder.encode(text);
  const longer = new Uint8Array(body.length + added.length);
  longer.set(body.subarray(0, at));
  longer.set(added, at);
  longer.set(body.subarray(at), at + added.length);
  return { ...request, body: longer, members: members.map((member) => shifted(member, at, added.length)) };
}

function mayBeContinued(json: Uint8Array): boolean {
  const messages: unknown = JSON.parse(decoder.decode(json));
  if (!Array.isArray(messages)) return false;
  const last: unknown = messages.at(-1);
  return isJsonObject(last) && last.role !== "assistant";
}

/** A member's place after `length` bytes were put in at `at`. */
function shifted(member: JsonMember, at: number, length: number): JsonMember {
  const move = (offset: number): number => (offset > at ? offset + length : offset);
  return {
    key: member.key,
    keyStart: move(member.keyStart),
    keyEnd: move(member.keyEnd),
    valueStart: move(member.valueStart),
    valueEnd: move(member.valueEnd),
  };
}
