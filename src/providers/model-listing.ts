// Reads a provider's answer to a model listing.

import type { ListedModel } from "../core/inventory.ts";
import { isObject } from "./request-fields.ts";

/**
 * OpenAI's `{"data":[{"id",...}]}`, or the bare array that some servers send. Entries without an id are left out, a repeated id counts once.
 * Undefined when `text` is no listing.
 */
export function readModelListing(text: string): readonly ListedModel[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const entries: unknown = isObject(parsed) ? parsed["data"] : parsed;
  // A server without models says null.
  if (entries === null && isObject(parsed)) return [];
  if (!Array.isArray(entries)) return undefined;
  const models = new Map<string, ListedModel>();
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    const id = entry["id"];
    if (typeof id !== "string" || id === "" || models.has(id)) continue;
    const created = entry["created"] ?? entry["created_at"];
    const ownedBy = entry["owned_by"];
    models.set(id, {
      id,
      created: secondsOf(created),
      ownedBy: typeof ownedBy === "string" && ownedBy !== "" ? ownedBy : undefined,
    });
  }
  return [...models.values()];
}

/** Anthropic writes a date. */
function secondsOf(created: unknown): number | undefined {
  const seconds = typeof created === "string" ? Date.parse(created) / 1000 : created;
  return typeof seconds === "number" && Number.isFinite(seconds) ? Math.floor(seconds) : undefined;
}
