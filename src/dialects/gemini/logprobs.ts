// Log probabilities as the OpenAI dialects write them.

import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

const encoder = new TextEncoder();

/** Of a candidate's `logprobsResult` (https://ai.google.dev/api/generate-content#LogprobsResult); undefined: it has none. */
export function logprobsOf(candidate: JsonObject): readonly unknown[] | undefined {
  const result = candidate["logprobsResult"];
  if (!isJsonObject(result) || !Array.isArray(result["chosenCandidates"])) return undefined;
  const tops: unknown = result["topCandidates"];
  return result["chosenCandidates"].map((chosen: unknown, index) => {
    const top: unknown = Array.isArray(tops) ? tops[index] : undefined;
    const others: unknown = isJsonObject(top) ? top["candidates"] : undefined;
    return { ...tokenOf(chosen), top_logprobs: Array.isArray(others) ? others.map(tokenOf) : [] };
  });
}

function tokenOf(candidate: unknown): JsonObject {
  const { token, logProbability } = isJsonObject(candidate) ? candidate : {};
  const text = typeof token === "string" ? token : "";
  return {
    token: text,
    logprob: typeof logProbability === "number" ? logProbability : 0,
    bytes: [...encoder.encode(text)],
  };
}
