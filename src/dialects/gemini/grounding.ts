// Where an answer has its facts from: grounding and citations as annotations of its text.

import { Buffer } from "node:buffer";
import type { Annotation } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/**
 * Of one candidate whose text is `text`. Google counts in bytes of UTF-8
 * (https://ai.google.dev/api/generate-content#GroundingMetadata, #CitationMetadata). A source that no part of the text points at stands without a place.
 */
export function annotationsOf(candidate: JsonObject, text: string): readonly Annotation[] {
  const grounding = candidate["groundingMetadata"];
  const citations = candidate["citationMetadata"];
  if (!isJsonObject(grounding) && !isJsonObject(citations)) return [];
  const bytes = Buffer.from(text);
  const placed = isJsonObject(grounding) ? groundingIn(grounding, bytes) : [];
  return isJsonObject(citations) ? [...placed, ...citationsIn(citations, bytes)] : placed;
}

function groundingIn(grounding: JsonObject, bytes: Buffer): readonly Annotation[] {
  const chunks = objectsIn(grounding["groundingChunks"]);
  const used = new Set<JsonObject>();
  const annotations: Annotation[] = [];
  for (const support of objectsIn(grounding["groundingSupports"])) {
    const segment = isJsonObject(support["segment"]) ? support["segment"] : {};
    const indices: unknown = support["groundingChunkIndices"];
    for (const index of Array.isArray(indices) ? indices : []) {
      const chunk = typeof index === "number" ? chunks[index] : undefined;
      if (chunk === undefined) continue;
      used.add(chunk);
      annotations.push({ ...sourceOf(chunk), ...placeOf(segment, bytes), raw: raw({ ...chunk, segment }) });
    }
  }
  for (const chunk of chunks) if (!used.has(chunk)) annotations.push({ ...sourceOf(chunk), raw: raw(chunk) });
  return annotations;
}

/** https://ai.google.dev/api/generate-content#CitationSource; Vertex calls the list `citations`. */
function citationsIn(metadata: JsonObject, bytes: Buffer): readonly Annotation[] {
  return objectsIn(metadata["citationSources"] ?? metadata["citations"]).map((source) => ({
    kind: typeof source["uri"] === "string" ? "url" : "other",
    ...texts({ url: source["uri"], title: source["title"] }),
    ...placeOf(source, bytes),
    raw: raw(source),
  }));
}

/** One of `web`, `retrievedContext`, `maps`. */
function sourceOf(chunk: JsonObject): Omit<Annotation, "raw"> {
  for (const key of ["web", "maps", "retrievedContext"]) {
    const source = chunk[key];
    if (!isJsonObject(source)) continue;
    const { uri, title, text } = source;
    const kind = key === "retrievedContext" ? "document" : "url";
    return {
      kind: kind === "url" && typeof uri !== "string" ? "other" : kind,
      ...texts({ url: uri, title, citedText: text }),
    };
  }
  return { kind: "other" };
}

function texts(members: JsonObject): Partial<Pick<Annotation, "url" | "title" | "citedText">> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === "string" && value !== ""));
}

/** Of a segment without an end nothing is known; one without a start begins with the text. */
function placeOf(segment: JsonObject, bytes: Buffer): Pick<Annotation, "startIndex" | "endIndex"> {
  const { startIndex, endIndex } = segment;
  if (typeof endIndex !== "number") return {};
  return {
    startIndex: utf16Length(bytes, typeof startIndex === "number" ? startIndex : 0),
    endIndex: utf16Length(bytes, endIndex),
  };
}

/** Of the first `end` bytes. */
function utf16Length(bytes: Buffer, end: number): number {
  return bytes.toString("utf8", 0, Math.max(0, Math.min(end, bytes.length))).length;
}

function raw(value: unknown): Annotation["raw"] {
  return { dialect: "gemini", value };
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
