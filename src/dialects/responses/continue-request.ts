// The request that asks another target to go on from a text: the caller's own bytes and one item more in `input`.

import type { ModelRequest } from "../../core/model-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { insertIntoRequest, mayBePrefill } from "../recovery/request-insert.ts";

const decoder = new TextDecoder();

/**
 * Undefined when there is no asking for that: no text that can be gone on from, or an input that is neither a text nor a list whose last item is the
 * caller's: a message of somebody else than the assistant, or what a tool gave.
 */
export function continueRequest(request: ModelRequest, text: string): ModelRequest | undefined {
  if (!mayBePrefill(text)) return undefined;
  const { body, members } = request;
  const inputs = members.filter(({ key }) => key === "input");
  const [member] = inputs;
  if (member === undefined || inputs.length > 1) return undefined;
  const json = decoder.decode(body.subarray(member.valueStart, member.valueEnd));
  const input: unknown = JSON.parse(json);
  const added = JSON.stringify({ type: "message", role: "assistant", content: text });
  if (typeof input === "string") {
    const list = `[{"type":"message","role":"user","content":${json}},${added}]`;
    return { ...insertIntoRequest(request, member.valueStart, list, member.valueEnd), continues: true };
  }
  if (!Array.isArray(input) || !mayBeContinued(input.at(-1))) return undefined;
  // The closing bracket is the value's last byte.
  return { ...insertIntoRequest(request, member.valueEnd - 1, `,${added}`), continues: true };
}

function mayBeContinued(last: unknown): boolean {
  if (!isJsonObject(last)) return false;
  if (typeof last.role === "string") return last.role !== "assistant";
  return typeof last.type === "string" && last.type.endsWith("_output");
}
