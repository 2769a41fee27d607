// The session that a call belongs to, as the caller's own headers name it.

import type { CallFacts } from "./provider-type.ts";

/** Under the names that coding agents give it, the most particular one first. */
const names = [
  "x-opencode-session",
  "x-session-affinity",
  "x-session-id",
  "session-id",
  "session_id",
  "x-claude-code-session-id",
];

/** Undefined: the caller names none. */
export function callerSession(call: CallFacts): string | undefined {
  for (const name of names) {
    const session = call.callerHeader(name);
    if (session !== undefined) return session;
  }
  return undefined;
}
