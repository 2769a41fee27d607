// What of the thinking in one assistant message may go to a provider: its own state and nobody else's.

import { readMarkedState } from "../foreign-state.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** Whose state a provider takes. */
export interface StateRule {
  /** Of the provider that gets the request. */
  readonly issuer: string;
  /** State without a mark is that of the provider that had written the answers, as it came. */
  readonly takesUnmarked: boolean;
}

/** Undefined: the block is left out. The block itself: it stays as it is. */
export function thinkingFor(block: JsonObject, rule: StateRule): JsonObject | undefined {
  const isRedacted = block.type === "redacted_thinking";
  const value = isRedacted ? block.data : block.signature;
  // Reasoning of a provider without signatures, which Anthropic refuses.
  if (typeof value !== "string" || value === "") return undefined;
  const marked = readMarkedState(value);
  if (marked === undefined) return rule.takesUnmarked ? block : undefined;
  const { state, text } = marked;
  if (state.issuer !== rule.issuer || state.value === "") return undefined;
  switch (state.kind) {
    case "signature": {
      const shown = typeof block.thinking === "string" ? block.thinking : "";
      return { type: "thinking", thinking: text ?? shown, signature: state.value };
    }
    case "redacted":
      return { type: "redacted_thinking", data: state.value };
    case "encrypted":
    case "thought":
      // State of another dialect of the same issuer.
      return undefined;
  }
}

export function isThinking(block: unknown): boolean {
  return isJsonObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** The object without what other dialects put there for their providers; the object itself when it has nothing of the kind. */
export function withoutExtraContent(object: JsonObject): JsonObject {
  if (!Object.hasOwn(object, "extra_content")) return object;
  const { extra_content: _, ...rest } = object;
  return rest;
}
