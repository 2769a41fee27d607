// Provider-bound state as `extra_content` says it: an object keyed by vendor (behaviour 4.6).

import type { ProviderState } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** A block of reasoning with its proof, as `extra_content.anthropic.thinking_blocks` lists them. */
export interface StatedReasoning {
  readonly text: string;
  readonly state: ProviderState;
}

/** The value of `extra_content` for one state. `text`: the reasoning that was shown with it. */
export function vendorContent(state: ProviderState, text: string): JsonObject {
  switch (state.kind) {
    case "signature":
      return { [state.issuer]: { thinking_blocks: [{ type: "thinking", thinking: text, signature: state.value }] } };
    case "redacted":
      return { [state.issuer]: { thinking_blocks: [{ type: "redacted_thinking", data: state.value }] } };
    case "encrypted":
      return { [state.issuer]: { encrypted_content: state.value } };
    case "thought":
      return { [state.issuer]: { thought_signature: state.value } };
  }
}

/** The state of a tool call or a text; both spellings of Google's signature are read. Undefined: there is none. */
export function readThoughtState(extraContent: unknown): ProviderState | undefined {
  if (!isJsonObject(extraContent)) return undefined;
  for (const [issuer, vendor] of Object.entries(extraContent)) {
    if (!isJsonObject(vendor)) continue;
    const value = vendor.thought_signature ?? vendor.thoughtSignature;
    if (typeof value === "string") return { issuer, kind: "thought", value };
  }
  return undefined;
}

/** The blocks of reasoning in it, in order; without a signature a block proves nothing and is left out. */
export function readThinkingBlocks(extraContent: unknown): readonly StatedReasoning[] {
  const found: StatedReasoning[] = [];
  if (!isJsonObject(extraContent)) return found;
  for (const [issuer, vendor] of Object.entries(extraContent)) {
    if (!isJsonObject(vendor) || !Array.isArray(vendor.thinking_blocks)) continue;
    for (const block of vendor.thinking_blocks) {
      const read = isJsonObject(block) ? readThinkingBlock(block, issuer) : undefined;
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

/** `extra_content.anthropic.is_error` of a tool result (behaviour 4.2). */
export function isToolError(extraContent: unknown): boolean {
  return isJsonObject(extraContent) && isJsonObject(extraContent.anthropic) && extraContent.anthropic.is_error === true;
}

function readThinkingBlock(block: JsonObject, issuer: string): StatedReasoning | undefined {
  const { type, thinking, signature, data } = block;
  if (type === "redacted_thinking" && typeof data === "string") {
    return { text: "", state: { issuer, kind: "redacted", value: data } };
  }
  if (type !== "thinking" || typeof signature !== "string" || signature === "") return undefined;
  return { text: typeof thinking === "string" ? thinking : "", state: { issuer, kind: "signature", value: signature } };
}
