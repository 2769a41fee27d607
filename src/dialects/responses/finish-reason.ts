// Why an answer ended, from and to `status` and `incomplete_details`.

import type { Finish } from "../../core/chat-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** `called`: a call of a function or a custom tool is in the output. A missing status is that of an answer that came whole. */
export function decodeFinish(response: JsonObject, called: boolean): Finish {
  const { status, incomplete_details: details } = response;
  if (status === undefined || status === null || status === "completed") {
    const raw = typeof status === "string" ? { raw: status } : {};
    return { reason: called ? "tool-calls" : "stop", ...raw };
  }
  const reason =
    isJsonObject(details) && typeof details.reason === "string" && details.reason !== "" ? details.reason : undefined;
  if (status !== "incomplete" || reason === undefined) {
    const raw = typeof status === "string" ? status : JSON.stringify(status);
    return raw === "" ? { reason: "unknown" } : { reason: "unknown", raw };
  }
  if (reason === "max_output_tokens") return { reason: "length", raw: reason };
  if (reason === "content_filter") return { reason: "content-filter", raw: reason };
  return { reason: "unknown", raw: reason };
}

/**
 * Undefined: the answer is `completed`. Anything else is `incomplete`, with this as `incomplete_details.reason`: OpenAI's two words, or the provider's
 * own. `refused`: the output says so in a part of its own, so that a whole answer is one that declines.
 */
export function incompleteReason(finish: Finish | undefined, refused: boolean): string | undefined {
  switch (finish?.reason) {
    case undefined:
    case "stop":
    case "stop-sequence":
    case "tool-calls":
      return undefined;
    case "length":
    case "context-length":
      return "max_output_tokens";
    case "content-filter":
      return "content_filter";
    case "refusal":
      return refused ? undefined : "content_filter";
    case "pause":
    case "unknown":
      return finish?.raw ?? finish?.reason;
  }
}
