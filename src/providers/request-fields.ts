// The top-level fields of a request, decoded only when somebody asks for one.

import type { ModelRequest } from "../core/model-request.ts";

/** Read access to a JSON body by field name. Of a repeated name the last one counts, as in `JSON.parse`. */
export interface RequestFields {
  has(key: string): boolean;
  /** The decoded value; undefined when absent. */
  value(key: string): unknown;
  /** The value as it was sent. */
  json(key: string): string | undefined;
}

const decoder = new TextDecoder();

/** The fields of `request.body`. */
export function requestFields(request: Pick<ModelRequest, "body" | "members">): RequestFields {
  function json(key: string): string | undefined {
    const member = request.members.findLast((candidate) => candidate.key === key);
    return member === undefined ? undefined : decoder.decode(request.body.subarray(member.valueStart, member.valueEnd));
  }
  return {
    has: (key) => request.members.some((member) => member.key === key),
    value(key) {
      const text = json(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    json,
  };
}

/** Whether a decoded value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
