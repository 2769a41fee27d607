// How the log has an attempt that ended so.

import type { Ending } from "./ending.ts";

export function outcomeOf(ending: Ending): "succeeded" | "failed" {
  return ending.kind === "whole" ? "succeeded" : "failed";
}

/** Any of these. A broken connection has no status unless its headers came. */
export function loggedStatuses(ending: Ending): readonly (number | null)[] {
  if (ending.kind !== "failed") return [200];
  return ending.cause === "transport" ? [null, 200] : [ending.status];
}

/** The log tells why a stream broke; the caller's event says `stream_incomplete` whatever it was. */
const loggedCodes = { ended: "stream_incomplete", connection: null, silence: "request_timeout", told: null } as const;

/** Of an in-band error its own, which may be any. */
export function codeOf(ending: Ending): string | number | null {
  switch (ending.kind) {
    case "whole":
    case "endless":
      return null;
    case "truncated":
      return loggedCodes[ending.broke];
    case "in-band":
    case "failed":
      return ending.code;
  }
}

const unseenStatuses = { ended: 502, connection: 200, silence: 504, told: 502 } as const;

/** Of a stream that broke before the caller had anything new of it: then it is a failure like any other. */
export function unseenStatus(ending: Exclude<Ending, { kind: "failed" }>): number {
  if (ending.kind === "in-band") return ending.status;
  return ending.kind === "truncated" ? unseenStatuses[ending.broke] : 200;
}
