// Temperature and its kin, and what ends an answer, within what Anthropic takes.

import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ModelTraits } from "./claude-models.ts";

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking: with thinking, `top_p` may be from 0.95 to 1. */
const leastTopPWhenThinking = 0.95;

export function encodeSampling(
  request: ChatRequest,
  target: TranslationTarget,
  traits: ModelTraits,
  isThinking: boolean,
): JsonObject {
  let { temperature, topP, topK } = request;
  const leaveOut = (field: string): undefined => {
    target.dropped(field);
    return undefined;
  };
  if (temperature !== undefined && temperature > 1) {
    target.dropped("temperature");
    temperature = 1;
  }
  if (isThinking) {
    if (temperature !== undefined && temperature !== 1) temperature = leaveOut("temperature");
    if (topP !== undefined && topP < leastTopPWhenThinking) topP = leaveOut("top_p");
    if (topK !== undefined) topK = leaveOut("top_k");
  }
  if (traits.refusesSampling) {
    if (temperature !== undefined) temperature = leaveOut("temperature");
    if (topP !== undefined) topP = leaveOut("top_p");
    if (topK !== undefined) topK = leaveOut("top_k");
  }
  if (traits.refusesTwoSamplings && temperature !== undefined && topP !== undefined) topP = leaveOut("top_p");
  return { temperature, top_p: topP, top_k: topK };
}

/** Sequences of white space alone are refused by Anthropic. */
export function encodeStops(request: ChatRequest, target: TranslationTarget): readonly string[] | undefined {
  const stops = request.stop?.filter((stop) => stop.trim() !== "");
  if (stops?.length !== request.stop?.length) target.dropped("stop");
  return stops === undefined || stops.length === 0 ? undefined : stops;
}
