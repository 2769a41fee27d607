// The forms in which providers say that something went wrong, brought to the one of OpenAI's `error` member.

import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/**
 * The error that a parsed body or event carries whatever its status, undefined when it carries none: a member `error` that is not null, whatever
 * else is beside it, the whole object when it calls itself one (`"object":"error"`, vLLM and Mistral), or MiniMax's failed result.
 */
export function errorIn(parsed: unknown): unknown {
  if (!isJsonObject(parsed)) return undefined;
  if (parsed.error !== undefined && parsed.error !== null) return parsed.error;
  return parsed.object === "error" ? parsed : failedResult(parsed.base_resp);
}

/** The error of a body that came with an error status and therefore need not call itself one: Cerebras and FastAPI put its members at the top. */
export function topLevelError(parsed: unknown): unknown {
  if (!isJsonObject(parsed)) return undefined;
  return typeof parsed.message === "string" || validationProblems(parsed) !== undefined ? parsed : undefined;
}

/** MiniMax answers 200 and puts its own number beside the missing answer; 0 is success. `code` is that number, `status` what it means. */
export function failedResult(result: unknown): JsonObject | undefined {
  if (!isJsonObject(result)) return undefined;
  const { status_code: code, status_msg: message } = result;
  if (typeof code !== "number" || code === 0) return undefined;
  return { code, message, status: statusOfResult.get(code) };
}

/** https://platform.minimax.io/docs/api-reference/errorcode; the statuses are those of behaviour 3.6. What is missing is the provider's own trouble. */
const statusOfResult: ReadonlyMap<number, number> = new Map([
  [1002, 429],
  [1039, 429],
  [1041, 429],
  [2045, 429],
  [2056, 429],
  [1004, 401],
  [2049, 401],
  [1008, 402],
  [1026, 400],
  [1027, 400],
  [1042, 400],
  [2013, 400],
]);

/** What a validator found, without the input that it repeats: that may be the whole request. */
export interface ValidationProblems {
  /** `stream_options.include_usage: Extra inputs are not permitted; ...`. */
  readonly message: string;
  /** The first field, `stream_options.include_usage`; null when none is named. */
  readonly param: string | null;
}

/** Pydantic's list under `detail` or `message`, or one level deeper, as FastAPI servers and Mistral send it. */
export function validationProblems(error: JsonObject): ValidationProblems | undefined {
  for (const holder of [error, error.message]) {
    if (!isJsonObject(holder)) continue;
    for (const list of [holder.detail, holder.message]) {
      const problems = Array.isArray(list) ? list.filter(isProblem) : [];
      if (problems.length === 0) continue;
      const places = problems.map(placeOf);
      const message = problems.map(({ msg }, index) => (places[index] === "" ? msg : `${places[index]}: ${msg}`));
      return { message: message.join("; "), param: places[0] === undefined || places[0] === "" ? null : places[0] };
    }
  }
  return undefined;
}

type Problem = JsonObject & { readonly msg: string };

function isProblem(entry: unknown): entry is Problem {
  return isJsonObject(entry) && typeof entry.msg === "string";
}

/** The field as the caller knows it: everything is in the body. */
function placeOf({ loc }: Problem): string {
  if (!Array.isArray(loc)) return "";
  return (loc[0] === "body" ? loc.slice(1) : loc).join(".");
}

/** https://cloud.google.com/apis/design/errors#error_details: `google.rpc.RetryInfo` with `"retryDelay":"34.07s"`. */
export function retryDelayMs({ details }: JsonObject): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = isJsonObject(detail) ? detail["retryDelay"] : undefined;
    if (typeof delay === "string" && /^\d{1,6}(?:\.\d{1,9})?s$/.test(delay))
      return Math.ceil(Number.parseFloat(delay) * 1000);
  }
  return undefined;
}
