// What an error means that a provider tells inside a success (behaviour 2.4): by a number where it has one, else by the words of its dialect.

import type { Dialect } from "../../../src/core/chat-request.ts";

export interface Told {
  readonly status: number;
  readonly code: string | number | null;
}

/** `word`: the form of the error as the simulator names it: a status, `quoted-429`, `named` or `worded`, `uncoded`, `text`. */
export function told(word: string, dialect: Dialect): Told {
  if (word === "uncoded" || word === "text") return { status: 502, code: null };
  const isNamed = word === "named" || word === "worded";
  const number = Number(word.replace("quoted-", ""));
  const isQuoted = word.startsWith("quoted-");
  switch (dialect) {
    case "chat-completions":
      return isNamed ? { status: 502, code: "server_overloaded" } : numbered(number, isQuoted);
    case "responses":
      if (isNamed) return { status: 500, code: "server_overloaded" };
      return isQuoted ? numbered(number, true) : toldByCode(number);
    case "messages":
      return { status: isNamed ? 529 : statusByType(number), code: null };
    case "gemini":
      return isNamed ? { status: 503, code: 503 } : numbered(number, isQuoted);
  }
}

function numbered(number: number, isQuoted: boolean): Told {
  return { status: number >= 400 && number <= 599 ? number : 502, code: isQuoted ? String(number) : number };
}

/** The codes that OpenAI has for a response that failed are fewer than statuses. https://platform.openai.com/docs/api-reference/responses/object */
export function toldByCode(number: number): Told {
  if (number === 401) return { status: 401, code: "invalid_api_key" };
  if (number === 429) return { status: 429, code: "rate_limit_exceeded" };
  if (number === 503) return { status: 503, code: "server_is_overloaded" };
  return number >= 500 ? { status: 500, code: "server_error" } : { status: 400, code: "invalid_prompt" };
}

/** An error has a type and no status; what has no type of its own is `invalid_request_error` or `api_error`. https://docs.anthropic.com/en/api/errors */
export function statusByType(number: number): number {
  if ([401, 402, 403, 404, 413, 429, 504, 529].includes(number)) return number;
  return number >= 400 && number < 500 ? 400 : 500;
}
