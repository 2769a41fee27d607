// What the openai SDK's errors say.

import OpenAI from "openai";
import { headerOf, type Thrown } from "./driver.ts";

/** The helper for streams of Responses rejects with the error event itself, which is no `Error`. */
export function openaiThrown(error: unknown, text: string): Thrown {
  const told = error instanceof OpenAI.APIError ? error : undefined;
  const isError = error instanceof Error;
  return {
    kind: isError ? error.constructor.name : "event",
    status: told?.status,
    message: isError ? error.message : String((error as { message?: unknown }).message),
    body: isError ? told?.error : error,
    retryAfter: headerOf(told?.headers, "retry-after"),
    text,
  };
}

const classes: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  413: "APIError",
  429: "RateLimitError",
};

export function openaiErrorClass(status: number): string {
  return classes[status] ?? "InternalServerError";
}
