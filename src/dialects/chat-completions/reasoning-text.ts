// The members in which providers tell what the model thought, as text.

import { isJsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";

/**
 * `reasoning_content`: DeepSeek (https://api-docs.deepseek.com/guides/reasoning_model) and most others; `reasoning`: OpenRouter, Groq
 * (https://console.groq.com/docs/reasoning), newer vLLM, Together. Where a provider sends both they are the same text.
 */
const spellings: readonly string[] = ["reasoning_content", "reasoning", "reasoning_text"];

/** Its text is what the model thought. */
export function isReasoningKey(key: string): boolean {
  return spellings.includes(key);
}

/** Takes all of them; empty: none. */
export function reasoningTextIn(message: Members): string {
  const texts = spellings.map((key) => message.value(key));
  return texts.find((text) => typeof text === "string" && text !== "")?.toString() ?? "";
}

/** A part of Mistral's content list (https://docs.mistral.ai/capabilities/reasoning). */
export function isThinkingPart(part: Members): boolean {
  return part.value("type") === "thinking";
}

/** Its text is a string, or a list of text parts. */
export function thinkingText(part: Members): string {
  const thinking = part.value("thinking");
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map((piece) => (isJsonObject(piece) && typeof piece.text === "string" ? piece.text : "")).join("");
}
