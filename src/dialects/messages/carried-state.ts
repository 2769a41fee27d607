// Where a Messages body has room for what a provider wants back unread: signatures, redacted thinking and the extra content of tool calls.

import type { AssistantPart, ProviderState } from "../../core/chat-request.ts";
import { markState, readMarkedState } from "../foreign-state.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";

/** Whose the state of a Messages body is when it carries no mark. */
const ownIssuer = "anthropic";

/** What stands in `thinking.signature`; an empty one proves nothing. */
export function stateOfSignature(signature: string | undefined): ProviderState | undefined {
  if (signature === undefined || signature === "") return undefined;
  return readMarkedState(signature)?.state ?? { issuer: ownIssuer, kind: "signature", value: signature };
}

export function signatureOf(state: ProviderState): string {
  return state.issuer === ownIssuer && state.kind === "signature" ? state.value : markState(state);
}

/** What stands in `redacted_thinking.data`. */
export function stateOfRedacted(data: string): { readonly state: ProviderState; readonly text: string } {
  const marked = readMarkedState(data);
  if (marked === undefined) return { state: { issuer: ownIssuer, kind: "redacted", value: data }, text: "" };
  return { state: marked.state, text: marked.text ?? "" };
}

export function redactedBlock(state: ProviderState): JsonObject {
  const data = state.issuer === ownIssuer && state.kind === "redacted" ? state.value : markState(state);
  return { type: "redacted_thinking", data };
}

/** State that goes to the caller as a block of its own beside the tool call: not every client sends unknown members back, but all send blocks. */
export function blockBesideCall(state: ProviderState, callId: string): JsonObject {
  return redactedBlock({ ...state, id: callId });
}

/** `extra_content` of a `tool_use` block (behaviour 4.6); undefined for an issuer that has no object there. */
export function extraContentOf(state: ProviderState | undefined): JsonObject | undefined {
  if (state?.issuer !== "google" || state.kind !== "thought") return undefined;
  return { google: { thought_signature: state.value } };
}

/** The other direction; both spellings are in use. */
export function stateOfExtraContent(extraContent: unknown): ProviderState | undefined {
  const google = isJsonObject(extraContent) ? extraContent.google : undefined;
  if (!isJsonObject(google)) return undefined;
  const value = google.thought_signature ?? google.thoughtSignature;
  return typeof value === "string" && value !== "" ? { issuer: "google", kind: "thought", value } : undefined;
}

/** Gives thoughts that came as blocks of their own back to the call that they name, else to the text before them. */
export function settleThoughts(parts: readonly AssistantPart[]): AssistantPart[] {
  const settled: AssistantPart[] = [];
  const ofCalls = new Map<string, ProviderState>();
  for (const part of parts) {
    const state = part.kind === "reasoning" && part.text === "" ? part.state : undefined;
    if (state?.kind !== "thought") {
      settled.push(part);
      continue;
    }
    const { id, ...ownState } = state;
    const before = settled.at(-1);
    if (id !== undefined) ofCalls.set(id, ownState);
    else if (before?.kind === "text") settled[settled.length - 1] = { ...before, state };
    else settled.push(part);
  }
  if (ofCalls.size === 0) return settled;
  return settled.map((part) => {
    if (part.kind !== "tool-call" || part.state !== undefined) return part;
    const state = ofCalls.get(part.id);
    return state === undefined ? part : { ...part, state };
  });
}
