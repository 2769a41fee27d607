// What every answer of generateContent has around what a case is about.

import type { Json } from "./pair.ts";

export const geminiUsage = (prompt: number, candidates: number, more: Json = {}): Json => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  ...more,
});

export const candidate = (parts: readonly Json[], finish?: string, index = 0): Json => ({
  content: { role: "model", parts },
  ...(finish === undefined ? {} : { finishReason: finish }),
  index,
});

export const generated = (candidates: readonly Json[], usage?: Json): Json => ({
  candidates,
  ...(usage === undefined ? {} : { usageMetadata: usage }),
  modelVersion: "gemini-2.5-flash",
  responseId: "g1",
});

/** One response for each list of parts; the last one has the end and the usage. */
export const generatedStream = (pieces: readonly (readonly Json[])[], finish: string, usage: Json): Json[] =>
  pieces.map((parts, at) =>
    at === pieces.length - 1 ? generated([candidate(parts, finish)], usage) : generated([candidate(parts)]),
  );

export const user = (...parts: readonly Json[]): Json => ({ role: "user", parts });
export const model = (...parts: readonly Json[]): Json => ({ role: "model", parts });
