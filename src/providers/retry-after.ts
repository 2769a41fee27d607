// How long a provider wants to be left alone, from whichever of its headers says so.

/** The part of response headers that is read here. Names are matched in lower case. */
export interface HeaderFields {
  get(name: string): string | undefined;
  entries(): Iterable<readonly [name: string, value: string]>;
}

/** A wish beyond a year is a broken one; the cap keeps arithmetic on it exact. */
const longestMs = 365 * 86_400_000;

/**
 * Milliseconds from now, never negative; undefined when no header can be read. `retry-after-ms` wins over `Retry-After`
 * (seconds or a date), which wins over `x-ratelimit-reset*` (behaviour 2.12, decisions 12). Of those the largest counts whose
 * `x-ratelimit-remaining*` is 0: the others are limits that were not hit.
 */
export function readRetryAfterMs(headers: HeaderFields, wallNowMs: number): number | undefined {
  return (
    millisecondsOf(headers.get("retry-after-ms")) ??
    secondsOrDate(headers.get("retry-after"), wallNowMs) ??
    largestReset(headers, wallNowMs)
  );
}

const numberPattern = /^\d+(?:\.\d*)?(?:e\d+)?$/i;

function numberOf(text: string): number | undefined {
  return numberPattern.test(text) ? Number(text) : undefined;
}

function millisecondsOf(text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : numberOf(text.trim());
  return value === undefined ? undefined : bounded(value);
}

/** Repeated headers arrive joined by commas: when all are numbers the longest wish is the one that is safe for all. */
function secondsOrDate(text: string | undefined, wallNowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const seconds = text.split(",").map((part) => numberOf(part.trim()));
  const known = seconds.filter((value) => value !== undefined);
  if (known.length === seconds.length) return bounded(Math.max(...known) * 1000);
  return untilDate(text.trim(), wallNowMs);
}

function largestReset(headers: HeaderFields, wallNowMs: number): number | undefined {
  let largest: number | undefined;
  for (const [name, value] of headers.entries()) {
    const suffix = /^x-ratelimit-reset(.*)$/i.exec(name)?.[1];
    if (suffix === undefined) continue;
    const remaining = headers.get(`x-ratelimit-remaining${suffix.toLowerCase()}`)?.trim();
    if (remaining === undefined || !/^-\d+(?:\.\d+)?$|^0+(?:\.0*)?$/.test(remaining)) continue;
    const wait = resetMs(value.trim(), wallNowMs);
    if (wait !== undefined && (largest === undefined || wait > largest)) largest = wait;
  }
  return largest;
}

/** No limit resets in thirty years, so a number that large is a time since the epoch, in seconds or milliseconds. */
const epochSecondsFrom = 1e9;
const epochMillisecondsFrom = 1e12;

function resetMs(text: string, wallNowMs: number): number | undefined {
  const value = numberOf(text);
  if (value === undefined) return durationMs(text) ?? untilDate(text, wallNowMs);
  if (value >= epochMillisecondsFrom) return bounded(value - wallNowMs);
  if (value >= epochSecondsFrom) return bounded(value * 1000 - wallNowMs);
  return bounded(value * 1000);
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `6m0s`, `1h2m3.5s`, `20ms`. */
function durationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/i.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/gi)) {
    total += Number(amount) * (unitMs[unit?.toLowerCase() ?? ""] ?? 0);
  }
  return bounded(total);
}

/** The three forms of an HTTP date, and ISO 8601 with a zone. `Date.parse` alone takes `junk 1` for a date. */
const datePatterns = [
  /^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Za-z]{6,9}, \d{2}-[A-Za-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/,
];
const asctimePattern = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function untilDate(text: string, wallNowMs: number): number | undefined {
  const zoned = asctimePattern.test(text) ? `${text} GMT` : text;
  if (zoned === text && !datePatterns.some((pattern) => pattern.test(text))) return undefined;
  const at = Date.parse(zoned);
  return Number.isNaN(at) ? undefined : bounded(at - wallNowMs);
}

function bounded(milliseconds: number): number {
  return Math.ceil(Math.min(longestMs, Math.max(0, milliseconds)));
}
