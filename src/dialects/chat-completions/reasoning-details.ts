// OpenRouter's `reasoning_details`: reasoning with whatever its provider wants back (https://openrouter.ai/docs/use-cases/reasoning-tokens).

import type { Issuer, ProviderState, ReasoningPart } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** One entry, or a piece of one in a stream. */
export interface ReasoningDetail {
  readonly text: string;
  readonly isSummary: boolean;
  /** Numbers the entries; undefined: not told. */
  readonly index: number | undefined;
  readonly state: ProviderState | undefined;
}

/** Entries of an unknown kind are passed over. */
export function readReasoningDetails(details: unknown, issuer: Issuer): readonly ReasoningDetail[] {
  return (Array.isArray(details) ? details : []).map((detail) => readDetail(detail, issuer)).filter(isPresent);
}

function readDetail(detail: unknown, issuer: Issuer): ReasoningDetail | undefined {
  if (!isJsonObject(detail)) return undefined;
  const index = typeof detail.index === "number" ? detail.index : undefined;
  switch (detail.type) {
    case "reasoning.text": {
      const isSigned = typeof detail.signature === "string" && detail.signature !== "";
      const state = isSigned ? stateOf(detail, "signature", issuer) : undefined;
      return { text: textOf(detail.text), isSummary: false, index, state };
    }
    case "reasoning.summary":
      return { text: textOf(detail.summary), isSummary: true, index, state: undefined };
    case "reasoning.encrypted":
      return { text: "", isSummary: false, index, state: stateOf(detail, "encrypted", issuer) };
  }
  return undefined;
}

/** The entry itself is the state, but for its text: its `format` tells OpenRouter whom it belongs to. */
function stateOf(detail: JsonObject, kind: ProviderState["kind"], issuer: Issuer): ProviderState {
  const { text: _text, ...rest } = detail;
  return { issuer, kind, value: JSON.stringify(rest) };
}

/** Whole entries as parts: an entry without text and state is left out. */
export function partsOfDetails(details: readonly ReasoningDetail[]): readonly ReasoningPart[] {
  return details
    .filter(({ text, state }) => text !== "" || state !== undefined)
    .map(({ text, isSummary, state }) => ({
      kind: "reasoning",
      text,
      ...(isSummary ? { isSummary } : {}),
      ...(state === undefined ? {} : { state }),
    }));
}

/** Parts with a state as entries again. */
export function detailsOfParts(parts: readonly ReasoningPart[]): readonly JsonObject[] {
  return parts.flatMap(({ text, state }) => (state === undefined ? [] : [detailOf(text, state)]));
}

function detailOf(text: string, state: ProviderState): JsonObject {
  const entry = parse(state.value);
  if (entry !== undefined) return entry.type === "reasoning.text" ? { ...entry, text } : entry;
  if (state.kind === "signature") return { type: "reasoning.text", text, signature: state.value };
  return { type: "reasoning.encrypted", data: state.value, ...(state.id === undefined ? {} : { id: state.id }) };
}

function parse(value: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) && typeof parsed.type === "string" ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
