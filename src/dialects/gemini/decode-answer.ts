// A whole GenerateContentResponse as an answer of the hub.

import type { AnswerChoice, ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, TextPart } from "../../core/chat-request.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType, noChoices } from "../answers/unusable-answer.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { headOf } from "./answer-head.ts";
import { readPart, unknownIn } from "./answer-parts.ts";
import type { AnswerDecoding } from "./answer-parts.ts";
import { blockReasonOf, candidatesOf, partsOf } from "./answer-shape.ts";
import { blockedFinish, finishOf } from "./finish-reasons.ts";
import { annotationsOf } from "./grounding.ts";
import { logprobsOf } from "./logprobs.ts";
import { readGeminiUsage } from "./read-usage.ts";

/**
 * Members of a candidate that are read or tell a caller nothing. Kept beside the rest, as nothing of the hub holds all of it: `groundingMetadata`,
 * `urlContextMetadata`, `finishMessage`.
 */
const knownMembers: ReadonlySet<string> = new Set([
  "index",
  "content",
  "finishReason",
  "citationMetadata",
  "logprobsResult",
  "safetyRatings",
  "avgLogprobs",
  "tokenCount",
  "groundingAttributions",
]);

const textDecoder = new TextDecoder();

export function decodeGeminiAnswer(body: Uint8Array, origin: AnswerOrigin, newCallId: () => string): ChatAnswer {
  const response = parseExactly(textDecoder.decode(body));
  if (!isJsonObject(response)) throw changedType(origin.providerName, "the body is not an object");
  const facts = candidatesOf(response, origin.providerName) ?? [];
  if (facts instanceof Error) throw facts;
  const decoding = { origin, newCallId, callIds: new Set<string>() };
  const candidates: unknown = response["candidates"];
  const choices = (Array.isArray(candidates) ? candidates.filter(isJsonObject) : []).map((candidate, position) =>
    choiceOf(candidate, facts[position]?.index ?? position, decoding),
  );
  const blockReason = blockReasonOf(response);
  if (choices.length === 0) {
    if (blockReason === undefined) throw noChoices();
    choices.push({ index: 0, parts: [], finish: blockedFinish(blockReason) });
  }
  const usage = readGeminiUsage(response["usageMetadata"]);
  return { ...headOf(response), choices, ...(usage === undefined ? {} : { usage }) };
}

function choiceOf(candidate: JsonObject, index: number, decoding: AnswerDecoding): AnswerChoice {
  const parts: AssistantPart[] = [];
  for (const part of partsOf(candidate["content"])) {
    const read = readPart(part, decoding);
    if (read !== undefined) addPart(parts, read);
  }
  const { finishReason } = candidate;
  const hasCalls = parts.some((part) => part.kind === "tool-call");
  const unknown = unknownIn(candidate, knownMembers);
  return {
    index,
    parts: withAnnotations(parts, candidate),
    finish: finishOf(typeof finishReason === "string" && finishReason !== "" ? finishReason : undefined, hasCalls),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** Texts that follow each other are one; a text with a signature stays as it was signed. */
function addPart(parts: AssistantPart[], part: AssistantPart): void {
  const last = parts.at(-1);
  const isSame =
    (part.kind === "text" && last?.kind === "text") || (part.kind === "reasoning" && last?.kind === "reasoning");
  if (isSame && last.state === undefined && part.state === undefined && part.unknown === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
  } else parts.push(part);
}

/** On the first text: nearly always there is one, and the places are counted from its start. */
function withAnnotations(parts: readonly AssistantPart[], candidate: JsonObject): readonly AssistantPart[] {
  const texts = parts.filter((part) => part.kind === "text");
  const annotations = annotationsOf(candidate, texts.map(({ text }) => text).join(""));
  const logprobs = logprobsOf(candidate);
  const [first] = texts;
  if (first === undefined || (annotations.length === 0 && logprobs === undefined)) return parts;
  const marked: TextPart = {
    ...first,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(logprobs === undefined ? {} : { logprobs }),
  };
  return parts.map((part) => (part === first ? marked : part));
}
