// Reads the listings of models that Google's two services give.

import type { ListedModel } from "../../core/inventory.ts";
import { isObject } from "../request-fields.ts";

/**
 * https://ai.google.dev/api/models#method:-models.list: `models/x` is `x`, and only what can be asked for content or embeddings is a model for us.
 * Undefined when `text` is no listing.
 */
export function readGeminiListing(text: string): readonly ListedModel[] | undefined {
  return readListing(text, "models", ({ name, supportedGenerationMethods: methods }) => {
    if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
    return typeof name === "string" ? name.replace(/^models\//, "") : undefined;
  });
}

/**
 * https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list: `publishers/google/models/x` is `x`. It lists Google's models of
 * every kind and does not say which of them talk; those are called Gemini.
 */
export function readVertexListing(text: string): readonly ListedModel[] | undefined {
  return readListing(text, "publisherModels", ({ name }) => {
    const id = typeof name === "string" ? name.slice(name.lastIndexOf("/") + 1) : "";
    return id.startsWith("gemini-") && !id.includes("embedding") ? id : undefined;
  });
}

/** OpenAI's form with `models/x` for ids. */
export function readCompatibleListing(text: string): readonly ListedModel[] | undefined {
  return readListing(text, "data", ({ id }) => (typeof id === "string" ? id.replace(/^models\//, "") : undefined));
}

type Entry = Readonly<Record<string, unknown>>;

function readListing(
  text: string,
  member: string,
  idOf: (entry: Entry) => string | undefined,
): readonly ListedModel[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return undefined;
  const entries: unknown = parsed[member];
  // Protocol buffers leave an empty list out.
  if (entries === undefined && Object.keys(parsed).length === 0) return [];
  if (!Array.isArray(entries)) return undefined;
  const ids = new Set<string>();
  for (const entry of entries) {
    const id = isObject(entry) ? idOf(entry) : undefined;
    if (id !== undefined && id !== "") ids.add(id);
  }
  return [...ids].map((id) => ({ id, created: undefined, ownedBy: "google" }));
}
