// The short way for fields that need no treatment: few, flat, short, and neither in their names nor in their texts a secret.

import { isSecret, isSuspicious } from "./redact.ts";

/** Less than what the treatment would cut at. */
const maxCharacters = 4096;
const maxFields = 50;

/** Names of fields come from our own code; the bound is for those that do not. */
const maxKnownNames = 500;
const plainNames = new Set<string>();

/** The JSON text of `fields` where they can be written as they are; undefined where `toLoggable` must look at them. */
export function flatFields(fields: Readonly<Record<string, unknown>>): string | undefined {
  if (!isFlat(fields)) return undefined;
  const text = JSON.stringify(fields);
  // One look at the whole instead of one at each text: no character that JSON escapes is one of those that arouse suspicion.
  return isSuspicious(text) ? undefined : text;
}

function isFlat(fields: Readonly<Record<string, unknown>>): boolean {
  let characters = 0;
  let count = 0;
  for (const name in fields) {
    if ((!plainNames.has(name) && !isPlainName(name)) || ++count > maxFields) return false;
    const value = fields[name];
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "number" ? !Number.isFinite(value) : typeof value !== "boolean") return false;
  }
  return characters <= maxCharacters;
}

function isPlainName(name: string): boolean {
  // Digits would change places, and a name that is none of the usual ones may be anything.
  if (!/^[a-z][a-z_\d]{0,99}$/i.test(name) || reserved.has(name) || isSecret(name, "")) return false;
  if (plainNames.size < maxKnownNames) plainNames.add(name);
  return true;
}

/** Names in a JSON line that fields cannot take. */
export const reserved: ReadonlySet<string> = new Set(["time", "level", "msg"]);
