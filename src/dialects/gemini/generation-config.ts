// Limits, sampling and the form of the answer, as `generationConfig`.

import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { fieldNames, unsupported } from "./caller-fields.ts";
import { isGemini3 } from "./model-family.ts";
import { thinkingConfigOf } from "./thinking-config.ts";

/** https://ai.google.dev/api/generate-content#generationconfig. */
const mostStopSequences = 5;

/** Undefined: nothing was asked for. Throws a 400 for more stop sequences than Gemini looks for. */
export function generationConfigOf(request: ChatRequest, target: TranslationTarget): JsonObject | undefined {
  const config = present({
    maxOutputTokens: request.maxTokens,
    stopSequences: stopSequencesOf(request, target),
    ...samplingOf(request, target),
    seed: seedOf(request, target),
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    responseLogprobs: request.logprobs === true ? true : undefined,
    logprobs: request.logprobs === true ? request.topLogprobs : undefined,
    ...formatOf(request, target),
    thinkingConfig: thinkingConfigOf(request, target),
  });
  return Object.keys(config).length === 0 ? undefined : config;
}

function stopSequencesOf(request: ChatRequest, target: TranslationTarget): readonly string[] | undefined {
  const sequences = request.stop?.filter((sequence) => sequence !== "") ?? [];
  if (sequences.length > mostStopSequences) {
    throw unsupported(
      fieldNames(request).stop,
      target,
      `at most ${mostStopSequences} stop sequences are taken, the request has ${sequences.length}`,
    );
  }
  return sequences.length === 0 ? undefined : sequences;
}

/** From Gemini 3 on the defaults are the only values that work well, and these members are left out (behaviour 3.6). */
function samplingOf(request: ChatRequest, target: TranslationTarget): JsonObject {
  const { temperature, topP, topK, choices } = request;
  const candidateCount = choices === 1 ? undefined : choices;
  if (!isGemini3(target.model)) return { temperature, topP, topK, candidateCount };
  const dropped = { temperature, top_p: topP, top_k: topK, n: candidateCount };
  for (const [field, value] of Object.entries(dropped)) if (value !== undefined) target.dropped(field);
  return {};
}

/** Of 32 bits, where OpenAI takes 64; a seed is no promise anywhere. */
function seedOf({ seed }: ChatRequest, target: TranslationTarget): number | undefined {
  if (seed === undefined || seed === Math.trunc(seed) % 2 ** 31) return seed;
  target.dropped("seed");
  return undefined;
}

function formatOf({ format }: ChatRequest, target: TranslationTarget): JsonObject {
  switch (format?.kind) {
    case undefined:
    case "text":
      return {};
    case "json":
      return { responseMimeType: "application/json" };
    case "json-schema":
      // The name is a label only, and a schema is always kept to.
      if (format.description !== undefined) target.dropped("description of the schema");
      return { responseMimeType: "application/json", responseJsonSchema: format.schema };
  }
}

function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
