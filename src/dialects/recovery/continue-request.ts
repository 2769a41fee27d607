// The request that asks another target to go on from a text: the caller's own bytes and one message more.

import type { ModelRequest } from "../../core/model-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { insertIntoRequest, mayBePrefill } from "../recovery/request-insert.ts";

const decoder = new TextDecoder();

/**
 * Undefined when there is no asking for that: no text that can be gone on from; messages that are not the usual list, or whose last one is from the
 * assistant already.
 */
export function continueRequest(request: ModelRequest, text: string): ModelRequest | undefined {
  if (!mayBePrefill(text)) return undefined;
  const { body, members } = request;
  const messages = members.find((member) => member.key === "messages");
  if (messages === undefined || members.some((member) => member.key === "messages" && member !== messages)) {
    return undefined;
  }
  if (!mayBeContinued(body.subarray(messages.valueStart, messages.valueEnd))) return undefined;
  // The closing bracket is the value's last byte.
  const added = `,${JSON.stringify({ role: "assistant", content: text })}`;
  return { ...insertIntoRequest(request, messages.valueEnd - 1, added), continues: true };
}

/** A continuation whose last message says more: `json` is one member of it or several. */
export function withLastMember(continuation: ModelRequest, json: string): ModelRequest {
  const messages = continuation.members.find((member) => member.key === "messages");
  if (messages === undefined) throw new Error("a continuation has messages");
  // Before the closing brace of the message that was added and the closing bracket of all.
  return insertIntoRequest(continuation, messages.valueEnd - 2, `,${json}`);
}

function mayBeContinued(json: Uint8Array): boolean {
  const messages: unknown = JSON.parse(decoder.decode(json));
  if (!Array.isArray(messages)) return false;
  const last: unknown = messages.at(-1);
  return isJsonObject(last) && last.role !== "assistant";
}
