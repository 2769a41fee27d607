// The members of one JSON object, taken one by one with a check of their type; what nobody took is unknown.

import { numberOf } from "./exact-json.ts";
import { isJsonObject, type JsonObject } from "./is-json-object.ts";

/** What a member of the wrong type comes to. `path`: `messages[0].role`; `expected`: `a string`. */
export type WrongType = (path: string, expected: string) => Error;

/** Null counts as absent everywhere. */
export class Members {
  readonly #parent: Members | undefined;
  /** The key in the parent, or the path itself without one. */
  readonly #place: string;
  /** In the list that is there. */
  readonly #index: number | undefined;
  readonly #object: JsonObject;
  readonly #wrongType: WrongType;
  /** Those that are there; a list, for there are few and most objects are never asked for the rest. */
  readonly #taken: string[] = [];

  /** `place`: the path of the object itself, empty for the outermost; with a `parent`, the key there of it or of the list that it is in. */
  constructor(object: JsonObject, place: string, wrongType: WrongType, parent?: Members, index?: number) {
    this.#object = object;
    this.#place = place;
    this.#wrongType = wrongType;
    this.#parent = parent;
    this.#index = index;
  }

  /** Put together when asked for, which only errors do. */
  get path(): string {
    const place = this.#parent === undefined ? this.#place : this.#parent.pathOf(this.#place);
    return this.#index === undefined ? place : `${place}[${this.#index}]`;
  }

  /** `[0]` for an index, else behind a dot. */
  pathOf(key: string | number): string {
    if (typeof key === "number") return `${this.path}[${key}]`;
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  /** Unchecked. */
  value(key: string): unknown {
    const value = this.#object[key];
    // What is absent cannot be left over either: nearly everything that is asked for.
    if (value === undefined) return undefined;
    this.#taken.push(key);
    return value === null ? undefined : value;
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === "string") return value;
    throw this.wrong(key, "a string");
  }

  number(key: string): number | undefined {
    const value = this.value(key);
    const number = numberOf(value);
    if (value === undefined || number !== undefined) return number;
    throw this.wrong(key, "a number");
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.wrong(key, "true or false");
  }

  list(key: string): readonly unknown[] | undefined {
    const value = this.value(key);
    if (value === undefined || isList(value)) return value;
    throw this.wrong(key, "a list");
  }

  object(key: string): Members | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (isJsonObject(value) && numberOf(value) === undefined) {
      return new Members(value, key, this.#wrongType, this);
    }
    throw this.wrong(key, "an object");
  }

  /** Each entry of a list of objects; undefined when the member is absent. */
  objects(key: string): readonly Members[] | undefined {
    return this.list(key)?.map((entry, index) => {
      if (isJsonObject(entry) && numberOf(entry) === undefined) {
        return new Members(entry, key, this.#wrongType, this, index);
      }
      throw this.#wrongType(`${this.pathOf(key)}[${index}]`, "an object");
    });
  }

  /** The error for a member whose value cannot be used. */
  wrong(key: string, expected: string): Error {
    return this.#wrongType(this.pathOf(key), expected);
  }

  /** As it came. */
  whole(): JsonObject {
    return this.#object;
  }

  /** What was not taken; undefined: nothing. */
  unknown(): JsonObject | undefined {
    let unknown: Record<string, unknown> | undefined;
    for (const key of Object.keys(this.#object)) {
      if (this.#taken.includes(key)) continue;
      unknown ??= Object.create(null) as Record<string, unknown>;
      unknown[key] = this.#object[key];
    }
    return unknown;
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
