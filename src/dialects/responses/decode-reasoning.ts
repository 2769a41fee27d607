// A reasoning item, to the parts and the state in it.

import type { ProviderState, ReasoningPart } from "../../core/chat-request.ts";
import { readMarkedState } from "../foreign-state.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";
import { readThinkingBlocks } from "./vendor-state.ts";

/** Between two summary parts of one item. */
export const summaryGap = "\n\n";

/** `thought`: state of a tool call (`callId`) or of the text before it, which had no place of its own on the way to the caller. */
export type DecodedReasoning =
  | { readonly kind: "parts"; readonly parts: readonly ReasoningPart[] }
  | { readonly kind: "thought"; readonly state: ProviderState; readonly callId: string | undefined };

/** `issuer`: whose `encrypted_content` is that carries no mark. */
export function decodeReasoning(item: Members, issuer: string): DecodedReasoning {
  const summary = textsOf(item.list("summary")).join(summaryGap);
  const content = textsOf(item.list("content")).join("");
  const encrypted = item.text("encrypted_content");
  const id = item.text("id");
  const blocks = readThinkingBlocks(item.value("extra_content"));
  item.value("status");
  const unknown = item.unknown();
  const rest = unknown === undefined ? {} : { unknown };

  const marked = encrypted === undefined ? undefined : readMarkedState(encrypted);
  if (marked !== undefined) {
    const { state, text } = marked;
    if (state.kind === "thought") return { kind: "thought", state, callId: text };
    // The text is part of what a signature proves: the one that went out with it counts, whatever the client did to the summary.
    return parts(markedParts(text ?? summary, state).map((part) => ({ ...part, ...rest })));
  }
  if (blocks.length > 0) return parts(blocks.map(({ text, state }) => ({ kind: "reasoning", text, state })));
  const state: ProviderState | undefined =
    encrypted === undefined || encrypted === ""
      ? undefined
      : { issuer, kind: "encrypted", value: encrypted, ...(id === undefined ? {} : { id }) };
  const found: ReasoningPart[] = [];
  if (summary !== "" && content !== "") found.push({ kind: "reasoning", text: summary, isSummary: true });
  const text = content === "" ? summary : content;
  if (text === "" && state === undefined) return parts(found);
  found.push({
    kind: "reasoning",
    text,
    ...(content === "" && text !== "" ? { isSummary: true } : {}),
    ...(state === undefined ? {} : { state }),
    ...rest,
  });
  return parts(found);
}

function parts(list: readonly ReasoningPart[]): DecodedReasoning {
  return { kind: "parts", parts: list };
}

/** A mark with nothing readable behind it belongs to nobody. */
function markedParts(text: string, state: ProviderState): readonly ReasoningPart[] {
  const summary = text !== "" && state.kind === "encrypted" ? { isSummary: true } : {};
  if (state.issuer !== "") return [{ kind: "reasoning", text, ...summary, state }];
  return text === "" ? [] : [{ kind: "reasoning", text, ...summary }];
}

function textsOf(list: readonly unknown[] | undefined): readonly string[] {
  const texts: string[] = [];
  for (const entry of list ?? []) {
    if (isJsonObject(entry) && typeof entry.text === "string" && entry.text !== "") texts.push(entry.text);
  }
  return texts;
}
