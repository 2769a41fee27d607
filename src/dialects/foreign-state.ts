// State of one provider inside a dialect that has a place only for its own: marked, so that it finds its way back and never reaches anybody else.

import { Buffer } from "node:buffer";
import type { ProviderState } from "../core/chat-request.ts";
import { isJsonObject } from "./json/is-json-object.ts";

/**
 * What marked state begins with. Clients send signatures and encrypted reasoning back unread, so the mark survives them; extra members do not
 * survive every client.
 */
export const stateMark = "gomodel.state.";

const kinds: readonly string[] = ["signature", "redacted", "encrypted", "thought"];

/** Visible ASCII, safe in JSON without escapes. `text`: what was shown with it, where the issuer wants that back beside the state. */
export function markState(state: ProviderState, text?: string): string {
  const json = JSON.stringify(text === undefined ? state : { ...state, text });
  return stateMark + Buffer.from(json).toString("base64url");
}

/** Undefined for what carries no mark: it is the dialect owner's own. A mark with nothing readable behind it gives a state of nobody. */
export function readMarkedState(
  value: string,
): { readonly state: ProviderState; readonly text: string | undefined } | undefined {
  if (!value.startsWith(stateMark)) return undefined;
  const parsed = parse(Buffer.from(value.slice(stateMark.length), "base64url").toString());
  if (isJsonObject(parsed) && typeof parsed.issuer === "string" && typeof parsed.value === "string") {
    const { issuer, value: stateValue, id, text } = parsed;
    const kind = kindOf(parsed.kind);
    if (kind !== undefined) {
      const state = { issuer, kind, value: stateValue, ...(typeof id === "string" ? { id } : {}) };
      return { state, text: typeof text === "string" ? text : undefined };
    }
  }
  return { state: { issuer: "", kind: "encrypted", value: "" }, text: undefined };
}

function kindOf(kind: unknown): ProviderState["kind"] | undefined {
  return kinds.includes(String(kind)) ? (kind as ProviderState["kind"]) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
