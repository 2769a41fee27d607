// Tells the end of an answer from events that only report on it.

/** Null and an empty text say "not yet". */
export function isStopReason(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
