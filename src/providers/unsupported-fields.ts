// Fields of the chat API that a provider type answers with an error: dropped where that changes nothing, refused where it would.

import { invalidRequest } from "../core/failure.ts";
import type { Failure } from "../core/failure.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { RequestFields } from "./request-fields.ts";

/** Behaviour 1.16, rungs 4 and 5. */
export interface UnsupportedFields {
  /** Without influence on the answer. */
  readonly harmless: readonly string[];
  /** Fields that change the answer, with the values (compact JSON) that ask for nothing and are dropped as well; null is always one. */
  readonly decisive: Readonly<Record<string, readonly string[]>>;
}

/** Edits that drop what can be dropped; throws a `Failure` that names the field and the provider for the rest. */
export function withoutUnsupported(
  fields: RequestFields,
  providerName: string,
  unsupported: UnsupportedFields,
): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  for (const key of unsupported.harmless) if (fields.has(key)) edits.push({ kind: "remove", key });
  for (const [key, neutral] of Object.entries(unsupported.decisive)) {
    if (!fields.has(key)) continue;
    const value = JSON.stringify(fields.value(key));
    if (value !== "null" && !neutral.includes(value)) throw unsupportedField(key, key, providerName);
    edits.push({ kind: "remove", key });
  }
  return edits;
}

/** `what` is the field, or the field with the value that is at fault. */
export function unsupportedField(param: string, what: string, providerName: string): Failure {
  return invalidRequest(`${what} is not supported by provider ${providerName}`, { param });
}
