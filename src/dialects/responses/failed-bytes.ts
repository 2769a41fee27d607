// What a caller gets of a provider's failure in the middle of a stream: both events that say it, each once, numbered on.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import { errorIn } from "../answers/error-shapes.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { numbered } from "./event-numbers.ts";
import type { EventNumbers } from "./event-numbers.ts";
import { completedErrorEvent, errorEvent, failedCodeOf, failedEvent } from "./failure-events.ts";
import type { ResponseSoFar } from "./response-so-far.ts";
import { failureOfError } from "./stream-failure.ts";

const encoder = new TextEncoder();

/** An event as it came, whole. */
interface FailedEvent {
  readonly data: JsonObject;
  readonly event: Uint8Array;
}

/** `second`: the `response.failed` that came together with the `error`. */
export function failedBytes(
  first: FailedEvent & { readonly kind: "error" | "failed" },
  second: FailedEvent | undefined,
  numbers: EventNumbers,
  response: ResponseSoFar,
  options: ReaderOptions,
): { readonly failure: Failure; readonly relayed: Uint8Array } {
  const number = numbers.next;
  if (first.kind === "failed") {
    const inside = isJsonObject(first.data.response) ? first.data.response.error : undefined;
    const failure = failureOfError(inside ?? undefined, options);
    // The raw iterators of the SDKs hand `response.failed` over without throwing, so the error comes before it and takes its number.
    const relayed = [encoder.encode(errorEvent(failure, number)), numbered(first.event, number + 1)];
    return { failure, relayed: joinBytes(relayed) };
  }
  const failure = failureOfError(errorOf(first.data), options);
  const completed = completedErrorEvent(first.data, failure, number);
  const error = completed === undefined ? first.event : encoder.encode(completed);
  if (second !== undefined) return { failure, relayed: joinBytes([error, numbered(second.event, number + 1)]) };
  const { message, status, code } = failure;
  const failed = failedEvent({ code: failedCodeOf(status, code), message }, number + 1, response.object());
  return { failure, relayed: joinBytes([error, encoder.encode(failed)]) };
}

/** Nested, flat, or in one of the forms of other dialects. */
function errorOf(data: JsonObject): unknown {
  const error = errorIn(data);
  return error === undefined || error === data ? { ...data, type: undefined, sequence_number: undefined } : error;
}
