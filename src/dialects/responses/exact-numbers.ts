// Numbers of a request that was read without losing digits: some are kept as their text.

import type { Members } from "../json/members.ts";
import { isJsonObject } from "../json/is-json-object.ts";

/** As `Members.number`, also for a number that is kept as it was written (`1.0` beside one with twenty digits). */
export function readNumber(members: Members, key: string): number | undefined {
  const value = members.value(key);
  if (value === undefined || typeof value === "number") return value;
  if (isJsonObject(value) && typeof value.rawJSON === "string" && Object.isFrozen(value)) return Number(value.rawJSON);
  throw members.wrong(key, "a number");
}
