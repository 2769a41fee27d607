// Durations as operators write them: Go style (`1m30s`), or plain seconds where a setting allows it.

import type { Reading } from "./reading.ts";

const msPerUnit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const wholePattern = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h))+$/;
const partPattern = /(\d+(?:\.\d+)?)(ns|us|µs|μs|ms|s|m|h)/g;
const plainPattern = /^\d+(?:\.\d+)?$/;

/** Timers of the runtime fire at once beyond 2^31 - 1 ms, so nothing longer is taken. */
const longestMs = 24 * 24 * 3_600_000;

/**
 * Milliseconds in `text`. `0` needs no unit; any other plain number is refused, except with `plainSeconds`
 * (behaviour 5.1: the `HTTP_*` timeouts and the intervals of the original).
 */
export function readDuration(text: string, options: { readonly plainSeconds: boolean }): Reading<number> {
  if (plainPattern.test(text)) {
    const number = Number(text);
    if (number === 0) return { value: 0 };
    if (!options.plainSeconds) return { complaint: `has no unit; write for example ${text}s or ${text}ms` };
    return /^\d+$/.test(text) ? withinBounds(number * 1000) : { complaint: `is not a whole number; write ${text}s` };
  }
  if (!wholePattern.test(text)) {
    const plain = options.plainSeconds ? "whole seconds, or " : "";
    return { complaint: `is not a duration; write ${plain}for example 500ms, 30s or 1m30s (0 needs no unit)` };
  }
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(partPattern)) totalMs += Number(amount) * (msPerUnit[unit ?? ""] ?? 0);
  if (totalMs > 0 && totalMs < 1) return { complaint: "is shorter than 1ms" };
  return withinBounds(Math.round(totalMs));
}

function withinBounds(ms: number): Reading<number> {
  return ms > longestMs ? { complaint: "is too long; at most 576h (24 days)" } : { value: ms };
}
