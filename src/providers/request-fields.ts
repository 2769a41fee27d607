// The top-level fields of a request, decoded only when somebody asks for one.

import { Buffer } from "node:buffer";
import type { JsonMember, ModelRequest } from "../core/model-request.ts";

/** Read access to a JSON body by field name. Of a repeated name the last one counts, as in `JSON.parse`. */
export interface RequestFields {
  has(key: string): boolean;
  /** The decoded value; undefined when absent. */
  value(key: string): unknown;
  /** The value as it was sent. */
  json(key: string): string | undefined;
}

// Works on any Uint8Array and makes no view of it.
const { utf8Slice } = Buffer.prototype;

/** The fields of `request.body`. */
export function requestFields(request: Pick<ModelRequest, "body" | "members">): RequestFields {
  return new BodyFields(request);
}

class BodyFields implements RequestFields {
  readonly #request: Pick<ModelRequest, "body" | "members">;

  constructor(request: Pick<ModelRequest, "body" | "members">) {
    this.#request = request;
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  value(key: string): unknown {
    const text = this.json(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  json(key: string): string | undefined {
    const member = this.#find(key);
    if (member === undefined) return undefined;
    return utf8Slice.call(this.#request.body, member.valueStart, member.valueEnd);
  }

  #find(key: string): JsonMember | undefined {
    const { members } = this.#request;
    for (let index = members.length - 1; index >= 0; index--) {
      const member = members[index];
      if (member?.key === key) return member;
    }
    return undefined;
  }
}

/** Whether a decoded value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
