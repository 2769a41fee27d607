// What a response object says about itself, besides its output: id, model, times, tier.

import type { JsonObject } from "../json/is-json-object.ts";
import { unknownOfResponse } from "./response-members.ts";

/** Members of the wrong type count as absent: none of these is needed. */
export function responseFacts(response: JsonObject) {
  const { id, model, created_at: created, service_tier: serviceTier } = response;
  const unknown = unknownOfResponse(response);
  return {
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof created === "number" ? { created } : {}),
    ...(typeof serviceTier === "string" ? { serviceTier } : {}),
    ...(unknown === undefined ? {} : { unknown }),
  };
}
