// State of providers inside chat messages: `extra_content` with an object for each vendor, and the spellings of others for the same.

import type { Issuer, ProviderState, ReasoningPart } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";

/**
 * Reasoning with its state, of `extra_content.<vendor>.thinking_blocks` (blocks as Anthropic writes them, behaviour 4.2),
 * `extra_content.<vendor>.reasoning_items` (items as OpenAI's Responses write them), or LiteLLM's `thinking_blocks` beside the message's text
 * (https://docs.litellm.ai/docs/reasoning_content). Takes these members. Nothing there: an empty list.
 */
export function takeReasoningBlocks(message: Members): readonly ReasoningPart[] {
  const parts: ReasoningPart[] = [];
  const extra = message.value("extra_content");
  const beside = message.value("thinking_blocks");
  if (isJsonObject(extra)) {
    for (const [issuer, own] of Object.entries(extra)) {
      if (!isJsonObject(own)) continue;
      parts.push(...blocksIn(own.thinking_blocks, issuer), ...itemsIn(own.reasoning_items, issuer));
    }
  }
  return parts.length > 0 ? parts : blocksIn(beside, "anthropic");
}

function blocksIn(blocks: unknown, issuer: Issuer): ReasoningPart[] {
  const parts: ReasoningPart[] = [];
  for (const block of Array.isArray(blocks) ? blocks : []) {
    if (!isJsonObject(block)) continue;
    if (block.type === "redacted_thinking" && typeof block.data === "string") {
      parts.push({ kind: "reasoning", text: "", state: { issuer, kind: "redacted", value: block.data } });
    } else if (block.type === "thinking") {
      const text = typeof block.thinking === "string" ? block.thinking : "";
      const { signature } = block;
      const isSigned = typeof signature === "string" && signature !== "";
      if (isSigned) parts.push({ kind: "reasoning", text, state: { issuer, kind: "signature", value: signature } });
      else if (text !== "") parts.push({ kind: "reasoning", text });
    }
  }
  return parts;
}

function itemsIn(items: unknown, issuer: Issuer): ReasoningPart[] {
  const parts: ReasoningPart[] = [];
  for (const item of Array.isArray(items) ? items : []) {
    if (!isJsonObject(item) || typeof item.encrypted_content !== "string") continue;
    const { encrypted_content: value, id, summary } = item;
    const state: ProviderState = { issuer, kind: "encrypted", value, ...(typeof id === "string" ? { id } : {}) };
    const text = typeof summary === "string" ? summary : "";
    parts.push({ kind: "reasoning", text, ...(text === "" ? {} : { isSummary: true }), state });
  }
  return parts;
}

/** Google's signature of a tool call or of the text of a message, also in the flat spellings (behaviour 4.5). Takes the flat ones. */
export function takeThought(holder: Members): ProviderState | undefined {
  const flat = holder.value("thought_signature") ?? holder.value("thoughtSignature");
  const extra = holder.value("extra_content");
  if (isJsonObject(extra)) {
    for (const [issuer, own] of Object.entries(extra)) {
      const value = isJsonObject(own) ? (own.thought_signature ?? own.thoughtSignature) : undefined;
      if (typeof value === "string" && value !== "") return { issuer, kind: "thought", value };
    }
  }
  return typeof flat === "string" && flat !== "" ? { issuer: "google", kind: "thought", value: flat } : undefined;
}

/** `extra_content.anthropic.is_error` of a tool message. */
export function saysToolError(extra: unknown): boolean {
  return isJsonObject(extra) && isJsonObject(extra.anthropic) && extra.anthropic.is_error === true;
}

/** Reasoning parts with a state as an `extra_content` object; undefined when there is none. Parts without are left out. */
export function extraOfReasoning(parts: readonly ReasoningPart[]): JsonObject | undefined {
  const vendors = new Map<Issuer, { blocks: JsonObject[]; items: JsonObject[] }>();
  for (const { text, state } of parts) {
    if (state === undefined) continue;
    let own = vendors.get(state.issuer);
    if (own === undefined) vendors.set(state.issuer, (own = { blocks: [], items: [] }));
    switch (state.kind) {
      case "redacted":
        own.blocks.push({ type: "redacted_thinking", data: state.value });
        break;
      // A thought's signature belongs to text or calls; beside reasoning it is treated as the proof of it.
      case "thought":
      case "signature":
        own.blocks.push({ type: "thinking", thinking: text, signature: state.value });
        break;
      case "encrypted":
        own.items.push({
          ...(state.id === undefined ? {} : { id: state.id }),
          encrypted_content: state.value,
          ...(text === "" ? {} : { summary: text }),
        });
        break;
    }
  }
  if (vendors.size === 0) return undefined;
  return Object.fromEntries(
    Array.from(vendors, ([issuer, { blocks, items }]) => [
      issuer,
      {
        ...(blocks.length > 0 ? { thinking_blocks: blocks } : {}),
        ...(items.length > 0 ? { reasoning_items: items } : {}),
      },
    ]),
  );
}

/** The signature of a tool call or of a text. */
export function extraOfThought({ issuer, value }: ProviderState): JsonObject {
  return Object.fromEntries([[issuer, { thought_signature: value }]]);
}

/** Two of them in one; either may be undefined. */
export function joinExtra(first: JsonObject | undefined, second: JsonObject | undefined): JsonObject | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const joined = new Map(Object.entries(first));
  for (const [issuer, own] of Object.entries(second)) {
    const other = joined.get(issuer);
    joined.set(issuer, isJsonObject(other) && isJsonObject(own) ? { ...other, ...own } : own);
  }
  return Object.fromEntries(joined);
}
